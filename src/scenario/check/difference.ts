/** A difference, and what of it is shown: what was expected, what is there, where it stands and what is behind it. */
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import type { Group, Ref } from '../../format/session-flow.js';
import { listRounds } from '../../io/chain-directory.js';
import { LandedRecords } from '../../io/landed-records.js';
import { listLandedFiles, roundsFolder, sessionFolder } from '../../io/storage-root.js';
import type { FoldView } from './fold-view.js';

export interface EntityName {
  readonly group: Group;
  readonly id: string;
}

export interface Difference {
  /** `kinds: tool is 1, want 2`. */
  readonly text: string;
  /** Both absent when the text says it all. */
  readonly expected?: string;
  readonly got?: string;
  /** Entities it is about, the most telling first; none when there are none. */
  readonly about: readonly EntityName[];
}

export function difference(
  text: string,
  expected: unknown,
  got: unknown,
  about: readonly EntityName[] = [],
): Difference {
  return { text, expected: String(expected), got: String(got), about };
}

/** Lines that show one difference well, indented. What is not there is not said. */
export function differenceLines(root: string, session: string, view: FoldView, found: Difference): string[] {
  const [entity] = found.about;
  return [
    `  ${found.text}`,
    ...(found.expected === undefined ? [] : [`    expected  ${found.expected}`]),
    ...(found.got === undefined ? [] : [`    got       ${found.got}`]),
    ...(entity === undefined ? [] : entityLines(root, session, view, entity)),
    ...(found.about.length > 1 ? [`    and       ${found.about.length - 1} more of these`] : []),
  ];
}

function entityLines(root: string, session: string, view: FoldView, { group, id }: EntityName): string[] {
  const folded = view.fold.entities[group].get(id);
  if (folded === undefined) return [];
  const file = listRounds(roundsFolder(root, session)).find(({ round }) => round === folded.revision);
  if (file === undefined) return [];
  const line = folded.line(folded.revision);
  const at = readFileSync(file.path, 'utf8').split('\n').indexOf(line);
  const ref = refOf(folded.members());
  return [
    `    entity    ${file.name} line ${at + 1}: ${line}`,
    ...(ref === undefined ? [] : recordLines(root, session, ref)),
  ];
}

/** The record an entity stands on: its own, or the first of its evidence. */
function refOf(members: { readonly ref?: unknown; readonly evidence?: readonly Ref[] }): Ref | undefined {
  const { ref, evidence } = members;
  return typeof ref === 'object' && ref !== null ? (ref as Ref) : evidence?.[0];
}

function recordLines(root: string, session: string, { seq, row }: Ref): string[] {
  const file = listLandedFiles(sessionFolder(root, session)).find((landed) => landed.seq === seq);
  const line = new LandedRecords(root, session).lineAt(seq, row);
  if (file === undefined || line === undefined) return [`    landed    no record at seq ${seq} row ${row}`];
  return [`    landed    ${basename(file.path)} row ${row}: ${line}`];
}
