/**
 * Random scenarios that are valid by construction, as fast-check arbitraries, so that a failing one shrinks. What a
 * step refers to (a tool's id, how far a replay reaches) is drawn as a number and resolved when the whole is known.
 *
 * Left out is what the two formats are known to write differently (docs/scenarios.md, "Where the formats differ"): a
 * replay that reaches a launch, and a lost launch of a child whose sidecar alone would name the call, also one that was
 * lost with the stream it stands in.
 */
import fc from 'fast-check';
import { stringify } from 'yaml';

/** A scenario as YAML would give it. */
export interface RandomScenario {
  readonly scenario: string;
  /** Only budgets: what must hold of any scenario is asked of it. */
  readonly expectation: string;
}

type Json = { [key: string]: unknown };

const words = fc.constantFrom(
  ...[
    'go',
    'it is done',
    'a < b && c > d',
    '"quoted" \\ back',
    'sep \u2028 \u2029',
    '\u{1f326} über',
    'two\nlines\t.',
  ],
  ...['1.50', 'null', '- dash', '# hash', ' padded '],
);
const durations = fc.constantFrom('1ms', '100ms', '1.5s', '9m59s', '10m', '11m', '1h');
const maybe = <T>(arbitrary: fc.Arbitrary<T>, freq = 3) => fc.option(arbitrary, { nil: undefined, freq });

const toolResult = fc.oneof(
  words,
  fc.record({
    ...{ text: fc.oneof(words, fc.constant('')), after: maybe(durations) },
    ...{ failed: maybe(fc.constant(true)), string: maybe(fc.constant(true)), lost: maybe(fc.constant(true)) },
  }),
);
const edits = fc.constant<Json[]>([{ path: 'a.txt', before: 'one\ntwo\n', after: 'one\n2\n' }]);
const seenChanges = fc.constant<Json[]>([
  { path: 'new.txt', after: 'new' },
  { path: 'old.txt', before: 'old\n' },
]);
const input = maybe(fc.constantFrom<Json>({}, { command: 'x < y', n: 1, deep: { list: [null, true, 2.5] } }));
/** Changes are known when a result is, and an edit makes one. */
const tool = fc.oneof(
  fc.record({ name: fc.constantFrom('Bash', 'Read', 'mcp__a__b', 'mcp__a__b__c'), input }),
  fc.record({
    name: fc.constantFrom('Bash', 'mcp__a__b'),
    input,
    result: toolResult,
    changes: maybe(seenChanges, 1),
  }),
  fc.record({ name: fc.constant('Edit'), input, result: toolResult, changes: maybe(edits, 1) }),
);

const place = { after: maybe(durations), lost: maybe(fc.constant(true), 8) };
const single = { ...place, backdated: maybe(fc.constantFrom('1s', '15m'), 8) };

/** Steps that stand in any stream. `of` is a number here. */
const simpleStep = fc.oneof(
  fc.record({ input: words, ...single }),
  fc.record({
    queued: fc.record({ text: words, mode: fc.constantFrom('prompt', 'task-notification') }),
    ...single,
  }),
  fc.record({
    inject: fc.record({ type: fc.constantFrom('skill_listing', 'todo'), text: words }),
    ...single,
  }),
  fc.record({ error: words, ...single }),
  fc.record({
    result: fc.record({ of: fc.nat(9), text: words, failed: maybe(fc.constant(true)) }),
    ...single,
  }),
  fc.record({
    system: fc.record({
      subtype: fc.constantFrom('api_error', 'turn_duration', 'local_command', 'new_one'),
      fields: fc.constantFrom<Json>({}, { n: 1 }),
    }),
    ...single,
  }),
);

const spoken = {
  thinking: maybe(fc.constantFrom('unavailable', 'let me see')),
  text: words,
  usage: maybe(fc.constantFrom<Json>({ in: 1, out: 7 })),
  finished: maybe(fc.constantFrom('last', 'every', 'none')),
  unnamed: maybe(fc.constant(true), 8),
};

