import { AszError } from '../format/errors.js';
import type { ParseReport } from '../rounds/parse-session.js';
import { performAll } from '../workers/session-workers.js';
import { subjectOf } from '../workers/tasks.js';
import type { CommandContext } from './context.js';
import { jsonText, tableLines } from './print.js';
import { Progress } from './progress.js';
import { wantedSessions } from './wanted-sessions.js';

/** `asz parse`: every session, or one, until each chain reaches its index (cli spec 3.6). */
export async function run(context: CommandContext): Promise<number> {
  const { options, config, print, warn, stderr, signal } = context;
  const { storage, parse } = config();
  const sessions = wantedSessions(storage.root, context);
  const tasks = sessions.map((session) => ({
    kind: 'parse' as const,
    root: storage.root,
    session,
    maxRoundBytes: parse.maxRoundBytes,
  }));
  const progress = new Progress(stderr);
  const outcomes = await performAll(tasks, {
    jobs: options.count('jobs'),
    signal,
    onDone: (done, task) => progress.show(`parsed ${done} of ${tasks.length}: ${subjectOf(task)}`),
  });
  progress.clear();
  signal.throwIfAborted();
  const parsed: { session: string; reports: readonly ParseReport[] }[] = [];
  const failed: { session: string; error: string }[] = [];
  for (const [i, outcome] of outcomes.entries()) {
    const session = sessions[i]!;
    if ('error' in outcome) failed.push({ session, error: outcome.error.message });
    // A directory with nothing to assemble is no session: nothing is said of it.
    else if (outcome.result.at(-1)?.counts !== undefined) parsed.push({ session, reports: outcome.result });
  }
  for (const { session, error } of failed) warn(`  ${session}: ${error}`);
  if (options.switch('json')) context.stdout.write(`${jsonText(asJson(parsed, failed))}\n`);
  else for (const line of textLines(parsed)) print(line);
  if (failed.length > 0) throw new AszError('PARSE', `${failed.length} session(s) failed to parse`);
  return 0;
}

type Parsed = { readonly session: string; readonly reports: readonly ParseReport[] };

const HEADINGS = [
  'SESSION',
  'ROUND',
  'SEQ',
  'NODES',
  'RELS',
  'UNRES',
  'TALKS',
  'RUNS',
  'STEPS',
  'TOOLS',
  'CHILDREN',
];

function textLines(parsed: readonly Parsed[]): string[] {
  const rows = parsed.map(({ session, reports }) => {
    const { last, written } = outcomeOf(reports);
    const counts = last.counts;
    const { nodes, relations, unresolved } = written?.frames ?? NO_FRAMES;
    return [
      session,
      written === undefined ? '-' : String(written.round),
      ...[last.throughSeq, nodes, relations, unresolved].map(String),
      ...[counts?.talks ?? 0, counts?.runs ?? 0, counts?.steps ?? 0].map(String),
      `${counts?.toolsJoined ?? 0}/${counts?.toolUses ?? 0}`,
      `${counts?.childrenResolved ?? 0}/${counts?.childLaunches ?? 0}`,
    ];
  });
  return [...tableLines([HEADINGS, ...rows]), '', `${roundsWritten(parsed)} round(s) written`];
}

const NO_FRAMES = { nodes: 0, relations: 0, unresolved: 0 };

/** The last report says what the conversation covers; the last round written may be an earlier one's. */
function outcomeOf(reports: readonly ParseReport[]): { last: ParseReport; written: ParseReport | undefined } {
  return { last: reports.at(-1)!, written: reports.findLast(({ round }) => round > 0) };
}

function roundsWritten(parsed: readonly Parsed[]): number {
  return parsed.reduce((sum, { reports }) => sum + reports.filter(({ round }) => round > 0).length, 0);
}

function asJson(parsed: readonly Parsed[], failed: readonly { session: string; error: string }[]) {
  return {
    sessions: parsed.map(({ session, reports }) => ({
      session,
      through_seq: reports.at(-1)!.throughSeq,
      rounds: reports
        .filter(({ round }) => round > 0)
        .map(({ round, digest, path, fromSeq, throughSeq, frames, tombstones }) => ({
          ...{ round, digest, path, from_seq: fromSeq, through_seq: throughSeq, ...frames, tombstones },
        })),
      counts: reports.at(-1)!.counts ?? null,
    })),
    failed,
    rounds_written: roundsWritten(parsed),
  };
}
