import { AszError } from '../format/errors.js';
import { performAll } from '../workers/session-workers.js';
import { subjectOf } from '../workers/tasks.js';
import type { CommandContext } from './context.js';
import { parsedJson, parsedLines, parsedSessions } from './parse-report.js';
import { jsonText } from './print.js';
import { Progress } from './progress.js';
import { wantedSessions } from './wanted-sessions.js';

/** `asz parse`: every session, or one, until each chain reaches its index (cli spec 3.6). */
export async function run(context: CommandContext): Promise<number> {
  const { options, config, print, warn, stdout, stderr, signal } = context;
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
  const all = parsedSessions(sessions, outcomes);
  for (const { session, error } of all.failed) warn(`  ${session}: ${error}`);
  if (options.switch('json')) stdout.write(`${jsonText(parsedJson(all))}\n`);
  else for (const line of parsedLines(all)) print(line);
  if (all.failed.length > 0) throw new AszError('PARSE', `${all.failed.length} session(s) failed to parse`);
  return 0;
}
