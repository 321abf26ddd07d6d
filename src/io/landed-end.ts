/**
 * How far a source has landed, by its landed files alone: what its cursor said, should the cursor be damaged. The
 * files of a source lie beside its cursor and begin with the cursor's name.
 */
import { basename, dirname, join } from 'node:path';
import { FormatError } from '../format/errors.js';
import { readLandedName } from '../format/landed-name.js';
import type { SdRecordRead } from '../format/session-data.js';
import { directoryEntries } from './directory-entries.js';
import { readLandedFile } from './landed-file.js';

export interface LandedEnd {
  /** The path its last file names, relative to the adapter's source root. */
  readonly source: string;
  /** Behind the last source line that landed, its newline included. */
  readonly offset: number;
  /** That line. */
  readonly ord: number;
  /** The number of its last file. */
  readonly lastSeq: number;
  /** First 12 hex digits of the SHA-256 of the last record's source bytes. */
  readonly sha: string;
  /** The records that landed from the `tailBytes` before `offset`, as their source lines. */
  readonly tail: readonly SourceLine[];
}

type SourceLine = Pick<SdRecordRead, 'off' | 'bytes' | 'sha'>;

/**
 * The end of what landed beside a cursor; `undefined` when nothing has, or when a file of it does not read: then
 * its source is to land again. Reads every one of these files.
 */
export function landedEnd(cursorPath: string, tailBytes: number): LandedEnd | undefined {
  const folder = dirname(cursorPath);
  const prefix = basename(cursorPath, '.cursor');
  const files = directoryEntries(folder)
    .filter((entry) => entry.isFile())
    .map(({ name }) => ({ path: join(folder, name), named: readLandedName(name) }))
    .flatMap(({ path, named }) => (named?.prefix === prefix ? { path, seq: named.seq } : []))
    .sort((a, b) => a.seq - b.seq);
  const lines: SourceLine[] = [];
  let end: Omit<LandedEnd, 'tail'> | undefined;
  try {
    for (const { path, seq } of files) {
      let source = '';
      readLandedFile(path, {
        header: ({ src }) => {
          source = src;
        },
        record: ({ ord, off, bytes, sha }) => {
          // A record that landed again says nothing new. Versions of a document are all line 1, and the last counts.
          if (end !== undefined && ord < end.ord) return;
          if (end?.ord === ord) lines.pop();
          lines.push({ off, bytes, sha });
          end = { source, offset: off + bytes + 1, ord, lastSeq: seq, sha };
        },
      });
    }
  } catch (cause) {
    if (cause instanceof FormatError) return undefined;
    throw cause;
  }
  // Assigned by the visitors above, which the compiler does not see.
  const last = end as Omit<LandedEnd, 'tail'> | undefined;
  return last && { ...last, tail: lines.filter(({ off, bytes }) => off + bytes >= last.offset - tailBytes) };
}
