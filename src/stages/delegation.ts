/**
 * The steps of delegation, written once containers are known: launch acknowledgements, notifications, what each
 * child returned, and the ways back to the call that started a stream.
 * Source: assembly spec, stage 5, "Steps written once containers are known".
 */
import { joinId, positionId, relationId } from '../format/ids.js';
import { flag, TRIGGER_NOTIFICATION } from '../format/index-entry.js';
import type { Ref } from '../format/session-flow.js';
import type { EntitySink } from './entity-sink.js';
import type { SessionModel } from './session-model.js';
import { streamNodeId } from './streams.js';
import { UNRESOLVED } from './unresolved.js';

const LAUNCH_ACK = flag('launch_ack');

/** A launch acknowledgement, or else a notification and the streams it reports to. */
export function emitDelegationStep(model: SessionModel, entry: number, sink: EntitySink): void {
  const { index, talks } = model;
  const acknowledges = (index.flags[entry]! & LAUNCH_ACK) !== 0;
  if (!acknowledges && index.trigger[entry] !== TRIGGER_NOTIFICATION) return;
  const ref = model.ref(entry);
  const id = positionId(acknowledges ? 'ack' : 'notify', ref.seq, ref.row);
  sink.node({
    id,
    kind: acknowledges ? 'agent.launch_ack' : 'runtime.notification',
    parent: talks.containerOf(entry),
    stream: model.streamName(entry),
    ref,
  });
  if (!acknowledges) emitReports(model, entry, id, ref, sink);
}

function emitReports(model: SessionModel, entry: number, from: string, ref: Ref, sink: EntitySink): void {
  const { index, streams, children } = model;
  const names = index.strings.stream;
  const child = index.child[entry]!;
  if (child !== 0 && !streams.hasLanded(child)) {
    sink.unresolved('notified_child', names.at(child), UNRESOLVED.notified_child);
    return;
  }
  const [quality, via] =
    child !== 0
      ? ['exact_unique', 'task id on the notification']
      : ['strong_inference', 'the call the notification completes'];
  for (const stream of children.reportedBy(entry)) {
    const to = streamNodeId(names.at(stream));
    sink.relation({
      id: relationId('reports', from, to),
      type: 'reports',
      from,
      to,
      quality,
      via,
      evidence: [ref],
    });
  }
}

/** What a stream that is not the main one ends with: a child's output, and the way back to the call. */
export function emitOutput(model: SessionModel, stream: number, sink: EntitySink): void {
  const { streams, children, calls, index } = model;
  if (!streams.hasLanded(stream) || streams.isMain(stream)) return;
  const response = children.lastResponse(stream);
  const starter = directStarter(model, stream);
  if (streams.roleOf(stream) === 'child') {
    emitChildOutput(model, stream, response, starter, sink);
    return;
  }
  const from = response < 0 ? undefined : calls.nodeId(index.call[response]!);
  if (from === undefined || starter === undefined) return;
  emitResultOf(from, starter, 'the result the tool that started this stream received', sink, [
    model.ref(response),
    starter.result,
  ]);
}

/** Notifications, and those that name a child that did not land: counts a parse reports. */
export function countNotifications(model: SessionModel): { notifications: number; unmatched: number } {
  const { index, records, streams } = model;
  const counts = { notifications: 0, unmatched: 0 };
  for (let entry = 0; entry < model.entries; entry++) {
    if (index.trigger[entry] !== TRIGGER_NOTIFICATION || (index.flags[entry]! & LAUNCH_ACK) !== 0) continue;
    if (!records.isCanonical(entry)) continue;
    counts.notifications++;
    const child = index.child[entry]!;
    if (child !== 0 && !streams.hasLanded(child)) counts.unmatched++;
  }
  return counts;
}

function emitChildOutput(
  model: SessionModel,
  stream: number,
  response: number,
  starter: Starter | undefined,
  sink: EntitySink,
): void {
  const { index, talks, children } = model;
  const journal = children.journalResult(stream);
  const first = response >= 0 ? response : journal;
  if (first < 0) return;
  const name = index.strings.stream.at(stream);
  const refs = [response, journal].filter((entry) => entry >= 0).map((entry) => model.ref(entry));
  if (starter !== undefined) refs.push(starter.result);
  const id = joinId('output', name);
  const returned = journal >= 0 || starter !== undefined;
  sink.node({
    id,
    kind: 'agent.output',
    parent: talks.containerOf(first),
    stream: name,
    ref: refs[0]!,
    refs,
    attrs: { returned_value: returned ? 'observed_replayable' : 'unavailable' },
  });
  const from = streamNodeId(name);
  sink.relation({
    id: relationId('ends_with', from, id),
    type: 'ends_with',
    from,
    to: id,
    quality: 'exact_unique',
    via: 'the last response in the child stream, and what it returned',
    evidence: refs,
  });
  if (starter !== undefined)
    emitResultOf(id, starter, 'the result the call that started this stream received', sink, [
      starter.result,
    ]);
}

function emitResultOf(
  from: string,
  { call, quality }: Starter,
  via: string,
  sink: EntitySink,
  evidence: readonly Ref[],
): void {
  const id = relationId('result_of', from, call);
  sink.relation({ id, type: 'result_of', from, to: call, quality, via, evidence });
}

interface Starter {
  /** Node id of the call. */
  readonly call: string;
  readonly quality: string;
  readonly result: Ref;
}

/**
 * The one call that started a stream directly and got its result back, when the shape makes that exact: all
 * kept edges have that tool and none a batch, one result joined and it is no launch acknowledgement, and no
 * notification reports to the stream (seeds, "The way back from a stream a call started").
 */
function directStarter(model: SessionModel, stream: number): Starter | undefined {
  const { index, children, tools } = model;
  const edges = children.keptOfChild(stream);
  const first = edges[0];
  if (first === undefined || children.isReported(stream)) return undefined;
  if (edges.some(({ tool, batch }) => tool !== first.tool || batch !== 0)) return undefined;
  const result = tools.joinedResult(first.tool);
  if (result < 0 || (index.flags[index.blockEntry[result]!]! & LAUNCH_ACK) !== 0) return undefined;
  return { call: tools.nodeId(first.tool)!, quality: first.quality, result: model.blockRef(result) };
}
