/** Holds the block of a checkpoint against the fold (scenario spec 9). */
import { dataJson, type JsonValue } from '../../adapters/mock/data-json.js';
import { compareCodePoints } from '../../format/json-text.js';
import { formatTime, parseTime } from '../../format/time.js';
import type { ViewDocument } from '../../format/view-document.js';
import type { ParseReport } from '../../rounds/parse-session.js';
import { nearest } from '../yaml-file.js';
import { type Difference, difference, type EntityName } from './difference.js';
import { viewDifferences } from './evaluate-view.js';
import type { Block, Counts, Expectation, Moment, NodeBlock, UnresolvedWord } from './expectation.js';
import { attributeOf, type FoldView } from './fold-view.js';

/** What there is to be held against a block. */
export interface Seen {
  readonly view: FoldView;
  /** Of the last parse at this checkpoint. */
  readonly report: ParseReport;
  /** When the scenario began, in milliseconds since 1970. */
  readonly baseMs: number;
  /** Stream ids by what people call the streams. */
  readonly streams: ReadonlyMap<string, string>;
  /** Findings of verification; asked for only when the block does. */
  readonly problems: () => readonly string[];
  /** The document, with the words of these flags withheld; asked for only when the block does. */
  readonly document: (hide: readonly string[]) => ViewDocument;
}

/** Everything a block asserts that is not so, in the order of the block's keys. */
export function evaluate(block: Block, seen: Seen): Difference[] {
  return [
    ...roundDifferences(block, seen),
    ...countDifferences('kinds', block.kinds, seen.view.kinds(), (kind) =>
      nodesWhere(seen, (node) => node.kind === kind),
    ),
    ...talkDifferences(block.talksOn, seen),
    ...runDifferences(block.runsIn, seen),
    ...countDifferences('relations', block.relations, seen.view.relationTypes(), (type) =>
      relationsOf(seen, type),
    ),
    ...unresolvedDifferences(block, seen),
    ...[...block.nodes].flatMap(([id, node]) => nodeDifferences(named(id, seen), node, seen)),
    ...momentDifferences('from', 'from_time', block.from, seen),
    ...momentDifferences('to', 'through_time', block.through, seen),
    ...problemDifferences(block.problems, seen),
    ...viewDifferences(block.view, seen.document),
  ];
}

/** Whether a block asserts nothing. */
export function assertsNothing(block: Block): boolean {
  const values = [
    block.rounds,
    block.written,
    block.delta,
    block.open,
    block.resolved,
    block.from,
    block.through,
    block.problems,
    block.view,
  ];
  const lists = [
    block.kinds,
    block.talksOn,
    block.runsIn,
    block.relations,
    block.unresolvedKinds,
    block.nodes,
  ];
  return values.every((value) => value === undefined) && lists.every(({ size }) => size === 0);
}

/** Whether an expectation asserts anything at all: properties are held without one. */
export function expectsSomething({ checkpoints, pushKinds }: Expectation): boolean {
  return pushKinds.length > 0 || [...checkpoints.values()].some((block) => !assertsNothing(block));
}

/** What a fold holds, in one line, in the words an expectation would use. */
export function foldSummary({ view, streams }: Pick<Seen, 'view' | 'streams'>): string {
  const labels = new Map([...streams].map(([label, id]) => [id, label]));
  const talks = [...view.talks()].map(([stream, n]) => [labels.get(stream) ?? stream, n] as const);
  const kinds = [...new Set([...view.unresolved.values()].map(({ kind }) => kind))];
  return [
    `the fold holds round ${view.fold.round}`,
    `kinds ${listed(view.kinds())}`,
    `relations ${listed(view.relationTypes())}`,
    `talks_on ${listed(talks)}`,
    `unresolved_kinds ${listed(kinds.map((kind) => [kind, unresolvedWord(view, kind)] as const))}`,
  ].join('; ');
}

function listed(entries: Iterable<readonly [name: string, value: number | string]>): string {
  const sorted = [...entries].sort(([a], [b]) => compareCodePoints(a, b));
  return `{${sorted.map(([name, value]) => `${name}: ${value}`).join(', ')}}`;
}

