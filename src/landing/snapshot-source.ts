/** A source that is replaced whole: a changed document is a new file, never an edit (dialect spec 4.6). */
import { hash } from 'node:crypto';
import { join } from 'node:path';
import type { Source } from '../adapters/adapter.js';
import { loadSnapshotCursor, type SnapshotCursor, saveCursor } from '../io/cursor.js';
import { landedEnd } from '../io/landed-end.js';
import type { SessionLanding } from './session-landing.js';
import { openSource, type SourceFile } from './source-file.js';

/**
 * Lands the document if it differs from the last one landed. Throws when it cannot be read or cannot land as
 * it stands. The budget does not apply: a document is one record. It is read whole in every pass.
 */
export function landSnapshotSource(landing: SessionLanding, source: Source): void {
  const cursorPath = landing.cursorPath(source);
  let cursor = loadSnapshotCursor(cursorPath, source.relativePath);
  if (cursor.state === 'conflict') {
    landing.stop(source, cursorPath);
    return;
  }
  const save = (next: SnapshotCursor) => {
    cursor = { ...next, updatedAt: landing.at };
    saveCursor(cursorPath, cursor);
  };
  // A cursor that is damaged, or was when its source went: the last version that landed tells what it said.
  const isUnknown =
    cursor.state === 'damaged' || (cursor.state === 'source_gone' && cursor.contentSha256 === '');
  const landedSha = isUnknown ? landedEnd(cursorPath, 0)?.sha : undefined;
  if (cursor.state === 'source_gone') save({ ...cursor, state: 'active' });

  const file = openSource(join(landing.place.sourceRoot, source.relativePath));
  if (file === undefined) {
    save({ ...cursor, state: 'source_gone' });
    landing.tally.gone++;
    return;
  }
  try {
    const { size, mtime } = file.stat();
    const { raw, contentSha256 } = documentOf(file, size);
    if (landedSha !== undefined && contentSha256.startsWith(landedSha)) {
      save({ ...cursor, contentSha256, size, mtime, state: 'active' });
      return;
    }
    if (raw.length === 0 || contentSha256 === cursor.contentSha256) return;
    const { adapter, session } = landing.place;
    const unit = { session, source, raw, ord: 1, off: 0, sha: contentSha256.slice(0, 12) };
    const record = adapter.convert(unit);
    const landed = landing.startFile(source);
    landed.addWithin(record, Number.POSITIVE_INFINITY);
    const { seq } = landed.publish();
    save({ ...cursor, contentSha256, size, mtime, lastSeq: seq, state: 'active' });
    landing.tally.landed++;
    landing.tally.bytes += raw.length;
  } finally {
    file.close();
  }
}

/** What a cursor says of the document at a path once it landed; empty when it is gone or holds nothing to land. */
export function contentDigest(path: string): string {
  const file = openSource(path);
  if (file === undefined) return '';
  try {
    const { raw, contentSha256 } = documentOf(file, file.stat().size);
    return raw.length === 0 ? '' : contentSha256;
  } finally {
    file.close();
  }
}

function documentOf(file: SourceFile, size: number): { raw: Buffer; contentSha256: string } {
  const raw = trimmed(file.read(0, size));
  return { raw, contentSha256: hash('sha256', raw, 'hex') };
}

/** Without the newlines and carriage returns at its end. */
function trimmed(document: Buffer): Buffer {
  let end = document.length;
  while (end > 0 && (document[end - 1] === 0x0a || document[end - 1] === 0x0d)) end--;
  return document.subarray(0, end);
}
