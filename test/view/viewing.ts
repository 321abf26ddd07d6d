/** Documents in tests: of a root on disk, and of vectors put into a fresh one. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { roundsFolder } from '../../src/io/storage-root.js';
import { documentBytes } from '../../src/view/document.js';
import { buildView } from '../../src/view/view.js';
import { landFiles, type Vector } from '../vectors/landed-root.js';

/** A document as its text. */
export function documentOf(root: string, conversation: string, hide: readonly string[] = []): string {
  return Buffer.concat([...documentBytes(buildView(root, conversation, hide))]).toString();
}

/** As a value, for looking into it. */
// biome-ignore lint/suspicious/noExplicitAny: a test looks into documents as they are
export function viewed(root: string, conversation: string, hide: readonly string[] = []): any {
  return JSON.parse(documentOf(root, conversation, hide));
}

/** Puts a vector into a root: its landed files and its rounds. */
export function place(root: string, vector: Vector): void {
  landFiles(root, vector, Number.POSITIVE_INFINITY);
  const folder = roundsFolder(root, vector.session);
  mkdirSync(folder, { recursive: true });
  for (const { name, content } of vector.rounds) writeFileSync(join(folder, name), content);
}

/**
 * A value as text that shows the order of keys as well: what two documents are held against. The two fields of a
 * segment that the seeds do not have are left out of a foreign one.
 */
export function comparable(document: unknown): string {
  return JSON.stringify(
    document,
    (_, value) => {
      if (typeof value !== 'object' || value === null || !('committable' in value)) return value;
      const { state: _state, committable: _committable, ...rest } = value as Record<string, unknown>;
      return rest;
    },
    1,
  );
}
