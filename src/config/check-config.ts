import { isIP } from 'node:net';
import { ConfigError } from '../format/errors.js';
import type { AdapterConfig, Config } from './config.js';
import { parseLookback } from './duration.js';

/** Checks the rules between values, in this order; the first that is broken is thrown as a `ConfigError`. */
export function checkConfig(config: Config): void {
  for (const broken of RULES) {
    const message = broken(config);
    if (message !== undefined) throw new ConfigError(`config: ${message}`);
  }
}

/** An adapter of another release that may be listed several times, once for each directory. */
const REPEATABLE = ['changes', 'claude-code-changes'];

const HIDEABLE = ['system_prompt', 'tool_schemas'];

const RULES: readonly ((config: Config) => string | undefined)[] = [
  ({ storage }) => (storage.root.trim() === '' ? 'storage.root must not be empty' : undefined),
  ({ storage }) =>
    /\p{Cc}/u.test(storage.root) ? 'storage.root must not hold control characters' : undefined,
  ({ adapters }) => {
    const unnamed = adapters.findIndex(({ name }) => name === '');
    return unnamed < 0 ? undefined : `adapters[${unnamed}] has no name`;
  },
  ({ adapters }) => first(adapters, (adapter, i) => repeats(adapter, adapters.slice(0, i))),
  ({ adapters }) =>
    first(adapters, ({ name, collector: { mode } }) =>
      mode === 'watch' || mode === 'once'
        ? undefined
        : `adapter ${quoted(name)}: unknown collector mode ${quoted(mode)}`,
    ),
  ({ export: { otlp } }) =>
    // By name, because the file may come from an implementation that has it.
    otlp.protocol === 'grpc' ? 'export.otlp.protocol is "grpc", which is not built yet; use http' : undefined,
  ({ export: { otlp } }) =>
    otlp.protocol === 'http'
      ? undefined
      : `export.otlp.protocol is ${quoted(otlp.protocol)}, want grpc or http`,
  ({ export: { otlp } }) =>
    otlp.logs || otlp.metrics
      ? undefined
      : 'export.otlp has both logs and metrics off; a push would send nothing',
  ({ metrics: { lookback } }) => {
    const parsed = parseLookback(lookback);
    return typeof parsed === 'number' ? undefined : `metrics.lookback ${quoted(lookback)} ${parsed.rule}`;
  },
  ({ view: { hide } }) =>
    first(hide, (name) =>
      HIDEABLE.includes(name)
        ? undefined
        : `view.hide names ${quoted(name)}; the page can withhold system_prompt and tool_schemas`,
    ),
  ({ view: { hosts } }) =>
    first(hosts, (host, i) =>
      isHostName(host)
        ? undefined
        : `view.hosts[${i}] is ${quoted(host)}, want the name alone, such as box.example: no scheme, port, path or *`,
    ),
];

/** Whether a `Host` header can hold this name: browsers spell every name in ASCII, `xn--…` if need be. */
function isHostName(text: string): boolean {
  return /^[a-z0-9._-]+$/i.test(text) || isIP(text) !== 0;
}

function repeats({ name, sourceRoot }: AdapterConfig, before: readonly AdapterConfig[]): string | undefined {
  if (!REPEATABLE.includes(name))
    return before.some((other) => other.name === name) ? `duplicate adapter ${quoted(name)}` : undefined;
  const twin = before.find((other) => REPEATABLE.includes(other.name) && other.sourceRoot === sourceRoot);
  if (twin === undefined) return undefined;
  const directory = sourceRoot || 'the default directory';
  return `adapters ${quoted(twin.name)} and ${quoted(name)} both read ${directory}; name each directory once`;
}

function first<T>(
  items: readonly T[],
  broken: (item: T, i: number) => string | undefined,
): string | undefined {
  for (const [i, item] of items.entries()) {
    const message = broken(item, i);
    if (message !== undefined) return message;
  }
  return undefined;
}

function quoted(text: string): string {
  return JSON.stringify(text);
}
