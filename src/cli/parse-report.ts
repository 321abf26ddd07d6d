import type { ParseReport } from '../rounds/parse-session.js';
import type { Outcome } from '../workers/session-workers.js';
import { tableLines } from './print.js';

/** What parses of sessions came to, for people and for programs (cli spec 3.6). */
export interface ParsedSessions {
  readonly parsed: readonly { readonly session: string; readonly reports: readonly ParseReport[] }[];
  readonly failed: readonly { readonly session: string; readonly error: string }[];
}

/** The outcomes by how they ended. A directory with nothing to assemble is no session: nothing is said of it. */
export function parsedSessions(
  sessions: readonly string[],
  outcomes: readonly Outcome<ParseReport[]>[],
): ParsedSessions {
  const parsed: { session: string; reports: readonly ParseReport[] }[] = [];
  const failed: { session: string; error: string }[] = [];
  for (const [i, outcome] of outcomes.entries()) {
    const session = sessions[i]!;
    if ('error' in outcome) failed.push({ session, error: outcome.error.message });
    else if (outcome.result.at(-1)?.counts !== undefined) parsed.push({ session, reports: outcome.result });
  }
  return { parsed, failed };
}

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

/** The table, and how many rounds were written. */
export function parsedLines({ parsed }: ParsedSessions): string[] {
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

function roundsWritten(parsed: ParsedSessions['parsed']): number {
  return parsed.reduce((sum, { reports }) => sum + reports.filter(({ round }) => round > 0).length, 0);
}

/** The JSON members, in this order. */
export function parsedJson({ parsed, failed }: ParsedSessions) {
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
