/**
 * The rules of assembly that are the opposite of the obvious choice, each with that choice as a change to the built
 * code and the scenario that notices. The text must be found exactly once: a rule that moved must be found again here.
 */
export interface Mutation {
  /** The rule, as the founding document has it. */
  readonly rule: string;
  /** What somebody would write who had not read it. */
  readonly obvious: string;
  /** Below `dist/src`. */
  readonly file: string;
  readonly find: string;
  readonly replace: string;
  /** The scenario of `test/scenarios` that fails then. */
  readonly scenario: string;
}

export const MUTATIONS: readonly Mutation[] = [
  {
    rule: 'a record type is not what a record is',
    obvious: 'a record of type user is something a person said',
    file: 'adapters/claude-code/flags.js',
    find: "const isPerson = type === 'user' && (originKind(record.origin) === 'human' || isSdkPrompt(record));",
    replace: "const isPerson = type === 'user';",
    scenario: 'tool-both-sides',
  },
  {
    rule: 'the first copy of a repeated record is kept',
    obvious: 'the last copy replaces the ones before it',
    file: 'stages/canonical-records.js',
    find: 'state[entry] = DUPLICATE;',
    replace: 'state[firstOfRecord[id]] = DUPLICATE; firstOfRecord[id] = entry; state[entry] = CANONICAL;',
    scenario: 'first-copy-kept',
  },
  {
    rule: 'a provider call is grouped by message id in line order',
    obvious: 'every record of the model is a call',
    file: 'stages/provider-calls.js',
    find: 'if (this.#first[call] < 0) {',
    replace: 'if (true) {',
    scenario: 'call-in-fragments',
  },
  {
    rule: 'a provider call is grouped by message id, never by request id',
    obvious: 'records of one request are one call',
    file: 'adapters/claude-code/dialect.js',
    find: "call: textAt(message, 'id'),",
    replace: "call: textAt(object, 'requestId'),",
    scenario: 'call-in-fragments',
  },
  {
    rule: 'output that names no call is grouped into none',
    obvious: 'a record without a call is a call of its own',
    file: 'adapters/claude-code/dialect.js',
    find: "call: textAt(message, 'id'),",
    replace: "call: textAt(message, 'id') || (object.type === 'assistant' ? textAt(object, 'uuid') : ''),",
    scenario: 'output-names-no-call',
  },
  {
    rule: 'usage is taken from the last fragment in line order',
    obvious: 'usage is taken from the first fragment that has a stop reason',
    file: 'stages/provider-calls.js',
    find: 'this.#model.ref(fragments.at(-1));',
    replace: 'this.#model.ref(fragments.find((entry) => (this.#model.index.flags[entry] & FINISHED) !== 0));',
    scenario: 'usage-from-last-fragment',
  },
  {
    rule: 'a talk starts on input from outside, or on a run with no stated trigger',
    obvious: 'every prompt cycle starts a talk',
    file: 'stages/talks.js',
    find: 'return (stated & STATED_EXTERNAL) !== 0 || stated === 0;',
    replace: 'return true;',
    scenario: 'talk-starts',
  },
  {
    rule: 'a talk starts on input from outside, or on a run with no stated trigger',
    obvious: 'only a stated trigger starts a talk',
    file: 'stages/talks.js',
    find: 'return (stated & STATED_EXTERNAL) !== 0 || stated === 0;',
    replace: 'return (stated & STATED_EXTERNAL) !== 0;',
    scenario: 'talk-starts',
  },
  {
    rule: 'a run is known by its stream and its id together',
    obvious: 'a run is known by its id',
    file: 'stages/talks.js',
    find: 'let place = partition.runs.get(run);',
    replace:
      'let place = partition.runs.get(run) ?? [...this.#partitions.values()].map(({ runs }) => runs.get(run)).find((at) => at !== undefined);',
    scenario: 'run-belongs-to-stream',
  },
  {
    rule: 'membership is resolved by walking backward through parents',
    obvious: 'a record belongs to the run of the record before it',
    file: 'stages/talks.js',
    find: 'const run = this.#walk.runOf(entry);',
    replace: 'const run = this.#model.index.run[entry] || partition.before || 0; partition.before = run;',
    scenario: 'membership-walked-backward',
  },
  {
    rule: 'a child stream is always exactly one talk',
    obvious: 'what starts a talk in the main stream starts one in a child',
    file: 'stages/talks.js',
    find: 'if (partition.talk < 0 || (main && startsTalk(this.#stated[run])))',
    replace: 'if (partition.talk < 0 || startsTalk(this.#stated[run]))',
    scenario: 'child-stream-is-one-talk',
  },
  {
    rule: 'a negative gap is no gap',
    obvious: 'a gap is how far apart two times are',
    file: 'stages/segments.js',
    find: 'const gapMs = from.ms - through.ms;',
    replace: 'const gapMs = Math.abs(from.ms - through.ms);',
    scenario: 'negative-gap',
  },
];
