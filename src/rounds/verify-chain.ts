/**
 * Holds every round of a chain against the round before it and against the landed files (seeds, "Reading it";
 * storage spec 6.1). Everything found is listed, and the check goes on.
 *
 * Beyond the six checks of the format: the rounds belong to this chain and are one interpretation, a file's name
 * says what its header and digest say, and every line is spelled and placed as a writer has it.
 */
import { firstPlace } from '../format/binary-search.js';
import { causeText } from '../format/errors.js';
import { checkRound, RoundError, type RoundRule, type RoundSummary } from '../format/round-reader.js';
import { listReservations, listRounds, listUnfitRounds, type RoundFile } from '../io/chain-directory.js';
import { readFileSync } from '../io/file-system.js';
import { isPathSegment } from '../io/path-segment.js';
import { roundsFolder } from '../io/storage-root.js';
import type { Finding, FindingId } from './finding.js';
import { inputDigest } from './round-header.js';

export interface ChainReport {
  readonly conversation: string;
  readonly problems: readonly Finding[];
  readonly rounds: number;
}

/** SHA-256 of a session's landed files by sequence, or `undefined` when they cannot be listed. */
export type LandedDigests = (session: string) => ReadonlyMap<number, string> | undefined;

/** Verifies one chain. `landed` is asked once, for the session the first readable round names. */
export function verifyChain(root: string, conversation: string, landed: LandedDigests): ChainReport {
  return checkChain(conversation, readRounds(root, conversation), landed);
}

/** What reading one round through gave; plain data, so that another thread may have read it. */
export interface RoundRead {
  readonly file: RoundFile;
  /** Why it does not read, or what it says. */
  readonly read: BrokenRound | RoundSummary;
}

export interface BrokenRound {
  readonly broken: string;
  readonly rule: RoundRule | 'empty';
  readonly line: number;
}

/** Reads every round of a chain through: the part of verification that takes its time, and needs nothing else. */
export function readRounds(root: string, conversation: string): RoundRead[] {
  const folder = roundsFolder(root, conversation);
  const passedOver = readPassedOver(folder);
  const rounds = listRounds(folder).map((file): RoundRead => {
    try {
      return { file, read: checkRound(readFileSync(file.path)) };
    } catch (cause) {
      return { file, read: brokenRound(cause) };
    }
  });
  return [...rounds, ...passedOver];
}

/** What stands under a round's name and no reader opens; it is checked after all rounds. */
export function readPassedOver(folder: string): RoundRead[] {
  const empty = listReservations(folder).map((file): RoundRead => ({ file, read: EMPTY }));
  const unfit = listUnfitRounds(folder).map((file): RoundRead => ({ file, read: UNFIT }));
  return [...empty, ...unfit];
}

/** A round of which reading threw `cause`. */
export function brokenRound(cause: unknown): BrokenRound {
  const { rule, line } = cause instanceof RoundError ? cause : UNREAD;
  return { broken: causeText(cause), rule, line };
}

/** Readers pass over one; whether a round was emptied or is about to be published, only its publisher could tell. */
const EMPTY = {
  rule: 'empty',
  line: 0,
  broken: 'it is empty: a publication under way, or what is left of a round',
} as const;

const UNFIT = { rule: 'unread', line: 0, broken: 'it is not a regular file, and is not read' } as const;

const UNREAD = { rule: 'unread', line: 0 } as const;

/** Holds the rounds of a chain against each other and the landed files. `landed` is asked as by `verifyChain`. */
export function checkChain(
  conversation: string,
  rounds: readonly RoundRead[],
  landed: LandedDigests,
): ChainReport {
  const check = new ChainCheck(conversation, landed);
  for (const round of rounds) check.round(round);
  return { conversation, problems: check.problems, rounds: rounds.length };
}

/** Checks the rounds of a chain one after the other, in the order `readRounds` gives. */
export class ChainCheck {
  readonly problems: Finding[] = [];
  readonly #conversation: string;
  readonly #landed: LandedDigests;
  #first: RoundSummary | undefined;
  /** The round before, when it read. */
  #before: RoundSummary | undefined;
  #digests: ReadonlyMap<number, string> | undefined;
  #sequences: readonly number[] = [];
  /** Where findings are: the round's file, or the folder for one that is missing. */
  #file = '';

  constructor(conversation: string, landed: LandedDigests) {
    this.#conversation = conversation;
    this.#landed = landed;
  }

  /** Checks the next one and gives what it broke, which `problems` then ends with. */
  round({ file, read }: RoundRead): readonly Finding[] {
    this.#file = file.name;
    const found = this.problems.length;
    if ('broken' in read)
      this.#say(`round-${read.rule}`, file.round, `: ${file.name}: ${read.broken}`, read.line);
    else this.#whole(file, read, found);
    return this.problems.slice(found);
  }

