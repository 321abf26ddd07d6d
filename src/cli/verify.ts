import { join } from 'node:path';
import { AszError, causeText } from '../format/errors.js';
import { listLinks } from '../io/passed-over.js';
import { listConversations } from '../io/storage-root.js';
import { Twins, twinWords } from '../io/twins.js';
import { type ChainReport, checkChain, type LandedDigests, type RoundRead } from '../rounds/verify-chain.js';
import { type LandedReport, unlisted, verifyLanded } from '../rounds/verify-landed.js';
import { type Outcome, performAll } from '../workers/session-workers.js';
import { type RoundsTask, subjectOf, type VerifyTask } from '../workers/tasks.js';
import type { CommandContext } from './context.js';
import { jsonText } from './print.js';
import { Progress } from './progress.js';
import { wantedSessions } from './wanted-sessions.js';

/** `asz verify`: landed files and chains, every session or one. Changes nothing (cli spec 3.12). */
export async function run(context: CommandContext): Promise<number> {
  const { options, args, config, stderr, signal } = context;
  const { root } = config().storage;
  const [wanted] = args;
  const isWanted = (id: string) => wanted === undefined || wanted === id;
  // A link is no session or conversation to anybody else; that something may be behind it, its own turn tells.
  const linked = (folder: string) => listLinks(folder).filter(isWanted);
  const links = linked(root).filter((name) => !name.startsWith('_'));
  const sessions = [...wantedSessions(root, context), ...links];
  const conversations = [
    ...listConversations(root).filter(isWanted),
    ...linked(join(root, '_conversations')),
  ];
  // Rounds are looked for before landed files: what a round covers landed before it, also while others are at work.
  const tasks: VerificationTask[] = [
    ...conversations.map((conversation) => ({ kind: 'rounds' as const, root, conversation })),
    ...sessions.map((session) => ({ kind: 'verify' as const, root, session })),
  ];
  const progress = new Progress(stderr);
  const outcomes = await performAll(tasks, {
    jobs: options.count('jobs'),
    signal,
    onDone: (done, task) => progress.show(`verified ${done} of ${tasks.length}: ${subjectOf(task)}`),
  });
  signal.throwIfAborted();
  const rounds = outcomes.slice(0, conversations.length) as Outcome<RoundRead[]>[];
  const reports = outcomes.slice(conversations.length) as Outcome<LandedReport>[];
  const landed = reports.map((outcome, i): LandedReport => {
    if ('result' in outcome) return outcome.result;
    const session = sessions[i]!;
    const problems = [unlisted(session, outcome.error.message)];
    return { session, problems, streams: 0, records: 0, relanded: 0, digests: undefined };
  });
  const twins = new Twins();
  for (const [i, { session, problems }] of landed.entries()) {
    const first = twins.firstOf(session);
    if (first === undefined) continue;
    const words = `listing  ${twinWords(session, first)}`;
    landed[i] = {
      ...landed[i]!,
      problems: [{ id: 'name-twin', file: session, line: 0, words }, ...problems],
    };
  }
  const bySession = new Map(landed.map((report) => [report.session, report]));
  const digestsOf = (session: string) => (bySession.get(session) ?? verifyLanded(root, session)).digests;
  const chains = rounds.map((outcome, i) => chainReport(conversations[i]!, outcome, digestsOf));
  progress.clear();
  // A directory without streams is no session; one whose problems say why it has none is.
  const sessionsFound = landed.filter(({ streams, problems }) => streams > 0 || problems.length > 0);
  return report(context, sessionsFound, chains);
}

type VerificationTask = RoundsTask | VerifyTask;

/** A chain that cannot even be listed, or whose name no conversation can have, hides no other. */
function chainReport(conversation: string, rounds: Outcome<RoundRead[]>, landed: LandedDigests): ChainReport {
  try {
    if ('error' in rounds) throw rounds.error;
    return checkChain(conversation, rounds.result, landed);
  } catch (cause) {
    const words = `listing  ${causeText(cause)}`;
    const file = `_conversations/${conversation}`;
    return { conversation, problems: [{ id: 'chain-listing', file, line: 0, words }], rounds: 0 };
  }
}

function report(
  { options, print, stdout }: CommandContext,
  landed: readonly LandedReport[],
  chains: readonly ChainReport[],
): number {
  const problems = [...landed, ...chains].reduce((sum, { problems }) => sum + problems.length, 0);
  if (options.switch('json')) stdout.write(`${jsonText(asJson(landed, chains, problems))}\n`);
  else for (const line of textLines(landed, chains, problems)) print(line);
  if (problems > 0) throw new AszError('VERIFY', `${problems} contiguity or integrity problem(s)`);
  return 0;
}

function textLines(
  landed: readonly LandedReport[],
  chains: readonly ChainReport[],
  problems: number,
): string[] {
  const total = (key: 'streams' | 'records' | 'relanded') =>
    landed.reduce((sum, report) => sum + report[key], 0);
  const lines: string[] = [];
  for (const { session, problems } of landed)
    if (problems.length > 0)
      lines.push(`${session}: ${problems.length} problem(s)`, ...problems.map(({ words }) => `   ${words}`));
  lines.push(
    `checked ${landed.length} session(s), ${total('streams')} stream(s), ${total('records')} records`,
  );
  if (total('relanded') > 0)
    lines.push(
      `${total('relanded')} record(s) landed more than once by an interrupted pass; assembly removes them`,
    );
  for (const { conversation, problems } of chains)
    if (problems.length > 0)
      lines.push(
        `${conversation}: ${problems.length} problem(s) in the chain`,
        ...problems.map(({ words }) => `   ${words}`),
      );
  if (chains.length > 0) {
    const rounds = chains.reduce((sum, chain) => sum + chain.rounds, 0);
    lines.push(`checked ${chains.length} conversation chain(s), ${rounds} round(s)`);
  }
  if (problems === 0) lines.push('all landed data is contiguous and matches its digests');
  return lines;
}

function asJson(landed: readonly LandedReport[], chains: readonly ChainReport[], problems: number) {
  return {
    problems,
    sessions: landed.map(({ session, problems, streams, records, relanded }) => ({
      ...{ session, problems, streams, records, relanded },
    })),
    chains: chains.map(({ conversation, problems, rounds }) => ({ conversation, problems, rounds })),
  };
}
