/** What every chain and every landed file must have, whatever the format (scenario spec 10). */
import { rmSync, statSync } from 'node:fs';
import { ChainError } from '../../format/errors.js';
import { readRound } from '../../format/round-reader.js';
import { listRounds } from '../../io/chain-directory.js';
import { openIndex } from '../../io/index-store.js';
import { readLandedFile } from '../../io/landed-file.js';
import {
  conversationStateFile,
  indexFolder,
  listLandedFiles,
  roundsFolder,
  sessionFolder,
  sessionStateFile,
} from '../../io/storage-root.js';
import { Fold } from '../../rounds/fold.js';
import { nextRound } from '../../rounds/next-round.js';
import { foldChainStrictly } from '../../rounds/read-chain.js';
import { type CheckedRoot, inRoot } from './checked-root.js';
import { attributeOf, FoldView } from './fold-view.js';

/** One more parse writes no round. One that refuses, because landed files were taken away, writes none either. */
export async function unchangedWritesNothing(root: CheckedRoot): Promise<string[]> {
  const before = roundNames(root);
  try {
    await root.parse();
  } catch (cause) {
    if (!(cause instanceof ChainError)) throw cause;
  }
  const after = roundNames(root);
  return after.length === before.length
    ? []
    : [`one more parse wrote ${after.slice(before.length).join(', ')}`];
}

/** The head round's header says what the fold holds. */
export async function headerMatchesFold(root: CheckedRoot): Promise<string[]> {
  const view = root.fold();
  const { header } = view.fold;
  // Every record was lost: nothing landed, so there is nothing to say.
  if (header === undefined) return [];
  const kinds = view.kinds();
  const steps = [...kinds].filter(([kind]) => !NO_STEPS.includes(kind)).reduce((sum, [, n]) => sum + n, 0);
  const held = {
    title: attributeOf(view.session, 'title'),
    session_from_time: attributeOf(view.session, 'from_time'),
    session_through_time: attributeOf(view.session, 'through_time'),
    talks: kinds.get('talk') ?? 0,
    streams: kinds.get('stream') ?? 0,
    segments: kinds.get('segment') ?? 0,
    unresolved: [...view.unresolved.values()].filter(({ state }) => state === 'open').length,
    steps,
  };
  return Object.entries(held).flatMap(([key, value]) => {
    const said = header[key as keyof typeof held];
    return said === value ? [] : [`the header says ${key} ${said}, the fold holds ${value}`];
  });
}

/** Kinds of node that are no step. */
export const NO_STEPS = ['conversation', 'segment', 'session', 'stream', 'epoch', 'talk', 'run'];

/** One full assembly up to what the fold covers has its nodes and relations. */
export async function foldEqualsParse(root: CheckedRoot): Promise<string[]> {
  const view = root.fold();
  if (view.fold.round === 0) return [];
  const { session, options } = root;
  const { index } = openIndex(root.root, session, options.at);
  const maxBytes = Number.POSITIVE_INFINITY;
  const { built } = await nextRound(new Fold(session), index, view.fold.throughSeq, { maxBytes });
  if (built === undefined) return ['one assembly of the whole session gives nothing'];
  const whole = new Fold(session);
  whole.apply(readRound(Buffer.concat([...built.bytes])));
  return entityDifferences(view, new FoldView(whole));
}

/** Nodes by kind, parent and attributes, relations by number. */
export function entityDifferences(view: FoldView, whole: FoldView): string[] {
  const found: string[] = [];
  if (view.nodes.size !== whole.nodes.size)
    found.push(`${view.nodes.size} nodes against ${whole.nodes.size}`);
  if (view.relations.size !== whole.relations.size)
    found.push(`${view.relations.size} relations against ${whole.relations.size}`);
  for (const [id, node] of view.nodes) {
    const other = whole.nodes.get(id);
    if (other === undefined) found.push(`${id} is in the fold alone`);
    else
      for (const key of ['kind', 'parent', 'attrs'] as const) {
        const [a, b] = [JSON.stringify(node[key]), JSON.stringify(other[key])];
        if (a !== b) found.push(`${id}: ${key} is ${a} against ${b}`);
      }
  }
  return found;
}