const { step } = fc.letrec<{ step: Json }>((tie) => {
  const steps = fc.array(tie('step'), { maxLength: 3, depthIdentifier: 'child' });
  const child = { steps, lost: maybe(fc.constant(true), 6), run: maybe(fc.constant('parent'), 6) };
  const agent = fc.record({
    prompt: maybe(words, 8),
    after: maybe(durations),
    notify: fc.boolean(),
    ...child,
  });
  const skill = fc.record({ name: words, ...child });
  const workflow = fc.record({
    children: fc.array(fc.record({ prompt: maybe(words), ...child }), { minLength: 1, maxLength: 3 }),
  });
  const delegation = fc.oneof(fc.record({ agent }), fc.record({ skill }), fc.record({ workflow }));
  return {
    step: fc.oneof(
      { depthSize: 'small', depthIdentifier: 'child' },
      simpleStep,
      fc.record({ call: fc.record(spoken), ...place }),
      fc.record({ call: fc.record({ ...spoken, tool }), ...place }),
      fc
        .tuple(fc.record(spoken), delegation, maybe(durations))
        .map(([call, request, after]) => ({ call: { ...call, ...request }, after })),
    ) as fc.Arbitrary<Json>,
  };
});

const mainStep = fc.oneof(
  { weight: 12, arbitrary: step },
  { weight: 1, arbitrary: fc.record({ reset: fc.record({ summary: words }), ...place }) },
  { weight: 1, arbitrary: fc.record({ replay: fc.integer({ min: 1, max: 6 }) }) },
) as fc.Arbitrary<Json>;

export const randomScenario: fc.Arbitrary<RandomScenario> = fc
  .record({
    title: maybe(words),
    interval: maybe(durations),
    entrypoint: maybe(fc.constant('sdk-cli'), 8),
    steps: fc.array(fc.tuple(mainStep, maybe(fc.constant(true), 6)), { minLength: 1, maxLength: 8 }),
    maxRoundBytes: maybe(fc.constantFrom(1, 2000)),
    maxDeltaBytes: maybe(fc.constantFrom(1, 900)),
  })
  .map(({ steps, maxRoundBytes, maxDeltaBytes, ...top }) => ({
    scenario: stringify(plain({ expect: 'none', ...top, steps: new Resolver().main(steps) })),
    expectation: stringify(
      plain({
        parse: maxRoundBytes && { max_round_bytes: maxRoundBytes },
        collect: maxDeltaBytes && { max_delta_bytes: maxDeltaBytes },
      }),
    ),
  }));

/** Gives children their names, results the tool they answer, and replays a reach that both formats write alike. */
class Resolver {
  #children = 0;
  #workflows = 0;
  /** Records of the main stream since the last launch. */
  #sinceLaunch = 0;

  main(steps: readonly (readonly [Json, true | undefined])[]): Json[] {
    return steps.map(([step, marked], i) => {
      const resolved = step.replay === undefined ? this.#step(step) : this.#replay(step.replay as number);
      this.#count(resolved);
      return marked ? { ...resolved, checkpoint: `c${i + 1}` } : resolved;
    });
  }

  #step(step: Json): Json {
    const result = step.result as Json | undefined;
    // A tool of the main stream, asked for already, later or never.
    if (result !== undefined) return { ...step, result: { ...result, of: `s${result.of}-tool` } };
    const call = step.call as Json | undefined;
    if (call === undefined) return step;
    const [agent, skill, workflow] = [call.agent, call.skill, call.workflow] as (Json | undefined)[];
    if (agent !== undefined)
      return { ...step, call: { ...call, agent: this.#child({ name: this.#name(), ...agent }) } };
    if (skill !== undefined)
      return { ...step, call: { ...call, skill: this.#child({ ...skill, agent: this.#name() }) } };
    if (workflow === undefined) return step;
    const children = (workflow.children as Json[]).map((child) =>
      this.#child({ name: this.#name(), ...child }),
    );
    return { ...step, call: { ...call, workflow: { name: `batch ${++this.#workflows}`, children } } };
  }

  #child(child: Json): Json {
    const steps = (child.steps as Json[]).filter((step) => child.lost !== true || !startsChild(step));
    return { ...child, steps: steps.map((step) => this.#step(step)) };
  }

  #replay(reach: number): Json {
    const records = Math.min(reach, this.#sinceLaunch);
    return records === 0 ? { input: 'again' } : { replay: records };
  }

  #count(step: Json): void {
    const call = step.call as Json | undefined;
    if (call === undefined) this.#sinceLaunch += step.replay === undefined ? 1 : (step.replay as number);
    else if (call.agent !== undefined) this.#sinceLaunch = (call.agent as Json).notify === true ? 1 : 0;
    else if (call.skill !== undefined || call.workflow !== undefined) this.#sinceLaunch = 0;
    else this.#sinceLaunch += 1;
  }

  #name(): string {
    return `child-${++this.#children}`;
  }
}

function startsChild({ call = {} }: Json): boolean {
  return ['agent', 'skill', 'workflow'].some((request) => request in (call as Json));
}

/** Without what was drawn as absent. */
function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, member]) => (member === undefined ? [] : [[key, plain(member)]])),
  );
}
