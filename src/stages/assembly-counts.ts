/** What a parse reports of a session (assembly spec, "Counts a parse reports"). */
import { countNotifications } from './delegation.js';
import type { SessionModel } from './session-model.js';

export interface AssemblyCounts {
  readonly entries: number;
  readonly duplicates: number;
  readonly evidence: number;
  readonly beyondWatermark: number;
  readonly streams: number;
  readonly epochs: number;
  readonly talks: number;
  readonly runs: number;
  readonly steps: number;
  readonly segments: number;
  readonly calls: number;
  readonly fragments: number;
  readonly unfinishedCalls: number;
  readonly syntheticMessages: number;
  readonly toolUses: number;
  readonly toolsJoined: number;
  readonly childLaunches: number;
  readonly childrenResolved: number;
  readonly orphanStreams: number;
  readonly notifications: number;
  readonly unmatchedNotifications: number;
}

/** The counts at the model's checkpoint. `steps` is counted by whoever writes the nodes. */
export function assemblyCounts(model: SessionModel, steps: number): AssemblyCounts {
  const calls = model.calls.counts();
  const tools = model.tools.counts();
  const children = model.children.counts();
  const { notifications, unmatched } = countNotifications(model);
  return {
    entries: model.records.kept,
    duplicates: model.records.duplicates,
    evidence: model.records.evidence,
    beyondWatermark: model.index.entries - model.entries,
    streams: model.streams.inOrder().length,
    epochs: model.epochs.count,
    ...model.talks.counts(),
    steps,
    segments: model.segments.count,
    calls: calls.calls,
    fragments: calls.fragments,
    unfinishedCalls: calls.unfinished,
    syntheticMessages: calls.synthetic,
    toolUses: tools.uses,
    toolsJoined: tools.joined,
    childLaunches: children.launches,
    childrenResolved: children.resolved,
    orphanStreams: children.orphans,
    notifications,
    unmatchedNotifications: unmatched,
  };
}