/** Open when any entry of the kind is. */
function unresolvedWord(view: FoldView, kind: string): UnresolvedWord {
  const states = [...view.unresolved.values()]
    .filter((entry) => entry.kind === kind)
    .map(({ state }) => state);
  if (states.length === 0) return 'none';
  return states.every((state) => state === 'resolved') ? 'resolved' : 'open';
}

function roundDifferences({ rounds, written, delta }: Block, { view, report }: Seen): Difference[] {
  const found: Difference[] = [];
  const head = view.fold.round;
  if (rounds !== undefined && head !== rounds)
    found.push(difference(`rounds: head is ${head}, want ${rounds}`, rounds, head));
  const wrote = report.round > 0;
  if (written !== undefined && wrote !== written)
    found.push(difference(`written: the parse wrote a round: ${wrote}, want ${written}`, written, wrote));
  if (delta === undefined) return found;
  const { nodes } = report.frames;
  const isDelta = wrote && nodes < view.nodes.size && report.fromSeq > 1;
  if (isDelta === delta) return found;
  const words = isDelta
    ? `delta: round ${report.round} is a delta, want none`
    : wrote
      ? `delta: round ${report.round} wrote ${nodes} nodes against a fold of ${view.nodes.size}, starting at seq ${report.fromSeq}; it is not a delta`
      : 'delta: no round was written';
  return [...found, difference(words, delta, isDelta)];
}

function countDifferences(
  key: string,
  wanted: Counts,
  got: Counts,
  about: (name: string) => readonly EntityName[],
): Difference[] {
  return [...wanted].flatMap(([name, want]) => {
    const have = got.get(name) ?? 0;
    return have === want
      ? []
      : [difference(`${key}: ${name} is ${have}, want ${want}`, want, have, about(name))];
  });
}

function talkDifferences(wanted: Counts, seen: Seen): Difference[] {
  const talks = seen.view.talks();
  return [...wanted].flatMap(([name, want]) => {
    const stream = named(name, seen);
    const have = talks.get(stream) ?? 0;
    if (have === want) return [];
    const about = nodesWhere(seen, (node) => node.kind === 'talk' && node.stream === stream);
    return [difference(`talks_on: ${name} has ${have} talks, want ${want}`, want, have, about)];
  });
}

function runDifferences(wanted: Counts, seen: Seen): Difference[] {
  return [...wanted].flatMap(([name, want]) => {
    const talk = named(name, seen);
    const runs = nodesWhere(seen, (node) => node.kind === 'run' && node.parent === talk);
    if (runs.length === want) return [];
    const about = seen.view.nodes.has(talk) ? [{ group: 'node', id: talk } as const, ...runs] : runs;
    return [difference(`runs_in: ${name} has ${runs.length} runs, want ${want}`, want, runs.length, about)];
  });
}

function unresolvedDifferences({ open, resolved, unresolvedKinds }: Block, { view }: Seen): Difference[] {
  const entries = [...view.unresolved.values()];
  const entryNames = (wanted: typeof entries) =>
    wanted.map(({ id }) => ({ group: 'unresolved', id }) as const);
  const [closed, left] = [
    entries.filter(({ state }) => state === 'resolved'),
    entries.filter(({ state }) => state !== 'resolved'),
  ];
  const found: Difference[] = [];
  if (open !== undefined && left.length !== open)
    found.push(
      difference(`unresolved: ${left.length} open, want ${open}`, open, left.length, entryNames(left)),
    );
  if (resolved !== undefined && closed.length !== resolved)
    found.push(
      difference(
        `unresolved: ${closed.length} resolved, want ${resolved}`,
        resolved,
        closed.length,
        entryNames(closed),
      ),
    );
  for (const [kind, want] of unresolvedKinds) {
    const have = unresolvedWord(view, kind);
    const of = entries.filter((entry) => entry.kind === kind);
    if (have !== want)
      found.push(
        difference(`unresolved_kinds: ${kind} is ${have}, want ${want}`, want, have, entryNames(of)),
      );
  }
  return found;
}

