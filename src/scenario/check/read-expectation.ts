/** An expectation file, every key and every name of it known (scenario spec 9). */
import { parseDuration } from '../../config/duration.js';
import { FLAGS } from '../../format/index-entry.js';
import { WITHHOLDABLE } from '../../view/withheld.js';
import { checkpointsOf, FINAL, type Scenario } from '../scenario.js';
import { type Mapping, readYaml } from '../yaml-file.js';
import {
  ALWAYS_HELD,
  type Block,
  CAPTURERS,
  type Counts,
  type Expectation,
  type Lose,
  type Moment,
  NODE_KINDS,
  type NodeBlock,
  RELATION_TYPES,
  UNRESOLVED_KINDS,
  UNRESOLVED_WORDS,
  VIEW_STATES,
  type ViewBlock,
} from './expectation.js';

const TOP_KEYS = ['checkpoints', 'properties', 'parse', 'collect', 'push'] as const;
export const BLOCK_KEYS = [
  ...['rounds', 'written', 'delta', 'kinds', 'talks_on', 'runs_in', 'relations', 'unresolved'],
  ...['unresolved_kinds', 'nodes', 'session', 'view', 'lose', 'verify'],
] as const;
export const NODE_KEYS = ['absent', 'kind', 'parent', 'stream', 'refs', 'revision', 'attrs'] as const;
export const VIEW_KEYS = [
  ...['state', 'talks', 'steps', 'rounds', 'files', 'first_talk', 'problems', 'changes', 'changed_files'],
  ...['changes_joined', 'captured_by', 'flags', 'hide', 'withheld'],
] as const;

/** Parts of the document that come with features not built; named, so that nobody takes them for typos. */
export const VIEW_NOT_YET = [
  ...(['executions', 'executions_joined', 'outcomes', 'provider_bodies', 'captured_prompts'] as const),
  'provider_files',
] as const;

/** Kinds of file there are, as the names of landed files begin. */
export const FILE_PREFIXES = ['transcript', 'changes', 'meta', 'journal', 'manifest', 'script'] as const;

/**
 * Reads the text of an expectation. Throws `ScenarioError` with the file, the line and the rule: an unknown key, and
 * an unknown checkpoint, node kind, relation type, unresolved kind or property, each with the nearest known one.
 */
export function readExpectation(
  path: string,
  text: string,
  scenario: Scenario,
  properties: readonly string[],
): Expectation {
  const file = readYaml(path, text, TOP_KEYS);
  const names = [...checkpointsOf(scenario), FINAL];
  const checkpoints = file.named('checkpoints', { what: 'checkpoint', names });
  const switches = file.named('properties', { what: 'property', names: properties });
  return {
    path,
    checkpoints: new Map(
      checkpoints?.keys.map((name) => [name, readBlock(checkpoints.mapping(name, BLOCK_KEYS)!)]),
    ),
    properties: new Map(switches?.keys.map((name) => [name, readSwitch(switches, name)])),
    maxRoundBytes: file.mapping('parse', ['max_round_bytes'])?.count('max_round_bytes') || undefined,
    maxDeltaBytes: file.mapping('collect', ['max_delta_bytes'])?.count('max_delta_bytes') || undefined,
    pushKinds: file.mapping('push', ['kinds'])?.texts('kinds') ?? [],
  };
}

function readSwitch(switches: Mapping, name: string): boolean {
  const on = switches.flag(name)!;
  if (!on && ALWAYS_HELD.includes(name)) switches.refuse(`${name} cannot be set off`, name);
  return on;
}

/** A block that asserts nothing. */
export const NO_BLOCK: Block = readBlock(readYaml('', '{}', BLOCK_KEYS));