/** Every round verifies, follows the one before it, and cannot be written to. */
export async function immutableRounds({ root, session }: CheckedRoot): Promise<string[]> {
  foldChainStrictly(root, session);
  return listRounds(roundsFolder(root, session)).flatMap(({ path, name }) =>
    (statSync(path).mode & 0o222) === 0 ? [] : [`${name} can be written to`],
  );
}

const RECORD_KEYS = [
  ...[
    'ord',
    'off',
    'sha',
    'bytes',
    'id',
    'parent',
    'call',
    'run',
    'continues',
    'tool',
    'child',
    'batch',
    'label',
  ],
  ...['started_by', 'from', 'time', 'trigger', 'flags', 'usage', 'model', 'parts', 'dropped'],
];
const NEEDED_KEYS = ['ord', 'off', 'sha', 'bytes', 'parts'];

/** Every landed header and record has what a reader needs, and no key that the format does not know. */
export async function recordsWellFormed({ root, session }: CheckedRoot): Promise<string[]> {
  const found: string[] = [];
  for (const { path, name } of listLandedFiles(sessionFolder(root, session)))
    readLandedFile(path, {
      header: (header) => {
        for (const key of ['kind', 'session', 'src', 'adapter', 'dialect', 'at'] as const)
          if (header[key] === '') found.push(`${name}: the header has no ${key}`);
        if (header.session !== session) found.push(`${name}: the header names session ${header.session}`);
        if ((header.stream === '') === (header.batch === ''))
          found.push(`${name}: the header names a stream or a run, not both and not none`);
      },
      record: (_, row, text) => {
        const keys = Object.keys(JSON.parse(text) as object);
        const missing = NEEDED_KEYS.filter((key) => !keys.includes(key));
        const unknown = keys.filter((key) => !RECORD_KEYS.includes(key));
        if (missing.length > 0) found.push(`${name} row ${row}: no ${missing.join(', ')}`);
        if (unknown.length > 0) found.push(`${name} row ${row}: unknown key ${unknown.join(', ')}`);
      },
    });
  return found;
}

/** Landed files alone give one digest, wherever they are parsed. */
export async function reproducible(root: CheckedRoot): Promise<string[]> {
  const digest = (twin: CheckedRoot) =>
    inRoot(twin, async () => {
      root.copyEvidenceTo(twin);
      await twin.parse();
      return twin.fold().fold.digest;
    });
  const [a, b] = [await digest(root.beside('twin-a')), await digest(root.beside('twin-b'))];
  const isSame = a === b && (a !== '') === root.fold().fold.round > 0;
  return isSame ? [] : [`two parses of the same landed files end in ${a || 'nothing'} and ${b || 'nothing'}`];
}

/** Landed files and rounds are all there is: without every cache the conversation is the same. */
export async function bundle(root: CheckedRoot): Promise<string[]> {
  const before = root.fold();
  const { root: folder, session } = root;
  for (const path of [
    indexFolder(folder, session),
    sessionStateFile(folder, session),
    conversationStateFile(folder, session),
  ])
    rmSync(path, { recursive: true, force: true });
  const after = root.fold();
  const found = ['round', 'digest'].flatMap((key) => {
    const [a, b] = [before.fold[key as 'round'], after.fold[key as 'round']];
    return a === b ? [] : [`without its states the fold has ${key} ${b}, not ${a}`];
  });
  if (before.nodes.size !== after.nodes.size)
    found.push(`${after.nodes.size} nodes, not ${before.nodes.size}`);
  const report = await root.parse();
  return report.round === 0 ? found : [...found, `a parse from the landed files wrote round ${report.round}`];
}

function roundNames({ root, session }: CheckedRoot): string[] {
  return listRounds(roundsFolder(root, session)).map(({ name }) => name);
}
