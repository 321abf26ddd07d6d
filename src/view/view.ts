/**
 * A conversation as its rounds and landed files tell it, and nothing else: the index is not opened (view spec 1, 3).
 *
 * Built in this order: the chain is folded as far as it holds; the trees are made; the records they stand on are
 * wanted; every landed file is read once; what was seen is put together; the chain is held against the files.
 */

import type { RecordGlance } from '../format/record-glance.js';
import type { RoundSummary } from '../format/round-reader.js';
import type { Ref, Relation } from '../format/session-flow.js';
import type { ViewState } from '../format/view-document.js';
import type { RoundFile } from '../io/chain-directory.js';
import type { MeasuredFile } from '../io/measure-file.js';
import { isPathSegment } from '../io/path-segment.js';
import { listLandedFiles, sessionFolder } from '../io/storage-root.js';
import { GAPS } from '../rounds/finding.js';
import type { Fold } from '../rounds/fold.js';
import { ChainCheck } from '../rounds/verify-chain.js';
import { type Evidence, readEvidence, WantedRecords } from './evidence.js';
import { type Forest, forestOf } from './forest.js';
import { JournalNames } from './journal-names.js';
import { type ReadChain, readChain } from './read-chain.js';
import { type RelationsInOrder, relationsOf } from './relations.js';
import { wantContents } from './step-content.js';
import { byBeginning, type TalkFacts, talksOf, timeTalks } from './talks.js';
import { Withheld } from './withheld.js';
import { type JoinedChanges, WorkspaceChanges } from './workspace-changes.js';

/** A round that reads. */
export interface ViewRound extends MeasuredFile {
  readonly file: RoundFile;
  readonly read: RoundSummary;
  /** Nothing is wrong with it. */
  readonly verified: boolean;
}

export interface View {
  readonly conversation: string;
  readonly fold: Fold;
  /** Every round that reads, folded or not. */
  readonly rounds: readonly ViewRound[];
  readonly state: ViewState;
  readonly problems: readonly string[];
  readonly evidence: Evidence;
  readonly forest: Forest;
  /** In the order they began. */
  readonly talks: readonly TalkFacts[];
  readonly relations: RelationsInOrder;
  readonly changes: JoinedChanges;
  readonly names: JournalNames;
  readonly withheld: Withheld;
}

/** Builds a view in one go. Throws as `viewSteps`. */
export function buildView(root: string, conversation: string, hide: Iterable<string> = []): View {
  const steps = viewSteps(root, conversation, hide);
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/**
 * Builds a view, giving control back after each file, so that a server can do other things meanwhile.
 *
 * Throws `ChainError` when no round folds, `StorageError` for a directory or landed file that cannot be read, and
 * `UsageError` for a name in `hide` that nothing is withheld by.
 */
export function* viewSteps(
  root: string,
  conversation: string,
  hide: Iterable<string> = [],
): Generator<void, View> {
  const withheld = new Withheld(hide);
  const chain = yield* readChain(root, conversation);
  const { fold } = chain;
  const forest = forestOf(fold);
  const wanted = new WantedRecords();
  const changes = new WorkspaceChanges(withheld);
  const names = new JournalNames(withheld);
  wantContents(forest.topDown, wanted, withheld, changes);
  const talks = talksOf(forest, wanted, withheld);
  const { session } = fold.first!;
  const landed = isPathSegment(session) ? listLandedFiles(sessionFolder(root, session)) : [];
  const evidence = yield* readEvidence(session, landed, wanted, ({ batch }, kind) => {
    const see = (record: RecordGlance, ref: Ref) => {
      if (batch !== '') names.see(record);
      else if (kind === 'changes') changes.see(record, ref, true);
      withheld.seeLabel(record);
    };
    return batch !== '' || kind === 'changes' || withheld.names.size > 0 ? see : undefined;
  });
  timeTalks(forest, talks, evidence);
  talks.sort(byBeginning);
  const relations = relationsOf(relationsIn(fold), evidence);
  return {
    ...{ conversation, fold, evidence, forest, talks, relations, names, withheld },
    ...checked(conversation, chain, evidence),
    changes: changes.join(),
  };
}

function relationsIn(fold: Fold): Relation[] {
  return [...fold.entities.relation.values()].map((entity) => ({
    ...entity.members<Relation>(),
    id: entity.id,
  }));
}

/** Holds the chain against itself and the landed files, as `asz verify` does, and says what follows. */
function checked(
  conversation: string,
  { files, stopped }: ReadChain,
  { digests }: Evidence,
): Pick<View, 'rounds' | 'state' | 'problems'> {
  const check = new ChainCheck(conversation, () => digests);
  const problems = stopped === '' ? [] : [stopped];
  let state: ViewState = stopped === '' ? 'verified' : 'incomplete';
  const rounds: ViewRound[] = [];
  for (const file of files) {
    const { read } = file;
    const findings = check.round(file);
    for (const { words } of findings) problems.push(words);
    if (findings.length > 0 && state === 'verified') state = 'incomplete';
    if (findings.some(({ id }) => !GAPS.has(id))) state = 'mismatch';
    if (!('broken' in read)) rounds.push({ ...file, read, verified: findings.length === 0 });
  }
  return { rounds, state, problems };
}
