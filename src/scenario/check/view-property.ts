/** The document of a conversation has everything, and needs no index (scenario spec 10.2, view spec 13). */
import { createHash } from 'node:crypto';
import { readFileSync, renameSync } from 'node:fs';
import { parseTime } from '../../format/time.js';
import type { EvidenceFile, Round, ViewDocument } from '../../format/view-document.js';
import { indexFolder, listLandedFiles, sessionFolder } from '../../io/storage-root.js';
import { type Finding, GAPS } from '../../rounds/finding.js';
import { checkChain, type RoundRead, readRounds } from '../../rounds/verify-chain.js';
import { NO_STEPS } from './chain-properties.js';
import type { CheckedRoot } from './checked-root.js';
import { countLines } from './compare.js';
import { documentText, nodesOf, readDocument } from './document.js';
import { attributeOf, countBy, type FoldView } from './fold-view.js';

/** Holds the document as it is written. */
export async function viewCoversTheSession(root: CheckedRoot): Promise<string[]> {
  return coverage(root, documentText);
}

/**
 * Every round, landed file, talk, run and step is in the document once, the summary counts them and says of the chain
 * what verification says, and without the index the document is the same bytes. In a difference, what the root holds
 * stands before what the document has.
 */
export function coverage(root: CheckedRoot, build: (root: string, conversation: string) => string): string[] {
  const view = root.fold();
  // Every record was lost: nothing landed, so there is nothing to show.
  if (view.fold.round === 0) return [];
  const text = build(root.root, root.session);
  const document = readDocument(text);
  const landed = landedDigests(root);
  const rounds = readRounds(root.root, root.session);
  const { problems } = checkChain(root.session, rounds, () => landed);
  return [
    ...listLines('rounds', roundsHeld(rounds, problems), document.rounds.map(roundWords)),
    ...listLines('files', filesHeld(rounds, landed), document.files.map(fileWords)),
    ...entityLines(view, document),
    ...valueLines('head', headOf(view), document.head),
    ...valueLines('summary', summaryOf(view, rounds, problems), document.summary),
    ...changeLines(document),
    ...(withoutIndex(root, () => build(root.root, root.session)) === text
      ? []
      : ['built once more, without the index, the document is other bytes']),
  ];
}

function landedDigests({ root, session }: CheckedRoot): Map<number, string> {
  const files = listLandedFiles(sessionFolder(root, session));
  return new Map(files.map(({ seq, path }) => [seq, digestOf(path)]));
}

function digestOf(path: string): string {
  return createHash('sha256').update(readFileSync(path)).digest('hex');
}

/** Works while the index is elsewhere. */
function withoutIndex<T>(root: CheckedRoot, work: () => T): T {
  const [folder, elsewhere] = [indexFolder(root.root, root.session), root.beside('index').root];
  renameSync(folder, elsewhere);
  try {
    return work();
  } finally {
    renameSync(elsewhere, folder);
  }
}

function roundsHeld(rounds: readonly RoundRead[], problems: readonly Finding[]): string[] {
  return rounds.flatMap(({ file, read }) => {
    if ('broken' in read) return [];
    const verified = !problems.some((problem) => problem.file.endsWith(`/${file.name}`));
    return [roundWords({ round: read.header.round, digest: read.digest, verified })];
  });
}

function roundWords({ round, digest, verified }: Pick<Round, 'round' | 'digest' | 'verified'>): string {
  return `${round} ${digest}${verified ? '' : ' not'} verified`;
}

/** Landed files and the rounds that read, and no other. */
function filesHeld(rounds: readonly RoundRead[], landed: ReadonlyMap<number, string>): string[] {
  const read = rounds.filter(({ read }) => !('broken' in read));
  return [
    ...[...landed].map(([seq, digest]) => fileWords({ format: 'sd', seq, round: null, digest })),
    ...read.map(({ file: { round, path } }) =>
      fileWords({ format: 'sf', seq: null, round, digest: digestOf(path) }),
    ),
  ];
}

function fileWords({
  format,
  seq,
  round,
  digest,
}: Pick<EvidenceFile, 'format' | 'seq' | 'round' | 'digest'>): string {
  return `${format} ${seq ?? round} ${digest}`;
}

