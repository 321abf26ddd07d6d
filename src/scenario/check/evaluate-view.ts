/** Holds what a block says of the document against it (scenario spec 9.2). */
import { AszError } from '../../format/errors.js';
import type { ViewDocument, ViewNode } from '../../format/view-document.js';
import { type Difference, difference } from './difference.js';
import { nodesOf } from './document.js';
import type { Counts, FirstTalk, ViewBlock } from './expectation.js';
import { countBy } from './fold-view.js';

/** `documentOf`: the document, with the words of these flags withheld; one that throws is a difference. */
export function viewDifferences(
  want: ViewBlock | undefined,
  documentOf: (hide: readonly string[]) => ViewDocument,
): Difference[] {
  if (want === undefined) return [];
  let document: ViewDocument;
  try {
    document = documentOf(want.hide);
  } catch (cause) {
    if (!(cause instanceof AszError)) throw cause;
    return [difference(`view: there is no document: ${cause.message}`, 'a document', 'none')];
  }
  return [
    ...summaryDifferences(want, document),
    ...talkDifferences(want.firstTalk, document.talks[0]),
    ...changeDifferences(want, document),
    ...countDifferences('flags', want.flags, flagsOf(document)),
    ...hiddenDifferences(want.hide, document),
    ...withheldDifferences(want.withheld, document),
  ];
}

function summaryDifferences(want: ViewBlock, { summary, files }: ViewDocument): Difference[] {
  const { state, talks, steps, rounds, problems } = summary;
  const said = problems.length === 0 ? '' : ` (${problems.join('; ')})`;
  return [
    ...valueDifferences('state', want.state, state, said),
    ...valueDifferences('talks', want.talks, talks),
    ...valueDifferences('steps', want.steps, steps),
    ...valueDifferences('rounds', want.rounds, rounds),
    ...valueDifferences('files', want.files, files.length),
    ...valueDifferences('problems', want.problems, problems.length, said),
  ];
}

function talkDifferences(want: FirstTalk, talk: ViewNode | undefined): Difference[] {
  // A number of 0 is left out of a node.
  const got: Partial<FirstTalk> = talk === undefined ? {} : { runs: 0, ...talk };
  return (['label', 'reply', 'runs'] as const).flatMap((key) =>
    valueDifferences(`first_talk.${key}`, want[key], got[key] ?? 'absent', '', talk),
  );
}

function changeDifferences(want: ViewBlock, { summary, workspace_changes }: ViewDocument): Difference[] {
  const files = workspace_changes.reduce((sum, { changes = [] }) => sum + changes.length, 0);
  const joined = workspace_changes.filter(({ step }) => step !== '').length;
  const capturers = countBy(workspace_changes, ({ captured_by = '' }) => captured_by);
  return [
    // The summary's number is one more place that a document could get wrong.
    ...valueDifferences('summary.changes', workspace_changes.length, summary.changes),
    ...valueDifferences('changes', want.changes, workspace_changes.length),
    ...valueDifferences('changed_files', want.changedFiles, files),
    ...valueDifferences('changes_joined', want.changesJoined, joined),
    ...countDifferences('captured_by', want.capturedBy, capturers),
  ];
}

function flagsOf(document: ViewDocument): Counts {
  return countBy(
    [...nodesOf(document)].flatMap(({ flags = [] }) => flags),
    String,
  );
}

/** A step whose words are withheld keeps its place and says that they are left out. */
function hiddenDifferences(hide: readonly string[], document: ViewDocument): Difference[] {
  return [...nodesOf(document)].flatMap((step) => {
    const flag = step.flags?.find((name) => hide.includes(name));
    if (flag === undefined) return [];
    const { id, text = '', state = 'absent' } = step;
    return [
      ...valueDifferences(`hide: ${id}, flagged ${flag}: text`, '', text, '', step),
      ...valueDifferences(`hide: ${id}, flagged ${flag}: state`, 'omitted', state, '', step),
    ];
  });
}

/** Exactly these: a name that is not listed must not be there. */
function withheldDifferences(want: Counts | undefined, { summary }: ViewDocument): Difference[] {
  if (want === undefined) return [];
  const got = new Map(Object.entries(summary.withheld));
  const others = [...got].flatMap(([name, n]) => (want.has(name) ? [] : [[name, 0, n] as const]));
  return [
    ...countDifferences('withheld', want, got),
    ...others.flatMap(([name, none, n]) => valueDifferences(`withheld.${name}`, none, n)),
  ];
}

function countDifferences(key: string, want: Counts, got: Counts): Difference[] {
  return [...want].flatMap(([name, n]) => valueDifferences(`${key}.${name}`, n, got.get(name) ?? 0));
}

/** `said`: what else the message tells of what is there. */
function valueDifferences(
  key: string,
  want: string | number | undefined,
  got: string | number,
  said = '',
  node?: ViewNode,
): Difference[] {
  if (want === undefined || want === got) return [];
  const about = node === undefined ? [] : [{ group: 'node', id: node.id } as const];
  return [difference(`view.${key} is ${got}${said}, want ${want}`, want, got, about)];
}
