/**
 * Makes sessions for tests: each stream is told in a few words, ids, parents, runs and times follow, and `land`
 * puts what is new into a storage root. Only what a test says differs from one session to the next.
 *
 *     const session = new SessionBuilder(root);
 *     session.main.input('run the build').tool('t1', 'Bash').result('t1').says('done');
 *     session.land();
 *     const rounds = await session.parse();
 *
 * Nothing here belongs to the test runner, so that scripts can make sessions too.
 */

import type { JsonValue } from '../src/adapters/mock/data-json.js';
import {
  type Fragment,
  journalRecord,
  type MockRecord,
  manifestRecord,
  type Outcome,
  type Placement,
  type Result,
  recordOf,
  type StreamEvent,
  scriptRecord,
  sidecarRecord,
} from '../src/adapters/mock/events.js';
import { landPlan } from '../src/adapters/mock/land.js';
import { type Instant, parseTime } from '../src/format/time.js';
import { DEFAULT_MAX_ROUND_BYTES } from '../src/rounds/next-round.js';
import { type ParseOptions, type ParseReport, parseSession } from '../src/rounds/parse-session.js';

export interface SessionOptions {
  readonly session?: string;
  readonly project?: string;
  /** When it lands and is parsed. */
  readonly now?: string;
  /** When its first record was made; each next is a second later. */
  readonly begins?: string;
}

const USAGE = { in: 2, out: 40, cache_read: 900, cache_write: 100 };

export class SessionBuilder {
  readonly root: string;
  readonly session: string;
  readonly project: string;
  readonly #streams = new Map<string, StreamBuilder>();
  readonly #runs = new Map<string, RunBuilder>();
  readonly #now: Instant;
  #clockMs: number;

  constructor(root: string, options: SessionOptions = {}) {
    const { session = 's1', project = 'demo', now = '2026-01-03T00:00:00Z' } = options;
    this.root = root;
    this.session = session;
    this.project = project;
    this.#now = parseTime(now);
    this.#clockMs = parseTime(options.begins ?? '2026-01-02T09:00:00Z').ms - 1000;
    this.stream('main');
  }

  get main(): StreamBuilder {
    return this.stream('main');
  }

