/** A scenario file: its top level and its steps. What a call holds is `read-call.ts` (scenario spec 2). */
import { isPathSegment } from '../io/path-segment.js';
import { RESULT_KEYS, readCall, readToolResult } from './read-call.js';
import { FINAL, type Scenario, type Step, type StepKind } from './scenario.js';
import { type Mapping, readYaml, ScenarioError } from './yaml-file.js';

const TOP_KEYS = ['session', 'project', 'title', 'interval', 'entrypoint', 'expect', 'steps'] as const;

/** Parts of the language whose features are not built; named, so that nobody takes them for typos. */
const NOT_YET = ['provider_bodies', 'system_prompt', 'tools'] as const;

const KINDS = ['input', 'queued', 'inject', 'call', 'result', 'error', 'reset', 'replay', 'system'] as const;
const STEP_KEYS = [...KINDS, 'after', 'backdated', 'checkpoint', 'lost'] as const;

/** What the value of a kind is. */
const VALUE_OF: Readonly<Record<(typeof KINDS)[number], string>> = {
  input: 'a text',
  queued: 'a mapping',
  inject: 'a mapping',
  call: 'a mapping',
  result: 'a mapping',
  error: 'a text',
  reset: 'a mapping',
  replay: 'a whole number',
  system: 'a mapping',
};

type StepMapping = Mapping<(typeof STEP_KEYS)[number]>;

/** Reads the text of a scenario file. Throws `ScenarioError` with the file, the line and the rule. */
export function readScenario(path: string, text: string): Scenario {
  const file = readYaml(path, text, [...TOP_KEYS, ...NOT_YET]);
  file.refuseUnbuilt(NOT_YET);
  const checkpoints = new Set<string>();
  const steps = file.mappings('steps', STEP_KEYS).map((step) => readStep(step, { checkpoints }));
  if (steps.length === 0) throw new ScenarioError(`${path}: no steps`);
  const intervalMs = file.duration('interval') ?? 0;
  if (intervalMs < 0) file.refuse('interval must not be negative', 'interval');
  return {
    path,
    session: readFolderName(file, 'session'),
    sessionWhere: file.whereOf('session'),
    project: readFolderName(file, 'project'),
    title: file.text('title'),
    intervalMs,
    entrypoint: file.text('entrypoint') ?? 'cli',
    expectsNothing: file.word('expect', ['none']) !== undefined,
    steps,
  };
}

function readFolderName<K extends 'session' | 'project'>(file: Mapping<K>, key: K): string | undefined {
  const name = file.text(key);
  if (name !== undefined && !isPathSegment(name))
    file.refuse(`${key} ${JSON.stringify(name)} cannot name a directory`, key);
  return name;
}

/** What a line says whatever its step: a field of such a name would take its place in one of the formats. */
const RECORD_KEYS: readonly string[] = [
  ...['type', 'subtype', 'uuid', 'parentUuid', 'timestamp', 'promptId', 'sessionId', 'version', 'userType'],
  ...['entrypoint', 'cwd', 'gitBranch', 'isSidechain', 'agentId'],
];

/** `checkpoints`: those named so far, in the main stream; absent in a child. */
interface Surroundings {
  readonly checkpoints?: Set<string>;
}

function readStep(step: StepMapping, { checkpoints }: Surroundings): Step {
  const kinds = KINDS.filter((kind) => step.has(kind));
  const bare = KINDS.find((kind) => step.isBare(kind));
  if (kinds.length === 0 && bare !== undefined) step.refuse(`${bare} needs ${VALUE_OF[bare]}`, bare);
  if (kinds.length !== 1) step.refuse(`a step is exactly one of ${KINDS.join(', ')}`);
  const afterMs = step.duration('after') ?? 0;
  if (afterMs < 0) step.refuse('after must not be negative', 'after');
  const isMain = checkpoints !== undefined;
  const read = kindOf(step, kinds[0]!, isMain);
  const checkpoint = step.text('checkpoint');
  if (checkpoint !== undefined) noteCheckpoint(step, checkpoint, checkpoints);
  const lost = step.flag('lost') ?? false;
  if (lost && read.kind === 'replay')
    step.refuse(
      'a replay copies what the runtime holds in memory; mark the original step lost instead',
      'lost',
    );
  return { ...read, where: step.where, afterMs, backdatedMs: readBackdated(step, read), checkpoint, lost };
}

function noteCheckpoint(step: StepMapping, name: string, named: Set<string> | undefined): void {
  if (named === undefined) step.refuse('a checkpoint belongs to the main stream', 'checkpoint');
  if (name === FINAL)
    step.refuse(`${FINAL} means the end of the scenario; name the checkpoint otherwise`, 'checkpoint');
  if (named.has(name)) step.refuse(`checkpoint ${JSON.stringify(name)} is named twice`, 'checkpoint');
  named.add(name);
}

/** Only where a step is one record: whose time would the others' be? */
function readBackdated(step: StepMapping, { kind }: StepKind): number {
  const ms = step.duration('backdated') ?? 0;
  if (ms < 0) step.refuse('backdated must not be negative', 'backdated');
  if (ms > 0 && ['call', 'reset', 'replay'].includes(kind))
    step.refuse(`a ${kind} is several records; backdate a step that is one`, 'backdated');
  return ms;
}

function kindOf(step: StepMapping, kind: (typeof KINDS)[number], isMain: boolean): StepKind {
  switch (kind) {
    case 'input':
    case 'error':
      return { kind, text: step.needText(kind, `${kind} must not be empty`) };
    case 'queued': {
      const queued = step.mapping(kind, ['text', 'mode'])!;
      const mode = queued.text('mode') ?? '';
      if (mode !== 'prompt' && mode !== 'task-notification')
        queued.refuse('queued mode is prompt or task-notification');
      return { kind, mode, text: queued.needText('text', 'queued needs a text') };
    }
    case 'inject': {
      const later = ['system_prompt', 'tools'] as const;
      const inject = step.mapping(kind, ['type', 'text', ...later])!;
      inject.refuseUnbuilt(later);
      const type = inject.needText('type', 'inject needs a type');
      if (type === 'queued_command') inject.refuse('an injection of that type is a queued step', 'type');
      return { kind, type, text: inject.needText('text', 'inject needs a text') };
    }
    case 'call':
      return {
        kind,
        call: readCall(step, (child) => child.mappings('steps', STEP_KEYS).map((s) => readStep(s, {}))),
      };
    case 'result': {
      const result = step.mapping(kind, ['of', ...RESULT_KEYS])!;
      const of = result.needText('of', 'a result step names the tool it answers with of');
      return { kind, of, result: readToolResult(result) };
    }
    case 'reset': {
      if (!isMain) step.refuse('a reset belongs to the main stream', kind);
      const summary = step.mapping(kind, ['summary'])!.needText('summary', 'reset needs a summary');
      return { kind, summary };
    }
    case 'replay':
      if (!isMain) step.refuse('replay belongs to the main stream', kind);
      return { kind, records: step.count(kind, 1)! };
    case 'system': {
      const system = step.mapping(kind, ['subtype', 'fields'])!;
      const subtype = system.needText('subtype', 'system needs a subtype');
      if (subtype === 'compact_boundary')
        system.refuse('that record is what a reset writes; use reset', 'subtype');
      const fields = system.named('fields');
      for (const key of fields?.allKeys ?? [])
        if (RECORD_KEYS.includes(key))
          fields!.refuse(`${key} is what every record says of itself; name the field otherwise`, key);
      return { kind, subtype, fields: fields?.fields() ?? {} };
    }
    default:
      return kind satisfies never;
  }
}
