/**
 * Holds every round of a chain against the round before it and against the landed files (seeds, "Reading it";
 * storage spec 6.1). Everything found is listed, and the check goes on.
 *
 * Beyond the six checks of the format: the rounds belong to this chain and are one interpretation, a file's name
 * says what its header and digest say, and what no digest covers, the commit and the newlines, is spelled
 * canonically.
 */
import { readFileSync } from 'node:fs';
import { firstPlace } from '../format/binary-search.js';
import { causeText } from '../format/errors.js';
import { type Round, readRound } from '../format/round-reader.js';
import { listRounds, type RoundFile } from '../io/chain-directory.js';
import { isPathSegment } from '../io/path-segment.js';
import { roundsFolder } from '../io/storage-root.js';
import { inputDigest } from './round-header.js';

export interface ChainReport {
  readonly conversation: string;
  readonly problems: readonly string[];
  readonly rounds: number;
}

/** SHA-256 of a session's landed files by sequence, or `undefined` when they cannot be listed. */
export type LandedDigests = (session: string) => ReadonlyMap<number, string> | undefined;

/** What one round's file broke. */
export interface RoundFinding {
  /** One line. */
  readonly words: string;
  /** Something is missing; else something is not what it should be. */
  readonly gap: boolean;
}

/** What a check needs of a round: not its frames. */
export interface RoundFacts extends Pick<Round, 'header' | 'digest' | 'commitIsCanonical'> {
  /** The file has an empty line, or no newline at its end. */
  readonly strayNewlines: boolean;
}

/** Verifies one chain. `landed` is asked once, for the session the first readable round names. */
export function verifyChain(root: string, conversation: string, landed: LandedDigests): ChainReport {
  const files = listRounds(roundsFolder(root, conversation));
  const check = new ChainCheck(conversation, landed);
  const findings = files.flatMap((file) => check.round(file, factsOf(file)));
  return { conversation, problems: findings.map(({ words }) => words), rounds: files.length };
}

function factsOf({ path }: RoundFile): RoundFacts | string {
  try {
    const bytes = readFileSync(path);
    const { header, digest, commitIsCanonical } = readRound(bytes);
    return { header, digest, commitIsCanonical, strayNewlines: hasStrayNewlines(bytes) };
  } catch (cause) {
    return causeText(cause);
  }
}

/** Checks the rounds of a chain one after the other, in the order of their files. */
export class ChainCheck {
  readonly #conversation: string;
  readonly #landed: LandedDigests;
  #findings: RoundFinding[] = [];
  #first: RoundFacts | undefined;
  /** The round before, when it read. */
  #before: RoundFacts | undefined;
  #digests: ReadonlyMap<number, string> | undefined;
  #sequences: readonly number[] = [];

  constructor(conversation: string, landed: LandedDigests) {
    this.#conversation = conversation;
    this.#landed = landed;
  }

  /** What the next round's file broke; none when nothing. `round`: the file as read, or why it does not read. */
  round(file: RoundFile, round: RoundFacts | string): readonly RoundFinding[] {
    this.#findings = [];
    if (typeof round === 'string') {
      this.#say(file.round, `: ${file.name}: ${round}`);
      return this.#findings;
    }
    if (this.#first === undefined) this.#begin(round);
    this.#identity(file, round);
    if (round.strayNewlines)
      this.#say(round.header.round, `: ${file.name}: an empty line, or no newline at its end`);
    this.#succession(round);
    this.#evidence(round, this.#findings.length === 0);
    this.#before = round;
    return this.#findings;
  }

  #begin(round: RoundFacts): void {
    this.#first = round;
    const { session } = round.header;
    if (isPathSegment(session)) this.#digests = this.#landed(session);
    this.#sequences = [...(this.#digests?.keys() ?? [])].sort((a, b) => a - b);
  }

  #identity(file: RoundFile, { header, digest, commitIsCanonical }: RoundFacts): void {
    const { round } = header;
    const first = this.#first!.header;
    if (header.conversation !== this.#conversation)
      this.#say(
        round,
        ` belongs to conversation ${quote(header.conversation)}, the chain to ${quote(this.#conversation)}`,
      );
    if (header.session !== first.session)
      this.#say(round, ` carries session ${quote(header.session)}, the chain ${quote(first.session)}`);
    if (header.parser !== first.parser)
      this.#say(
        round,
        ` was produced by parser ${quote(header.parser)}, the chain by ${quote(first.parser)}`,
      );
    if (header.policy !== first.policy)
      this.#say(
        round,
        ` was produced under policy ${quote(header.policy)}, the chain under ${quote(first.policy)}`,
      );
    if (!isPathSegment(header.session))
      this.#say(round, `: session ${quote(header.session)} cannot name a directory`);
    if (round !== file.round) this.#say(file.round, `: ${file.name}: header says round ${round}`);
    if (!digest.startsWith(file.digest12))
      this.#say(round, `: ${file.name}: its digest is ${digest.slice(0, 12)}`);
    if (!commitIsCanonical) this.#say(round, `: ${file.name}: the commit frame is not in canonical form`);
  }

  /** Checks 1, 2 and 4. A round that did not read counts as absent. */
  #succession({ header }: RoundFacts): void {
    const { round, previous, from_seq } = header;
    const before = this.#before;
    const expected = (before?.header.round ?? 0) + 1;
    if (round > expected) this.#miss(expected, ` is missing before round ${round}`);
    else if (round < expected) this.#say(round, ` stands after round ${expected - 1}`);
    else if (before !== undefined && previous !== before.digest)
      this.#say(
        round,
        ` names previous ${(previous ?? '').slice(0, 12)}, the round before is ${before.digest.slice(0, 12)}`,
      );
    const end = before?.header.through_seq ?? 0;
    if (from_seq !== end + 1)
      this.#miss(round, ` starts at seq ${from_seq}, the round before ended at ${end}`);
  }

  /** Checks 5 and 6. The digest is recomputed only for a round without any problem so far. */
  #evidence({ header }: RoundFacts, clean: boolean): void {
    const digests = this.#digests;
    if (digests === undefined) return;
    const { round, from_seq: from, through_seq: through, input_digest } = header;
    const after = (seq: number) => firstPlace(this.#sequences.length, (i) => this.#sequences[i]! > seq);
    const files = this.#sequences.slice(after(from - 1), after(through));
    const missing = this.#missing(files, from, through);
    for (const words of missing) this.#miss(round, `: ${words} missing`);
    if (!clean || missing.length > 0) return;
    const previous = this.#before?.header.input_digest ?? '';
    const consumed = files.map((seq) => ({ sha256: digests.get(seq)! }));
    if (inputDigest(previous, consumed) !== input_digest)
      this.#say(round, ': the input digest does not match the landed files');
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

  #say(round: number, words: string): void {
    this.#findings.push({ words: `round ${round}${words}`, gap: false });
  }

  #miss(round: number, words: string): void {
    this.#findings.push({ words: `round ${round}${words}`, gap: true });
  }
}

/** Readers pass over empty lines and take a last line without its newline, so no digest covers either. */
export function hasStrayNewlines(bytes: Buffer): boolean {
  return bytes[0] === NEWLINE || bytes.at(-1) !== NEWLINE || bytes.includes('\n\n');
}

const NEWLINE = 0x0a;

const MAX_MISSING_LINES = 100;

function quote(word: string): string {
  return JSON.stringify(word);
}
