/**
 * What verification can find, as data: each kind has an id that stays, for programs, and stands in a table of
 * `docs/verify.md`. The words of a finding are one line for people.
 */

/** The ids, with what each says is broken. */
export const FINDINGS = {
  'name-twin': 'the name of a session differs from that of another only by case or Unicode form',
  'landed-listing': 'the landed files of a session cannot be listed',
  'landed-unread': 'a landed file, its header, a record or its closing line does not read',
  'landed-cut': 'a landed file ends before its closing line',
  'landed-digest': 'the closing digest of a landed file is not that of its bytes',
  'landed-count': 'the closing line of a landed file claims another number of records',
  'landed-behind': 'a landed file goes on after its closing line',
  'landed-spelling': 'a line of a landed file is right, and not spelled as it is written',
  'landed-place': 'a landed file says it belongs elsewhere',
  'ord-gap': 'source lines between two records did not land',
  'byte-gap': 'source bytes between two records did not land',
  'end-gap': 'a cursor has read further than what landed',
  'cursor-damaged': 'a cursor does not say what was written into it',
  'chain-listing': 'the rounds of a chain cannot be listed',
  'round-unread': 'a round, or a line of it, does not read',
  'round-empty': 'a file under the name of a round is empty',
  'round-frames': 'the frames of a round do not begin with its header, or go on after its commit',
  'round-header': 'the header of a round breaks a rule of headers',
  'round-entity': 'an entity breaks a rule: its id, its revision, its ends or its state',
  'round-reference': 'a reference names no position, or one past what the round covers',
  'round-cut': 'a round ends before its commit',
  'round-digest': 'the digest of a round is not that of its bytes',
  'round-counts': 'the commit of a round claims other numbers of frames',
  'round-spelling': 'a line of a round is right, and not spelled as it is written, or not in its place',
  'round-name': 'the name of a round file says another number or digest',
  'round-missing': 'a round is missing',
  'round-twice': 'a round stands where another should',
  'round-previous': 'a round names another round before it',
  'round-range': 'a round does not begin where the one before ended',
  'round-conversation': 'a round belongs to another conversation',
  'round-session': 'a round carries another session, or one that can have no directory',
  'round-parser': 'a round was produced by another parser',
  'round-policy': 'a round was produced under another policy',
  'input-missing': 'a landed file that a round consumed is gone',
  'input-digest': 'the landed files that a round consumed are not what they were',
} as const;

export type FindingId = keyof typeof FINDINGS;

/** Findings that say something is not there; any other says that something is not what it should be. */
export const GAPS: ReadonlySet<FindingId> = new Set(['round-missing', 'round-range', 'input-missing']);

export interface Finding {
  readonly id: FindingId;
  /** Below the storage root, with `/`: a file, or the directory in which one is missing. */
  readonly file: string;
  /** Of the file, from 1; 0 when it is about the whole of it. */
  readonly line: number;
  /** One line, as the text output shows it. */
  readonly words: string;
}
