import { localSources } from '../collector/sources.js';
import { defaultConfig } from '../config/config.js';
import { AszError } from '../format/errors.js';
import { type RepackReport, repackRoot } from '../repack/repack-root.js';
import type { CommandContext } from './context.js';
import { type ParsedSessions, parsedJson, parsedLines, parsedSessions } from './parse-report.js';
import { jsonText, sizeText, tableLines } from './print.js';
import { Progress } from './progress.js';

/** `asz repack DEST [SESSION]`: landed files cut anew into another root, and its chains (cli spec 3.7). */
export async function run(context: CommandContext): Promise<number> {
  const { options, args, config, environment, print, warn, stdout, stderr, signal } = context;
  const { storage, parse } = config();
  const [destination = '', session] = args;
  const settings = localSources(config(), environment)[0]?.settings ?? defaultConfig().adapters[0]!;
  const budgetBytes = settings.collector.maxDeltaBytes;
  const json = options.switch('json');
  const progress = new Progress(stderr);
  const report = await repackRoot({
    root: storage.root,
    destination,
    session,
    budgetBytes,
    maxRoundBytes: parse.maxRoundBytes,
    jobs: options.count('jobs'),
    signal,
    now: () => ({ ms: Date.now(), ns: 0 }),
    onProgress: (text) => progress.show(text),
  }).finally(() => progress.clear());
  const { repacked, failed } = report;
  const all = parsedSessions(
    repacked.map(({ session }) => session),
    report.parsed,
  );
  for (const { session, error } of [...failed, ...all.failed]) warn(`  ${session}: ${error}`);
  if (json) {
    const roots = { from: storage.root, to: destination, budget_bytes: budgetBytes };
    stdout.write(`${jsonText({ ...roots, ...asJson(report, all) })}\n`);
  } else {
    print(`from  : ${storage.root}`);
    print(`to    : ${destination}`);
    print(`budget: ${sizeText(budgetBytes)} per file`);
    for (const line of textLines(report, all)) print(line);
  }
  if (failed.length > 0)
    throw new AszError(
      'REPACK',
      `${failed.length} session(s) failed to repack${leftWith(report, destination)}`,
    );
  if (all.failed.length > 0) throw new AszError('PARSE', `${all.failed.length} session(s) failed to parse`);
  return 0;
}

function leftWith({ repacked }: RepackReport, destination: string): string {
  if (repacked.length === 0) return '; nothing was made';
  return `; ${destination} holds the other ${repacked.length}, whose chains asz parse builds`;
}

const HEADINGS = ['SESSION', 'FILES IN', 'FILES OUT', 'RECORDS', 'BYTES'];

function textLines({ repacked, failed }: RepackReport, all: ParsedSessions): string[] {
  const rows = repacked.map(({ session, filesIn, filesOut, records, bytes }) => [
    session,
    ...[filesIn, filesOut, records].map(String),
    sizeText(bytes),
  ]);
  const lines = ['', ...tableLines([HEADINGS, ...rows]), '', `${repacked.length} session(s) repacked`];
  return failed.length > 0 ? lines : [...lines, '', ...parsedLines(all)];
}

function asJson({ repacked, failed }: RepackReport, all: ParsedSessions) {
  return {
    sessions: repacked.map(({ session, filesIn, filesOut, records, bytes }) => ({
      ...{ session, files_in: filesIn, files_out: filesOut, records, bytes },
    })),
    failed,
    // No chain is built where a session failed.
    parse: failed.length > 0 ? null : parsedJson(all),
  };
}
