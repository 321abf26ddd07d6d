import type { DiscoveredSession } from '../adapters/adapter.js';
import { type LocalSource, localSources } from '../collector/sources.js';
import { AszError, causeText } from '../format/errors.js';
import type { CommandContext } from './context.js';
import { jsonText, tableLines } from './print.js';

/** `asz sources`: what could be collected; lands nothing (cli spec 3.1). */
export async function run(context: CommandContext): Promise<number> {
  const { options, config, environment, print, warn, stdout } = context;
  const sources = localSources(config(), environment);
  if (sources.length === 0) throw new AszError('CONFIG', 'sources: no enabled claude-code-local adapter');
  const found = sources.map(look);
  for (const { warnings } of found) for (const warning of warnings) warn(`  warning: ${warning}`);
  if (options.switch('json')) stdout.write(`${jsonText(found.map(asJson))}\n`);
  else for (const listing of found) for (const line of textLines(listing)) print(line);
  return 0;
}

interface Listing {
  readonly source: LocalSource;
  readonly sessions: readonly DiscoveredSession[];
  readonly filtered: number;
  readonly warnings: readonly string[];
}

function look(source: LocalSource): Listing {
  const { adapter, sourceRoot, settings } = source;
  try {
    const { sessions, faults, passedOver } = adapter.discover(sourceRoot);
    const isWanted = adapter.sessionFilter(settings);
    const wanted = sessions.filter(isWanted);
    const named = passedOver.length === 0 ? [] : [`not collected: ${passedOver.join(', ')}`];
    const warnings = [...faults.map(({ message }) => message), ...named];
    return { source, sessions: wanted, filtered: sessions.length - wanted.length, warnings };
  } catch (cause) {
    const words = causeText(cause).replace(/^scandir /, 'open ');
    const hint = 'name the right folder as source_root in asz.yaml';
    throw new AszError('SOURCE', `source ${sourceRoot}: ${words}; ${hint}`, { cause });
  }
}

const HEADINGS = ['SESSION', 'DIRS', 'STREAMS', 'META', 'JOURNAL', 'MANIFEST'];

function textLines({ source, sessions, filtered }: Listing): string[] {
  const counts = sessions.map(countsOf);
  const streams = counts.reduce((sum, count) => sum + count.streams, 0);
  const wide = counts.filter(({ dirs }) => dirs > 1);
  return [
    `source root: ${source.sourceRoot}`,
    ...(filtered === 0 ? [] : [`filtered   : ${filtered} session(s) excluded by config`]),
    '',
    ...tableLines([
      HEADINGS,
      ...counts.map(({ session, dirs, streams, meta, journal, manifest }) => [
        session,
        ...[dirs, streams, meta, journal, manifest].map(String),
      ]),
    ]),
    '',
    `${sessions.length} sessions, ${streams} streams`,
    ...(wide.length === 0
      ? []
      : [
          '',
          `${wide.length} session(s) span more than one source directory:`,
          ...wide.map(({ session, dirs }) => `  ${session}  (${dirs} dirs)`),
        ]),
  ];
}

function countsOf({ id, directories, sources }: DiscoveredSession) {
  const count = (kind: string) => sources.filter((source) => source.kind === kind).length;
  return {
    session: id,
    dirs: directories.length,
    streams: count('transcript'),
    meta: count('agent_meta'),
    journal: count('journal'),
    manifest: count('workflow_manifest'),
  };
}

function asJson({ source, sessions, filtered, warnings }: Listing) {
  const { adapter, sourceRoot } = source;
  return {
    adapter: adapter.name,
    source_root: sourceRoot,
    filtered,
    sessions: sessions.map(countsOf),
    warnings,
  };
}