function nodeDifferences(id: string, want: NodeBlock, seen: Seen): Difference[] {
  const { nodes } = seen.view;
  const node = nodes.get(id);
  const about = node === undefined ? [] : [{ group: 'node', id } as const];
  if (want.absent)
    return node === undefined
      ? []
      : [difference(`nodes: ${id} is present, want absent`, 'absent', 'present', about)];
  if (node === undefined) {
    const near = nearest(id, [...nodes.keys()]);
    return [
      difference(`nodes: ${id} is missing; the nearest is ${near}`, id, 'no such node', [
        { group: 'node', id: near },
      ]),
    ];
  }
  const found: Difference[] = [];
  const { kind, parent = '', stream = '', refs = [], revision } = node;
  const say = (words: string, wanted: unknown, got: unknown) =>
    found.push(difference(`nodes: ${id} ${words}`, wanted, got, about));
  if (want.kind !== undefined && kind !== want.kind) say(`is a ${kind}, want ${want.kind}`, want.kind, kind);
  const wantParent = want.parent && named(want.parent, seen);
  if (wantParent && parent !== wantParent) say(`is in ${parent}, want ${wantParent}`, wantParent, parent);
  const wantStream = want.stream && named(want.stream, seen);
  if (wantStream && stream !== wantStream)
    say(`is on stream ${stream}, want ${wantStream}`, wantStream, stream);
  if (want.refs !== undefined && refs.length !== want.refs)
    say(`references ${refs.length} records, want ${want.refs}`, want.refs, refs.length);
  if (want.revision !== undefined && revision !== want.revision)
    say(`is at revision ${revision}, want ${want.revision}`, want.revision, revision);
  for (const [name, value] of Object.entries(want.attrs)) {
    const [wanted, got] = [printed(value), printed((attributeOf(node, name) ?? null) as JsonValue)];
    if (wanted !== got) say(`attrs.${name} is ${got}, want ${wanted}`, wanted, got);
  }
  return found;
}

/** Values are compared as they print, so that a number equals the same text. */
function printed(value: JsonValue): string {
  return typeof value === 'string' ? value : dataJson(value);
}

function momentDifferences(
  key: string,
  attribute: string,
  want: Moment | undefined,
  { view, baseMs }: Seen,
): Difference[] {
  if (want === undefined) return [];
  const { session } = view;
  const got = String(attributeOf(session, attribute) ?? '');
  const { ms, ns } = parseTime(got);
  const exact = Math.round(want.ms * 1e6) / 1e6 + baseMs;
  if (got !== '' && ms + ns / 1e6 === exact) return [];
  const wanted = formatTime({ ms: Math.floor(exact), ns: Math.round((exact % 1) * 1e6) });
  const about = session === undefined ? [] : [{ group: 'node', id: session.id } as const];
  return [difference(`session.${key} is ${got}, want ${wanted} (${want.text})`, wanted, got, about)];
}

function problemDifferences(want: number | undefined, { problems }: Seen): Difference[] {
  if (want === undefined) return [];
  const got = problems();
  if (got.length === want) return [];
  return [difference(`verify: ${got.length} problem(s) (${got.join('; ')}), want ${want}`, want, got.length)];
}

/** An id or a stream as the fold has it: each part between slashes that people call a stream is that stream's id. */
function named(word: string, { streams }: Seen): string {
  return word
    .split('/')
    .map((part) => streams.get(part) ?? part)
    .join('/');
}

function nodesWhere(
  { view }: Seen,
  isWanted: (node: { kind: string; parent?: string | undefined; stream?: string | undefined }) => boolean,
): EntityName[] {
  return [...view.nodes.values()].filter(isWanted).map(({ id }) => ({ group: 'node', id }));
}

function relationsOf({ view }: Seen, wanted: string): EntityName[] {
  return [...view.relations.values()]
    .filter(({ type }) => type === wanted)
    .map(({ id }) => ({ group: 'relation', id }));
}
