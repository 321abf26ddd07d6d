/** A stream while it is planned: its clock, its last record and its run (scenario spec 3.1, 3.2). */
import type { Placement, StreamEvent } from '../adapters/mock/events.js';
import type { PlannedRecord, PlannedStream } from './plan.js';

/** A duration as whole milliseconds, scaled. Durations are exact to the nanosecond, and so is the product cut. */
export function scaled(ms: number, scale: number): number {
  return Math.floor(Math.trunc(Math.round(ms * 1e6) * scale) / 1e6);
}

/** A step cannot be planned; the planner says where the step stands. */
export class StepFault extends Error {}

/** Most records that a session can have: replays double, and a hostile file must not grow. */
export const MAX_RECORDS = 100_000;

export interface Pace {
  readonly intervalMs: number;
  readonly scale: number;
  /** Records of the session so far, over all its lanes. */
  readonly count: { records: number };
}

/** What a record adds to its event. */
export type Beside = Partial<Omit<PlannedRecord, 'event'>>;

export class Lane {
  readonly stream: PlannedStream;
  /** Run of the newest input, notification or summary; empty before the first. */
  run = '';
  /** Id of the newest record; empty before the first. */
  last = '';
  /** Milliseconds since 1970. */
  ms: number;
  readonly #pace: Pace;
  #isUsed = false;

  constructor(stream: PlannedStream, ms: number, pace: Pace) {
    this.stream = stream;
    this.ms = ms;
    this.#pace = pace;
  }

  get name(): string {
    return this.stream.id;
  }

  scaled(ms: number): number {
    return scaled(ms, this.#pace.scale);
  }

  /** The time of the next step: the interval later when nothing else is said, and at once when it is the first. */
  tick(afterMs = 0): number {
    this.ms += this.scaled(this.#isUsed ? afterMs || this.#pace.intervalMs : afterMs);
    this.#isUsed = true;
    return this.ms;
  }

  /** Begins with a record at the lane's own moment, so that the next step ticks from it. */
  begin(): number {
    this.#isUsed = true;
    return this.ms;
  }

  /** Where a record stands that follows the last one. */
  after(id: string, ms: number, place: Omit<Placement, 'id' | 'time'> = {}): Placement {
    return { ...parentOf(this.last), ...place, id, time: timeText(ms) };
  }

  /** Adds a record and makes it the last. */
  add(event: StreamEvent & Placement, beside: Beside = {}): void {
    this.append({ lost: false, copied: false, ...beside, event });
    this.last = event.id ?? '';
  }

  /** Adds a record that no later one follows. Throws `StepFault` when the session is full. */
  append(record: PlannedRecord): void {
    const { count } = this.#pace;
    if (count.records >= MAX_RECORDS)
      throw new StepFault(`the session has more than ${MAX_RECORDS} records; write fewer steps or replays`);
    count.records++;
    this.stream.records.push(record);
  }
}

export function parentOf(id: string): { parent?: string } {
  return id === '' ? {} : { parent: id };
}

/** Three decimals, always. Throws `StepFault` for a time that RFC 3339 cannot write. */
export function timeText(ms: number): string {
  if (!(ms >= EARLIEST_MS && ms <= LATEST_MS))
    throw new StepFault('it falls outside the years 1 to 9999; the durations add up to too much');
  return new Date(ms).toISOString();
}

const EARLIEST_MS = Date.parse('0001-01-01T00:00:00Z');
const LATEST_MS = Date.parse('9999-12-31T23:59:59.999Z');
