/** A plan as landed Session Data, in the dialect of the mock adapter (scenario spec 5.3, 5.4). */
import {
  dataPart,
  journalRecord,
  type MockRecord,
  manifestRecord,
  recordOf,
  scriptRecord,
  sidecarRecord,
} from '../adapters/mock/events.js';
import { landPlan, type RunPlan, type StreamPlan } from '../adapters/mock/land.js';
import type { Instant } from '../format/time.js';
import { listLandedFiles, sessionFolder } from '../io/storage-root.js';
import { scriptOf } from './fixed-words.js';
import type { Plan, PlannedRun, PlannedStream } from './plan.js';

/** Lands what is new in a plan. Gives the paths of the files that made. Throws as landing does. */
export function writeSessionData(root: string, plan: Plan, at: Instant): string[] {
  const { session, project } = plan;
  const folder = sessionFolder(root, session);
  const before = listLandedFiles(folder).at(-1)?.seq ?? 0;
  const streams = plan.streams.map(streamPlan);
  landPlan(root, { session, project, streams, runs: plan.runs.map(runPlan) }, at);
  return listLandedFiles(folder).flatMap(({ seq, path }) => (seq > before ? [path] : []));
}

function streamPlan({ id, label, tool, batch, lost, records, changes }: PlannedStream): StreamPlan {
  if (lost) return { name: id, transcript: [] };
  const written = records.filter((record) => !record.lost);
  return {
    name: id,
    transcript: written.map(({ event }) => recordOf(event, id)),
    changes: changes.map(
      ({ id: of, time, json }): MockRecord => ({ id: of, tool: of, time, parts: [dataPart(json)] }),
    ),
    ...(label === undefined || batch !== '' ? {} : { sidecar: [sidecarRecord(id, label, tool)] }),
  };
}

function runPlan({ id, name, children }: PlannedRun): RunPlan {
  return {
    id,
    journal: children.flatMap((child) => [
      journalRecord(id, child, 'started'),
      journalRecord(id, child, 'result'),
    ]),
    manifest: [manifestRecord(id, name, children.length)],
    script: [scriptRecord(scriptOf(name))],
  };
}
