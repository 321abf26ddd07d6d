/**
 * Stage 1 of 8. Establishes which records are canonical: the first copy of each, in landed order.
 * Needs: nothing. Writes: `model.records`.
 *
 * The first copy is kept, not the last: a runtime writes a block of history again just before it resets its
 * context, and the later copy is the worse one (seeds, "Keep the first copy"). A record without an id is never a
 * duplicate. A repeated copy is left out of every lookup, so it can neither inflate a call nor blur a join.
 */
import { isEvidence, KIND_PROVIDER_BODY } from '../format/index-entry.js';
import type { Page } from './page.js';
import type { SessionModel } from './session-model.js';
import type { StageRules } from './stage.js';

const CANONICAL = 1;
const DUPLICATE = 2;
const EVIDENCE = 3;

export class CanonicalRecords implements StageRules {
  /** Counts a parse reports. Duplicates include those among evidence. */
  kept = 0;
  duplicates = 0;
  evidence = 0;

  readonly #model: SessionModel;
  readonly #state: Uint8Array;
  readonly #firstOfRecord: Int32Array;
  readonly #awaited: Uint8Array;

  constructor(model: SessionModel) {
    const strings = model.index.strings.record.size + 1;
    this.#model = model;
    this.#state = new Uint8Array(model.index.entries);
    this.#firstOfRecord = new Int32Array(strings).fill(-1);
    this.#awaited = new Uint8Array(strings);
  }

  /** Whether an entry is a canonical step: no duplicate, and no evidence beside a stream. */
  isCanonical(entry: number): boolean {
    return this.#state[entry] === CANONICAL;
  }

  /**
   * The entry that holds a record id (by number), or -1. Workspace changes and executions are found, because
   * the walk to a run passes through them; provider bodies and anything past the watermark are not.
   */
  entryOfRecord(record: number): number {
    return record === 0 ? -1 : this.#firstOfRecord[record]!;
  }

  /** Asks to be told, by `changed.arrivedRecords`, when a record that was looked for in vain lands. */
  await(record: number): void {
    this.#awaited[record] = 1;
  }

  page({ from, to }: Page): void {
    const { kind, record } = this.#model.index;
    const state = this.#state;
    const firstOfRecord = this.#firstOfRecord;
    const awaited = this.#awaited;
    for (let entry = from; entry < to; entry++) {
      const evidence = isEvidence(kind[entry]!);
      if (evidence && kind[entry] === KIND_PROVIDER_BODY) {
        // A provider body's id names a body file, not a record: it takes no part in the duplicate rule.
        state[entry] = EVIDENCE;
        this.evidence++;
        continue;
      }
      const id = record[entry]!;
      if (id !== 0 && firstOfRecord[id]! >= 0) {
        state[entry] = DUPLICATE;
        this.duplicates++;
        continue;
      }
      if (id !== 0) firstOfRecord[id] = entry;
      if (awaited[id] === 1) this.#model.changed.arrivedRecords.add(id);
      state[entry] = evidence ? EVIDENCE : CANONICAL;
      if (evidence) this.evidence++;
      else this.kept++;
    }
  }
}