  /** `found`: how many problems there were before this round. */
  #whole(file: RoundFile, read: RoundSummary, found: number): void {
    if (this.#first === undefined) this.#begin(read);
    this.#identity(file, read);
    const { oddLine } = read;
    if (oddLine > 0)
      this.#say(
        'round-spelling',
        read.header.round,
        `: ${file.name}: line ${oddLine} is not in canonical form`,
        oddLine,
      );
    this.#succession(read);
    this.#evidence(read, this.problems.length === found);
    this.#before = read;
  }

  #begin(round: RoundSummary): void {
    this.#first = round;
    const { session } = round.header;
    if (isPathSegment(session)) this.#digests = this.#landed(session);
    this.#sequences = [...(this.#digests?.keys() ?? [])].sort((a, b) => a - b);
  }

  #identity(file: RoundFile, { header, digest }: RoundSummary): void {
    const { round } = header;
    const first = this.#first!.header;
    if (header.conversation !== this.#conversation)
      this.#say(
        'round-conversation',
        round,
        ` belongs to conversation ${quote(header.conversation)}, the chain to ${quote(this.#conversation)}`,
      );
    if (header.session !== first.session)
      this.#say(
        'round-session',
        round,
        ` carries session ${quote(header.session)}, the chain ${quote(first.session)}`,
      );
    if (header.parser !== first.parser)
      this.#say(
        'round-parser',
        round,
        ` was produced by parser ${quote(header.parser)}, the chain by ${quote(first.parser)}`,
      );
    if (header.policy !== first.policy)
      this.#say(
        'round-policy',
        round,
        ` was produced under policy ${quote(header.policy)}, the chain under ${quote(first.policy)}`,
      );
    if (!isPathSegment(header.session))
      this.#say('round-session', round, `: session ${quote(header.session)} cannot name a directory`);
    if (round !== file.round)
      this.#say('round-name', file.round, `: ${file.name}: header says round ${round}`);
    if (!digest.startsWith(file.digest12))
      this.#say('round-name', round, `: ${file.name}: its digest is ${digest.slice(0, 12)}`);
  }

  /** Checks 1, 2 and 4. A round that did not read counts as absent. */
  #succession({ header }: RoundSummary): void {
    const { round, previous, from_seq } = header;
    const before = this.#before;
    const expected = (before?.header.round ?? 0) + 1;
    if (round > expected) this.#say('round-missing', expected, ` is missing before round ${round}`);
    else if (round < expected) this.#say('round-twice', round, ` stands after round ${expected - 1}`);
    else if (before !== undefined && previous !== before.digest)
      this.#say(
        'round-previous',
        round,
        ` names previous ${(previous ?? '').slice(0, 12)}, the round before is ${before.digest.slice(0, 12)}`,
      );
    const end = before?.header.through_seq ?? 0;
    if (from_seq !== end + 1)
      this.#say('round-range', round, ` starts at seq ${from_seq}, the round before ended at ${end}`);
  }

  /** Checks 5 and 6. The digest is recomputed only for a round without any problem so far. */
  #evidence({ header }: RoundSummary, clean: boolean): void {
    const digests = this.#digests;
    if (digests === undefined) return;
    const { round, from_seq: from, through_seq: through, input_digest } = header;
    const after = (seq: number) => firstPlace(this.#sequences.length, (i) => this.#sequences[i]! > seq);
    const files = this.#sequences.slice(after(from - 1), after(through));
    const missing = this.#missing(files, from, through);
    for (const words of missing) this.#say('input-missing', round, `: ${words} missing`);
    if (!clean || missing.length > 0) return;
    const previous = this.#before?.header.input_digest ?? '';
    const consumed = files.map((seq) => ({ sha256: digests.get(seq)! }));
    if (inputDigest(previous, consumed) !== input_digest)
      this.#say('input-digest', round, ': the input digest does not match the landed files');
  }

  /** A line per missing sequence; a long run of them is one line, because a header may claim any range. */
  #missing(files: readonly number[], from: number, through: number): string[] {
    const lines: string[] = [];
    let next = from;
    for (const seq of [...files, through + 1]) {
      if (seq - next > MAX_MISSING_LINES) lines.push(`landed files seq ${next} to ${seq - 1} are`);
      else for (; next < seq; next++) lines.push(`landed file seq ${next} is`);
      next = seq + 1;
    }
    return lines;
  }

  #say(id: FindingId, round: number, words: string, line = 0): void {
    const folder = `_conversations/${this.#conversation}/rounds`;
    const file = id === 'round-missing' ? folder : `${folder}/${this.#file}`;
    this.problems.push({ id, file, line, words: `round ${round}${words}` });
  }
}

const MAX_MISSING_LINES = 100;

function quote(word: string): string {
  return JSON.stringify(word);
}
