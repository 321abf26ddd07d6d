/** One request's records, held against what they say they are and stored; and what that came to. */
import { setImmediate } from 'node:timers/promises';
import { Refusal } from '../http/refusal.js';
import { recordsOf } from './read-request.js';
import { fileOf, type ReceivedFile } from './received-file.js';
import { isOurs, Misfit, nameOf } from './record-values.js';
import { type StoreOptions, storeFiles } from './store-files.js';

/** What one request came to. */
export interface Received {
  readonly files: number;
  /** Files that were there already. */
  readonly repeats: number;
  /** Records that do not fit, and why, the first of them. */
  readonly rejected: number;
  readonly reasons: readonly string[];
  /** Records that are not of asz. */
  readonly foreign: number;
  /** Of the request, inflated. */
  readonly bytes: number;
}

/** `asz push` sends at most 1,000 files, and a Collector as a rule some 10,000 records. */
const MAX_RECORDS = 100_000;
/** So many reasons are said of one request. */
const MAX_REASONS = 10;
/** Characters of one reason: it may quote what a file says. */
const MAX_REASON_LENGTH = 500;
/** So long nobody else has a turn. */
const SLICE_MS = 20;

/**
 * Stores the files of a request. Nothing is stored when it is no request: throws `FormatError`, and `Refusal` for one of
 * too many records. Throws as `storeFiles` does.
 */
export async function takeRequest(request: Buffer, options: StoreOptions): Promise<Received> {
  const files: ReceivedFile[] = [];
  const names: string[] = [];
  const misfits = new Misfits();
  let foreign = 0;
  let records = 0;
  let sliceEnd = performance.now() + SLICE_MS;
  for (const record of recordsOf(request)) {
    if (++records > MAX_RECORDS)
      throw new Refusal(413, `a request may have ${MAX_RECORDS} records; send fewer at once`);
    if (!isOurs(record)) foreign++;
    else
      try {
        files.push(fileOf(record));
        names.push(nameOf(record));
      } catch (cause) {
        if (!(cause instanceof Misfit)) throw cause;
        misfits.add(nameOf(record), cause);
      }
    if (performance.now() < sliceEnd) continue;
    await setImmediate();
    sliceEnd = performance.now() + SLICE_MS;
  }
  const stored = await storeFiles(files, options);
  for (const [i, outcome] of stored.entries()) if (outcome instanceof Misfit) misfits.add(names[i]!, outcome);
  const { count: rejected, reasons } = misfits;
  const count = (wanted: 'new' | 'repeat') => stored.filter((outcome) => outcome === wanted).length;
  return {
    ...{ files: count('new'), repeats: count('repeat'), rejected, reasons },
    ...{ foreign, bytes: request.length },
  };
}

class Misfits {
  count = 0;
  readonly reasons: string[] = [];

  add(name: string, { message }: Misfit): void {
    this.count++;
    if (this.reasons.length < MAX_REASONS) this.reasons.push(`${name}: ${clipped(message)}`);
  }
}

function clipped(words: string): string {
  return words.length <= MAX_REASON_LENGTH ? words : `${words.slice(0, MAX_REASON_LENGTH).toWellFormed()}…`;
}