/** Talks, runs and steps are in a tree, with their kind, stream and container; the rest has a list each. */
function entityLines(view: FoldView, document: ViewDocument): string[] {
  const { nodes, relations, unresolved } = view;
  const all = [...nodes.values()];
  const ofKind = (wanted: string) => all.filter(({ kind }) => kind === wanted).map(({ id }) => id);
  const inTrees = all.filter(({ kind }) => !OUTSIDE_TREES.includes(kind));
  const talks = all.filter(({ kind }) => kind === 'talk');
  const idsOf = (entries: readonly { readonly id: string }[]) => entries.map(({ id }) => id);
  return [
    ...listLines('talks', idsOf(talks), idsOf(document.talks)),
    ...listLines('nodes', inTrees.map(nodeWords), [...nodesOf(document)].map(nodeWords)),
    ...listLines('streams', ofKind('stream'), idsOf(document.streams)),
    ...listLines('segments', ofKind('segment'), idsOf(document.segments)),
    ...listLines('relations', [...relations.keys()], idsOf(document.relations)),
    ...listLines(
      'unresolved',
      [...unresolved.values()].map(({ id, state }) => `${id} ${state}`),
      document.unresolved.map(({ id, state }) => `${id} ${state}`),
    ),
  ];
}

const OUTSIDE_TREES = NO_STEPS.filter((kind) => kind !== 'talk' && kind !== 'run');

interface Placed {
  readonly id: string;
  readonly kind: string;
  readonly parent?: string | undefined;
  readonly stream?: string | undefined;
}

function nodeWords({ id, kind, parent = '', stream = '' }: Placed): string {
  return `${id}, a ${kind} in ${parent} on ${stream}`;
}

function headOf({ fold }: FoldView): ViewDocument['head'] {
  return { round: fold.round, digest: fold.digest };
}

/** What a summary must say; what else it says is not looked at. */
function summaryOf(
  view: FoldView,
  rounds: readonly RoundRead[],
  problems: readonly Finding[],
): Partial<ViewDocument['summary']> {
  const { session, unresolved } = view;
  const kinds = view.kinds();
  const msOf = (name: string) => parseTime(String(attributeOf(session, name) ?? '')).ms;
  const steps = [...kinds].filter(([kind]) => !NO_STEPS.includes(kind)).reduce((sum, [, n]) => sum + n, 0);
  return {
    title: String(attributeOf(session, 'title') ?? ''),
    state: stateOf(problems),
    problems: problems.map(({ words }) => words),
    talks: kinds.get('talk') ?? 0,
    steps,
    streams: kinds.get('stream') ?? 0,
    segments: kinds.get('segment') ?? 0,
    rounds: rounds.filter(({ read }) => !('broken' in read)).length,
    unresolved: [...unresolved.values()].filter(({ state }) => state === 'open').length,
    from: msOf('from_time'),
    to: msOf('through_time'),
  };
}

function stateOf(problems: readonly Finding[]): ViewDocument['summary']['state'] {
  if (problems.length === 0) return 'verified';
  return problems.every(({ id }) => GAPS.has(id)) ? 'incomplete' : 'mismatch';
}

/** A change record names the call it belongs to, that call names it, and nothing else does. */
function changeLines(document: ViewDocument): string[] {
  const { summary, workspace_changes } = document;
  const joined = workspace_changes
    .filter(({ step }) => step !== '')
    .map(({ step, id }) => `${id} at ${step}`);
  const named = [...nodesOf(document)].flatMap(({ id: step, kind, changes = [] }) =>
    changes.map((id) => `${id} at ${step}${CALLS.includes(kind) ? '' : ', which is no call'}`),
  );
  return [
    ...listLines('changes', joined, named),
    ...valueLines('summary', { changes: workspace_changes.length }, summary),
  ];
}

const CALLS = ['tool', 'agent.call'];

function listLines(what: string, held: readonly string[], shown: readonly string[]): string[] {
  return countLines(what, countBy(held, String), countBy(shown, String));
}

function valueLines<T extends object>(what: string, held: Partial<T>, shown: T): string[] {
  return (Object.keys(held) as (keyof T & string)[]).flatMap((key) => {
    const [left, right] = [JSON.stringify(held[key]), JSON.stringify(shown[key])];
    return left === right ? [] : [`${what}.${key}: ${left} against ${right}`];
  });
}
