/**
 * A view as the text of its document, `asz.view` 1.0: compact JSON in pieces, in the order of the format's tables
 * (view spec 2). Nothing is worked out here; what a value is, the modules around this one know.
 */
import { sortIds } from '../format/id-order.js';
import type { Relation, Unresolved } from '../format/session-flow.js';
import { parseTime } from '../format/time.js';
import type { Segment, Stream } from '../format/view-document.js';
import { type Json, joined } from './byte-store.js';
import type { EvidenceFile } from './evidence.js';
import type { ViewNode } from './forest.js';
import { listMember, msOf, quoted, refText, textMember } from './json-out.js';
import { TreeWriter } from './node-text.js';
import { segmentsOf } from './segments.js';
import { streamsOf } from './streams.js';
import { sessionsOf, summaryText } from './summary.js';
import type { View, ViewRound } from './view.js';

export const FORMAT = 'asz.view';
export const VERSION = '1.0';

/** The document as UTF-8 in pieces, compact, without a newline at its end. The pieces are the caller's to keep. */
export function documentBytes(view: View): Generator<Buffer> {
  return joined(membersOf(view));
}

function* membersOf(view: View): Generator<readonly Json[]> {
  const { conversation, fold, relations, changes } = view;
  const { parser, policy } = fold.first!;
  yield [
    `{"format":"${FORMAT}","version":"${VERSION}","conversation":${quoted(conversation)}`,
    `,"sessions":[${sessionsOf(view).map(quoted).join(',')}]`,
    `,"head":{"round":${fold.round},"digest":${quoted(fold.digest)}}`,
    `,"parser":${quoted(parser)},"policy":${quoted(policy)},"summary":${summaryText(view)}`,
  ];
  yield* list('rounds', view.rounds, roundText);
  yield* list('files', filesOf(view), (text) => text);
  yield* list('streams', streamsOf(view), streamText);
  yield* list('segments', segmentsOf(view), segmentText);
  const writer = new TreeWriter(view);
  yield* trees(
    'talks',
    view.talks.map(({ node }) => node),
    writer,
  );
  yield* trees('loose', view.forest.loose, writer);
  yield* list('relations', relations.all, relationText);
  const { unresolved } = fold.entities;
  const open = sortIds([...unresolved.keys()]);
  yield* list('unresolved', open, (id) => unresolvedText(id, unresolved.get(id)!.members<Unresolved>()));
  yield [',"workspace_changes":['];
  for (const [i, pieces] of changes.entries.entries()) yield i > 0 ? [',', ...pieces] : pieces;
  yield ['],"tool_executions":[]}'];
}

function* list<T>(key: string, items: Iterable<T>, textOf: (item: T) => string): Generator<Json[]> {
  yield [`,"${key}":[`];
  let first = true;
  for (const item of items) {
    yield [first ? textOf(item) : `,${textOf(item)}`];
    first = false;
  }
  yield [']'];
}

function* trees(key: string, roots: readonly ViewNode[], writer: TreeWriter): Generator<readonly Json[]> {
  yield [`,"${key}":[`];
  for (const [i, root] of roots.entries()) {
    if (i > 0) yield [','];
    yield* writer.tree(root);
  }
  yield [']'];
}

function roundText({ read: { header, digest }, verified }: ViewRound): string {
  return (
    `{"round":${header.round},"digest":${quoted(digest)},"previous":${quotedOrNull(header.previous)}` +
    `,"from_seq":${header.from_seq},"through_seq":${header.through_seq},"input_digest":${quoted(header.input_digest)}` +
    `,"from_time":${timeOrNull(header.from_time)},"through_time":${timeOrNull(header.through_time)},"verified":${verified}}`
  );
}

function* filesOf({ conversation, evidence, rounds }: View): Generator<string> {
  for (const file of evidence.files) yield landedText(file);
  for (const round of rounds) yield roundFileText(conversation, round);
}

function landedText(file: EvidenceFile): string {
  return (
    `{"file":${quoted(file.path)},"format":"sd","kind":${quoted(file.kind)},"seq":${file.seq},"round":null` +
    `,"stream":${quotedOrNull(file.stream)},"run":${quotedOrNull(file.run)}` +
    `,"lines":${file.lines},"bytes":${file.sizeBytes},"digest":"${file.sha256}"` +
    `,"from_time":${file.from?.ms ?? 'null'},"through_time":${file.through?.ms ?? 'null'}}`
  );
}

function roundFileText(conversation: string, { file, read: { header }, ...measured }: ViewRound): string {
  const path = `_conversations/${conversation}/rounds/${file.name}`;
  return (
    `{"file":${quoted(path)},"format":"sf","kind":"round","seq":null,"round":${header.round},"stream":null,"run":null` +
    `,"lines":${measured.lines},"bytes":${measured.sizeBytes},"digest":"${measured.sha256}"` +
    `,"from_time":${timeOrNull(header.from_time)},"through_time":${timeOrNull(header.through_time)}}`
  );
}

function streamText(stream: Stream): string {
  const openings = stream.opened_by.map(
    ({ step, stream, talk, quality }) =>
      `{"step":${quoted(step)},"stream":${quoted(stream)},"talk":${quoted(talk)},"quality":${quoted(quality)}}`,
  );
  return (
    `{"id":${quoted(stream.id)},"name":${quoted(stream.name)},"role":${quoted(stream.role)},"label":${quoted(stream.label)}` +
    `,"parent":${quoted(stream.parent)},"records":${stream.records},"steps":${stream.steps},"talk":${quoted(stream.talk)}` +
    `,"named_by":"${stream.named_by}","opened_by":[${openings.join(',')}]}`
  );
}

function segmentText({ id, talks, from, to }: Segment): string {
  return `{"id":${quoted(id)},"talks":${talks},"from":${from},"to":${to}}`;
}

function relationText({ id, type, from, to, quality, via = '', evidence = [] }: Relation): string {
  return (
    `{"id":${quoted(id)},"type":${quoted(type)},"from":${quoted(from)},"to":${quoted(to)},"quality":${quoted(quality)}` +
    `${textMember('via', via)}${listMember('evidence', evidence.map(refText))}}`
  );
}

function unresolvedText(id: string, entry: Omit<Unresolved, 'id'>): string {
  const { kind, ref = '', reason = '', state } = entry;
  return `{"id":${quoted(id)},"kind":${quoted(kind)},"ref":${quoted(ref)},"reason":${quoted(reason)},"state":${quoted(state)}}`;
}

function quotedOrNull(text: string | undefined): string {
  return text ? quoted(text) : 'null';
}

/** Unix milliseconds; null for no text, 0 for text that is no time. */
function timeOrNull(text: string | undefined): string {
  return text ? String(msOf(parseTime(text))) : 'null';
}