  /** The stream of this name, begun when it is new. */
  stream(name: string): StreamBuilder {
    return grown(this.#streams, name, () => new StreamBuilder(name, () => this.#tick()));
  }

  /** The workflow run of this name, begun when it is new. */
  run(id: string): RunBuilder {
    return grown(this.#runs, id, () => new RunBuilder(id));
  }

  /** Lets time pass before the next record. */
  wait(ms: number): this {
    this.#clockMs += ms;
    return this;
  }

  /** Lands what was told since the last landing. Gives how many files that made. */
  land(): number {
    const { session, project } = this;
    const plan = { session, project, streams: [...this.#streams.values()], runs: [...this.#runs.values()] };
    return landPlan(this.root, plan, this.#now);
  }

  /** Parses until the chain has reached what landed; the reports of the rounds that were written. */
  async parse(options: Partial<ParseOptions> = {}): Promise<ParseReport[]> {
    const reports = await parseSession(this.root, this.session, {
      maxBytes: DEFAULT_MAX_ROUND_BYTES,
      now: () => this.#now,
      ...options,
    });
    return reports.filter(({ round }) => round > 0);
  }

  #tick(): string {
    this.#clockMs += 1000;
    return new Date(this.#clockMs).toISOString();
  }
}

/** A stream as it is told. Every word adds one record after the last; `at` overrides where it stands. */
export class StreamBuilder {
  readonly name: string;
  readonly transcript: MockRecord[] = [];
  readonly changes: MockRecord[] = [];
  readonly execution: MockRecord[] = [];
  readonly sidecar: MockRecord[] = [];
  readonly #tick: () => string;
  #last: string | undefined;
  #runs = 0;
  #calls = 0;

  constructor(name: string, tick: () => string) {
    this.name = name;
    this.#tick = tick;
  }

  /** The id of the last record that has one. */
  get last(): string {
    return this.#last ?? '';
  }

  title(title: string): this {
    return this.event({ kind: 'title', title });
  }

  /** A person's words, or in a child its prompt. Opens a run. */
  input(text: string, at: Placement = {}): this {
    return this.event({ kind: 'input', ...this.#place(at), run: at.run ?? this.#nextRun(), text });
  }

  queued(mode: string, text: string, at: Placement = {}): this {
    return this.event({ kind: 'queued', ...this.#place(at), mode, text });
  }

  injection(text: string, at: Placement = {}): this {
    return this.event({ kind: 'injection', ...this.#place(at), text });
  }

  /** One finished provider call that says something. */
  says(text: string, at: Placement = {}): this {
    return this.fragment({ text }, { last: true }, at);
  }

  thinks(reasoning = '', at: Placement = {}): this {
    return this.fragment({ reasoning }, {}, at);
  }

  /** Asks for a tool and ends its provider call. */
  tool(tool: string, name: string, input: JsonValue = {}, at: Placement = {}): this {
    return this.fragment({ tool, name, input }, { last: true }, at);
  }

  /** A piece of the current provider call, which goes on until a piece is its last. */
  fragment(
    content: Fragment['content'],
    { last = false, call = this.#call() }: { readonly last?: boolean; readonly call?: string } = {},
    at: Placement = {},
  ): this {
    this.event({ kind: 'fragment', ...this.#place(at), call, last, usage: USAGE, content });
    if (last) this.#calls++;
    return this;
  }

  result(of: string, options: Partial<Result> = {}, at: Placement = {}): this {
    return this.event({ kind: 'result', ...this.#place(at), of, text: 'ok', ...options });
  }

  /** Acknowledges that a child was started. */
  launched(of: string, child: string, label = child): this {
    return this.#started(of, { is: 'launch', child, label, prompt: `do ${label}` });
  }

  /** Returns what a child said, naming the child. */
  forked(of: string, child: string): this {
    return this.#started(of, { is: 'fork', child });
  }

  launchedRun(of: string, run: string, name = run): this {
    return this.#started(of, { is: 'workflow', run, name });
  }

  /** A child finished. Opens a run of the same talk. */
  notification(of: { readonly tool?: string; readonly child?: string }, at: Placement = {}): this {
    const run = at.run ?? this.#nextRun();
    return this.event({ kind: 'notification', ...this.#place(at), run, ...of, text: 'finished' });
  }

  /** An error the client put into the model's mouth. */
  error(text: string, at: Placement = {}): this {
    return this.event({ kind: 'error', ...this.#place(at), call: `${this.name}-error-${this.#next}`, text });
  }

  /** A context reset, and the summary that goes on from it when one is given. */
  reset(summary?: string, at: Placement & { readonly continues?: string } = {}): this {
    const { continues = this.last, ...rest } = at;
    const { parent: _, ...place } = this.#place(rest);
    this.event({ kind: 'reset', ...place, continues });
    if (summary === undefined) return this;
    return this.event({ kind: 'summary', ...this.#place({}), run: this.#nextRun(), text: summary });
  }

  system(subtype: string, fields: Readonly<Record<string, JsonValue>> = {}, at: Placement = {}): this {
    return this.event({ kind: 'system', ...this.#place(at), subtype, fields });
  }

  /** Says in a sidecar what this child is and which call started it. */
  sidecarOf(tool: string, label = this.name, more: Partial<MockRecord> = {}): this {
    this.sidecar.push({ ...sidecarRecord(this.name, label, tool), ...more });
    return this;
  }

  /** Any event as it is, nothing filled in. */
  event(event: StreamEvent): this {
    return this.#add(recordOf(event, this.name));
  }

  /** Any record, its place filled in: for what no event says. */
  record(record: MockRecord): this {
    const { id, parent, time } = this.#place(record);
    return this.#add({ ...(parent === undefined ? {} : { parent }), id: id!, time: time!, ...record });
  }

  /** The last records again, as a resumed session repeats them: same ids, what stood beside results gone. */
  replay(count: number): this {
    for (const record of this.transcript.slice(-count)) {
      const parts = record.parts?.map(({ data, ...part }) =>
        data === undefined || part.k !== 'result' ? { ...part, ...(data && { data }) } : part,
      );
      this.transcript.push({ ...record, ...(parts && { parts }), ...(record.run && { run: 'replayed' }) });
    }
    return this;
  }

  #add(record: MockRecord): this {
    this.transcript.push(record);
    if (record.id) this.#last = record.id;
    return this;
  }

  #started(of: string, outcome: Outcome): this {
    return this.result(of, { text: 'launched', outcome });
  }

  /** The record's own words where it has them; an empty one leaves the member out. */
  #place(at: Placement): Placement {
    const { id = `${this.name}-${this.#next}`, parent = this.#last ?? '', run = '' } = at;
    const { time = this.#tick() } = at;
    return {
      ...(id === '' ? {} : { id }),
      ...(parent === '' ? {} : { parent }),
      ...(run === '' ? {} : { run }),
      ...(time === '' ? {} : { time }),
    };
  }

  get #next(): number {
    return this.transcript.length + 1;
  }

  #nextRun(): string {
    this.#runs++;
    return `${this.name}-run-${this.#runs}`;
  }

  #call(): string {
    return `${this.name}-call-${this.#calls + 1}`;
  }
}

/** The files of a workflow run. */
export class RunBuilder {
  readonly id: string;
  readonly journal: MockRecord[] = [];
  readonly manifest: MockRecord[] = [];
  readonly script: MockRecord[] = [];

  constructor(id: string) {
    this.id = id;
  }

  started(child: string): this {
    this.journal.push(journalRecord(this.id, child, 'started'));
    return this;
  }

  returned(child: string): this {
    this.journal.push(journalRecord(this.id, child, 'result'));
    return this;
  }

  manifestOf(name: string, agents = 1): this {
    this.manifest.push(manifestRecord(this.id, name, agents));
    return this;
  }

  scriptOf(program: string): this {
    this.script.push(scriptRecord(program));
    return this;
  }
}

function grown<T>(known: Map<string, T>, name: string, make: () => T): T {
  const found = known.get(name);
  if (found !== undefined) return found;
  const made = make();
  known.set(name, made);
  return made;
}
