/** A source that is replaced whole: a changed document is a new file, never an edit (dialect spec 4.6). */
import { hash } from 'node:crypto';
import { join } from 'node:path';
import type { Source } from '../adapters/adapter.js';
import { loadSnapshotCursor, type SnapshotCursor, saveCursor } from '../io/cursor.js';
import type { SessionLanding } from './session-landing.js';
import { openSource } from './source-file.js';

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
  if (cursor.state === 'source_gone') save({ ...cursor, state: 'active' });

  const file = openSource(join(landing.place.sourceRoot, source.relativePath));
  if (file === undefined) {
    save({ ...cursor, state: 'source_gone' });
    landing.tally.gone++;
    return;
  }
  try {
    const { size, mtime } = file.stat();
    const raw = trimmed(file.read(0, size));
    const contentSha256 = hash('sha256', raw, 'hex');
    if (raw.length === 0 || contentSha256 === cursor.contentSha256) return;
    const { adapter, session } = landing.place;
    const unit = { session, source, raw, ord: 1, off: 0, sha: contentSha256.slice(0, 12) };
    const record = adapter.convert(unit);
    const writer = landing.writer(source);
    writer.add(record);
    const { seq } = landing.publish(writer, source, [record]);
    save({ ...cursor, contentSha256, size, mtime, lastSeq: seq, state: 'active' });
    landing.tally.landed++;
    landing.tally.bytes += raw.length;
  } finally {
    file.close();
  }
}

/** Without the newlines and carriage returns at its end. */
function trimmed(document: Buffer): Buffer {
  let end = document.length;
  while (end > 0 && (document[end - 1] === 0x0a || document[end - 1] === 0x0d)) end--;
  return document.subarray(0, end);
}
