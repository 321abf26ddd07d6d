import { readdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { UsageError } from '../format/errors.js';
import { compareCodePoints } from '../format/json-text.js';
import type { Instant } from '../format/time.js';
import { buildSession, checkSession, formatNamed } from '../scenario/build.js';
import { repeatedSessionId } from '../scenario/ids.js';
import { recordsOf, sessionOf } from '../scenario/plan.js';
import { DEFAULT_INTERVAL_MS } from '../scenario/scenario.js';
import { ScenarioError } from '../scenario/yaml-file.js';
import type { CommandContext } from './context.js';
import { baseTime, paceOf, scenarioIn } from './scenario-options.js';

/** A root of more sessions takes hours, and a slip of the finger must not fill a disk. */
const MAX_REPEAT = 10_000;

/** `asz scenario build`: what a scenario leaves on disk (scenario spec 7). */
export async function run({ options, args, print }: CommandContext): Promise<number> {
  const [named, out] = [options.text('format'), options.text('out')];
  if (args.length === 0) throw new UsageError('scenario build needs a FILE');
  if (!named || !out) throw new UsageError('scenario build needs --format and --out');
  for (const later of ['every', 'remove'])
    if (options.text(later) !== undefined) throw new UsageError(`--${later} is not built yet; leave it out`);
  const format = formatNamed(named);
  const pace = paceOf(options);
  const repeat = options.count('repeat') ?? 1;
  if (repeat > MAX_REPEAT) throw new UsageError(`--repeat ${repeat}: want at most ${MAX_REPEAT}`);
  const scenarios = scenarioFiles(args).map(scenarioIn);
  let at: Instant = baseTime(options) ?? { ms: Date.now(), ns: 0 };
  const taken = new Set<string>();
  const builds = Array.from({ length: repeat }, (_, i) =>
    scenarios.map((scenario) => ({ scenario, session: freeSessionId(sessionOf(scenario), i + 1, taken) })),
  ).flat();
  // All of them before anything is written.
  for (const { scenario, session } of builds) checkSession(scenario, session, format);
  const files = new Set<string>();
  const sessions: string[] = [];
  let configuration = '';
  const through = options.text('through');
  for (const { scenario, session } of builds) {
    const built = buildSession(scenario, { format, root: out, at, session, through, ...pace });
    for (const file of built.files) files.add(file);
    sessions.push(`session  : ${session} (${recordsOf(built.plan)} records)`);
    configuration = built.configuration;
    // End to end: the gap between two sessions is a person's, so it is not scaled.
    at = { ms: built.plan.lastMs + (pace.intervalMs || scenario.intervalMs || DEFAULT_INTERVAL_MS), ns: 0 };
  }
  for (const file of [...files].sort(compareCodePoints)) print(file);
  for (const line of sessions) print(line);
  print(`out      : ${resolve(out)}`);
  print(`config   : ${configuration}`);
  return 0;
}

/** Counts on until an id is free in this build. */
function freeSessionId(base: string, k: number, taken: Set<string>): string {
  for (let n = k; ; n++) {
    const id = repeatedSessionId(base, n);
    if (taken.has(id)) continue;
    taken.add(id);
    return id;
  }
}

/** A folder stands for the scenarios directly in it; a file named twice counts once. */
function scenarioFiles(words: readonly string[]): string[] {
  const files = words.flatMap((word) => (isFolder(word) ? scenariosIn(word) : [word]));
  return [...new Map(files.map((file) => [resolve(file), file])).values()];
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

function scenariosIn(folder: string): string[] {
  const names = readdirSync(folder).filter(
    (name) => name.endsWith('.yaml') && !name.endsWith('.expect.yaml'),
  );
  if (names.length === 0) throw new ScenarioError(`${folder} holds no scenario files`);
  return names.sort(compareCodePoints).map((name) => join(folder, name));
}
