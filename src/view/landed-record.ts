/**
 * One landed record, whole: the only way to read a text past what a document carries (view spec 7.2). And landed
 * files as they lie, of the one kind that a page shows apart.
 */
import { AszError, causeText, FormatError, StorageError, UsageError } from '../format/errors.js';
import { printableJson } from '../format/json-text.js';
import { kindOfPrefix } from '../format/landed-name.js';
import { dataSlices, type SdPart, type SdPartRead, writeRecord } from '../format/session-data.js';
import { readFileSync } from '../io/file-system.js';
import { type LandedRecord, readLandedRecord } from '../io/landed-file.js';
import { type LandedFile, listLandedFiles, sessionFolder } from '../io/storage-root.js';
import type { Withheld } from './withheld.js';

/** What was asked for is not there. */
export class NotLandedError extends AszError {
  constructor(message: string) {
    super('NOT_LANDED', message);
  }
}

/**
 * A record as JSON text, its keys in the format's order and its data as landed. Of a record that is withheld every
 * part keeps kind and size, and its own label goes. Throws `NotLandedError` when there is no such file or row, `FormatError` for one that
 * does not decode.
 */
export function landedRecordText(
  root: string,
  session: string,
  seq: number,
  row: number,
  withheld: Withheld,
): string {
  const file = filesOf(root, session).find((landed) => landed.seq === seq);
  if (file === undefined) throw new NotLandedError(`view: no landed file with sequence ${seq}`);
  const found = row < 1 ? undefined : recordAt(file, row, withheld);
  if (found === undefined) throw new NotLandedError(`view: no row ${row} in sequence ${seq}`);
  const { record, text } = found;
  const hidden = withheld.hides(record.flags);
  const slices = hidden ? [] : dataSlices(text);
  const parts = record.parts.map((part, i) => partOf(part, slices[i], hidden));
  const { usage, label, ...rest } = record;
  const shown = { ...rest, ...(usage && { usage }), ...(!hidden && { label }), parts };
  return printableJson(writeRecord(shown));
}

function recordAt({ path, seq }: LandedFile, row: number, withheld: Withheld): LandedRecord | undefined {
  try {
    return readLandedRecord(path, row);
  } catch (cause) {
    if (withheld.names.size === 0 || !(cause instanceof FormatError)) throw cause;
    // Whether a line that does not decode is one to withhold, nobody can tell; so nothing of it is said.
    throw new FormatError(`view: row ${row} in sequence ${seq} does not decode; run asz verify`, { cause });
  }
}

function partOf(part: SdPartRead, data: string | undefined, hidden: boolean): SdPart {
  const { data: _, failed, text, name, server, server_tool, ...rest } = part;
  const known = { ...rest, ...(failed !== undefined && { failed }) };
  if (hidden) return { ...known, state: 'omitted' };
  return { ...known, name, server, server_tool, text, ...(data !== undefined && { data }) };
}

/** A landed file as it lies. */
export interface LandedBytes {
  readonly name: string;
  readonly seq: number;
  readonly bytes: Buffer;
}

/** Most bytes of files given at once; what is left out can be asked for again. */
const MAX_FILES_BYTES = 64 * 1024 * 1024;

/**
 * Provider bodies by their sequences, each once; those that are not there are left out. Throws `UsageError` for
 * a sequence that is evidence of another kind: its records have a route of their own, which knows what to withhold.
 */
export function providerBodies(root: string, session: string, seqs: Iterable<number>): LandedBytes[] {
  const files = new Map(filesOf(root, session).map((file) => [file.seq, file]));
  const found: LandedBytes[] = [];
  let size = 0;
  for (const seq of new Set(seqs)) {
    const file = files.get(seq);
    if (file === undefined) continue;
    const kind = kindOfPrefix(file.kindPrefix);
    if (kind !== 'provider_body')
      throw new UsageError(`view: sequence ${seq} holds ${kind}, not a provider body`);
    const bytes = bytesOf(file);
    if (bytes === undefined) continue;
    size += bytes.length;
    if (size > MAX_FILES_BYTES) break;
    found.push({ name: file.name, seq, bytes });
  }
  return found;
}

function bytesOf({ path }: LandedFile): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new StorageError(`storage: read ${path}: ${causeText(cause)}`, { cause });
  }
}

/** None for a session that no directory can have. */
function filesOf(root: string, session: string): LandedFile[] {
  return session === '' ? [] : listLandedFiles(sessionFolder(root, session));
}
