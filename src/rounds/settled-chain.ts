/**
 * `settled.json` beside a chain's state: this build assembled these landed files, and the chain says all of it. A parse
 * that finds it true has nothing to do, and opens neither round nor index nor landed file. Like every cache here
 * it may be deleted at any time; that costs one full parse and changes nothing.
 *
 *     {"build":"v1/v1+idle=10m0s/1","head":"r000002-4d3d45ca54ce.sf","index":"6 118 140 97","landed":"<sha-256 of all paths>","through_seq":6,"counts":{…},"check":"<16 hex>"}
 *
 * `check` is a digest of all before it: counts are printed as they stand here.
 */
import { createHash } from 'node:crypto';
import { join, sep } from 'node:path';
import type { SessionIndex } from '../format/session-index.js';
import { listRounds, roundName } from '../io/chain-directory.js';
import { indexFingerprint } from '../io/index-store.js';
import { replaceFile } from '../io/publish.js';
import { readSmallFile } from '../io/small-file.js';
import { conversationFolder, listLandedFiles, roundsFolder, sessionFolder } from '../io/storage-root.js';
import type { AssemblyCounts } from '../stages/assembly-counts.js';
import type { Fold } from './fold.js';
import { PARSER, POLICY } from './round-header.js';

/**
 * Number of the rules of assembly. It counts up whenever a change lets the same evidence give other entities, so
 * that chains settled under the rules before are looked at again.
 */
const BUILD = `${PARSER}/${POLICY}/1`;

export interface SettledChain {
  /** What the chain covers. */
  readonly throughSeq: number;
  readonly counts: AssemblyCounts;
}

/** What a session's chain was settled as, when nothing has changed since; `undefined` when a parse has to look. */
export function readSettled(root: string, session: string): SettledChain | undefined {
  const record = readRecord(recordFile(root, session));
  if (record === undefined) return undefined;
  const now = circumstances(root, session);
  if (now === undefined || Object.entries(now).some(([key, value]) => record[key] !== value))
    return undefined;
  return { throughSeq: record.through_seq as number, counts: record.counts as AssemblyCounts };
}

/** Whether a chain said all that this build makes of the evidence it covers, when its last round was written. */
export function wasSettled(root: string, { conversation, round, digest, throughSeq }: Fold): boolean {
  const record = readRecord(recordFile(root, conversation));
  return (
    record?.build === BUILD && record.head === roundName(round, digest) && record.through_seq === throughSeq
  );
}

/**
 * Notes that a chain says all there is to say, as a parse found that looked at `index`. Called under the chain's lock,
 * which keeps no collector away: what one landed or indexed meanwhile must not be taken for what the parse has seen,
 * so then nothing is noted.
 */
export function writeSettled(
  root: string,
  session: string,
  index: SessionIndex,
  { throughSeq, counts }: SettledChain,
): void {
  const now = circumstances(root, session);
  if (now === undefined || !isOf(index, now)) return;
  const record = JSON.stringify({ ...now, through_seq: throughSeq, counts }).slice(0, -1);
  replaceFile(recordFile(root, session), `${record},"check":"${checkOf(record)}"}\n`);
}

/** Whether index and landed files are still those that an index in memory holds. */
function isOf({ files, entries, blocks }: SessionIndex, { index, landed }: Circumstances): boolean {
  const counts = `${files.at(-1)?.seq ?? 0} ${entries} ${blocks} `;
  return index.startsWith(counts) && landed === landedDigest(files.map(({ path }) => `/${path}`));
}

type Circumstances = Readonly<Record<'build' | 'head' | 'index' | 'landed', string>>;

/** All that a parse's outcome depends on, as it is now, by names alone; `undefined` without chain or index. */
function circumstances(root: string, session: string): Circumstances | undefined {
  const head = listRounds(roundsFolder(root, session)).at(-1)?.name;
  const index = indexFingerprint(root, session);
  if (head === undefined || index === '') return undefined;
  const folder = sessionFolder(root, session);
  const paths = listLandedFiles(folder).map(({ path }) => path.slice(folder.length).replaceAll(sep, '/'));
  return { build: BUILD, head, index, landed: landedDigest(paths) };
}

function landedDigest(paths: readonly string[]): string {
  const hash = createHash('sha256');
  for (const path of paths) hash.update(`${path}\0`);
  return hash.digest('hex');
}

function recordFile(root: string, session: string): string {
  return join(conversationFolder(root, session), 'settled.json');
}

function readRecord(path: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const [, record = '', check] =
      /^(.*),"check":"([0-9a-f]{16})"\}\n$/s.exec(readSmallFile(path)?.toString('utf8') ?? '') ?? [];
    return check === checkOf(record) ? JSON.parse(`${record}}`) : undefined;
  } catch {
    return undefined; // Absent, or damaged, which is the same: a parse looks for itself.
  }
}

function checkOf(record: string): string {
  return createHash('sha256').update(record).digest('hex').slice(0, 16);
}