function readBlock(block: Mapping): Block {
  const unresolved = block.mapping('unresolved', ['open', 'resolved']);
  const kinds = block.named('unresolved_kinds', {
    what: 'kind of unresolved entry',
    names: UNRESOLVED_KINDS,
  });
  const nodes = block.named('nodes');
  const session = block.mapping('session', ['from', 'to']);
  const view = block.mapping('view', [...VIEW_KEYS, ...VIEW_NOT_YET]);
  view?.refuseUnbuilt(VIEW_NOT_YET);
  return {
    rounds: block.count('rounds'),
    written: block.flag('written'),
    delta: block.flag('delta'),
    kinds: counts(block.named('kinds', { what: 'kind of node', names: NODE_KINDS })),
    talksOn: counts(block.named('talks_on')),
    runsIn: counts(block.named('runs_in')),
    relations: counts(block.named('relations', { what: 'type of relation', names: RELATION_TYPES })),
    open: unresolved?.count('open'),
    resolved: unresolved?.count('resolved'),
    unresolvedKinds: new Map(kinds?.keys.map((kind) => [kind, kinds.word(kind, UNRESOLVED_WORDS)!])),
    nodes: new Map(nodes?.keys.map((id) => [id, readNode(nodes.mapping(id, NODE_KEYS)!)])),
    from: session && readMoment(session, 'from'),
    through: session && readMoment(session, 'to'),
    problems: block.mapping('verify', ['problems'])?.count('problems'),
    view: view && readView(view),
    lose: block.mappings('lose', ['stream', 'run', 'kind', 'nth']).map(readLose),
  };
}

/** `undefined` when it asserts nothing. */
function readView(view: Mapping<(typeof VIEW_KEYS)[number]>): ViewBlock | undefined {
  const talk = view.mapping('first_talk', ['label', 'reply', 'runs']);
  const read: ViewBlock = {
    state: view.word('state', VIEW_STATES),
    talks: view.count('talks'),
    steps: view.count('steps'),
    rounds: view.count('rounds'),
    files: view.count('files'),
    problems: view.count('problems'),
    firstTalk: { label: talk?.text('label'), reply: talk?.text('reply'), runs: talk?.count('runs') },
    changes: view.count('changes'),
    changedFiles: view.count('changed_files'),
    changesJoined: view.count('changes_joined'),
    capturedBy: counts(view.named('captured_by', { what: 'capturer', names: CAPTURERS })),
    flags: counts(view.named('flags', { what: 'flag', names: FLAGS })),
    hide: view.words('hide', WITHHOLDABLE),
    withheld: view.has('withheld')
      ? counts(view.named('withheld', { what: 'flag', names: WITHHOLDABLE }))
      : undefined,
  };
  return saysNothing(read) ? undefined : read;
}

function saysNothing({ firstTalk, capturedBy, flags, hide, ...values }: ViewBlock): boolean {
  return (
    [...Object.values(values), ...Object.values(firstTalk)].every((value) => value === undefined) &&
    capturedBy.size + flags.size + hide.length === 0
  );
}

function counts(names: Mapping | undefined): Counts {
  return new Map(names?.keys.map((name) => [name, names.count(name)!]));
}

function readNode(node: Mapping<(typeof NODE_KEYS)[number]>): NodeBlock {
  const kind = node.text('kind');
  if (kind !== undefined) node.word('kind', NODE_KINDS);
  const absent = node.flag('absent') ?? false;
  const others = node.keys.filter((key) => key !== 'absent');
  if (absent && others.length > 0) node.refuse(`an absent node has no ${others[0]}`, 'absent');
  return {
    absent,
    kind,
    parent: node.text('parent'),
    stream: node.text('stream'),
    refs: node.count('refs'),
    revision: node.count('revision'),
    attrs: node.named('attrs')?.fields() ?? {},
  };
}

function readMoment(session: Mapping<'from' | 'to'>, key: 'from' | 'to'): Moment | undefined {
  const text = session.text(key);
  if (text === undefined) return undefined;
  const ms = /^[+-]/.test(text) ? parseDuration(text) : undefined;
  if (ms === undefined)
    session.refuse(`${key} ${JSON.stringify(text)} is not a distance such as +11.1s`, key);
  return { ms, text };
}

function readLose(lose: Mapping<'stream' | 'run' | 'kind' | 'nth'>): Lose {
  const [stream, run] = [lose.text('stream') ?? '', lose.text('run') ?? ''];
  if ((stream === '') === (run === '')) lose.refuse('lose names a stream or a run');
  const [kind, nth] = [lose.word('kind', FILE_PREFIXES) ?? '', lose.count('nth', 1) ?? 1];
  return { where: lose.where, stream, run, kind, nth };
}
