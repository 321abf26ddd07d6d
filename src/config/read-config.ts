import { parseDocument, type YAMLError } from 'yaml';
import { ConfigError, causeText } from '../format/errors.js';
import type { AdapterConfig, Config, OtlpConfig } from './config.js';
import { parseDuration } from './duration.js';
import { Section } from './section.js';

const MIB = 1024 * 1024;

/** Bounds a landed file's source bytes, and a round's bytes. */
export const DEFAULT_BUDGET_BYTES = 2 * MIB;

const DEFAULT_INTERVAL_MS = 600_000;

/** Claude Code's own scratch directory on macOS: sessions of tests and one-off runs. */
const DEFAULT_EXCLUDE = ['/private/tmp/**'];

/** The default list. Only adapters that exist, so that nobody is told of one they never wrote down. */
const DEFAULT_ADAPTERS = [{ name: 'claude-code-local' }];

/**
 * Reads the text of a configuration file over the defaults. A key left out, null, an empty text, or a zero
 * where a size is meant, keeps its default; unknown keys are ignored.
 *
 * Throws `ConfigError` `config: parse <path>: <cause>`, for YAML that does not parse and for a value of
 * another type than its key's. Rules between values are `checkConfig`'s.
 */
export function readConfig(path: string, text: string): Config {
  try {
    return configOf(new Section('', yamlValue(text)));
  } catch (cause) {
    throw new ConfigError(`config: parse ${path}: ${causeText(cause)}`, { cause });
  }
}

function yamlValue(text: string): unknown {
  const document = parseDocument(text, { merge: true, prettyErrors: true });
  const [error] = document.errors;
  if (error?.code === 'MULTIPLE_DOCS') throw new Error('it holds several YAML documents, want one');
  // Not as a cause: it draws the offending line, which may be that of a secret.
  if (error !== undefined) throw new Error(withoutText(error));
  try {
    return document.toJS();
  } catch {
    throw new Error('it has an alias or a merge key that does not resolve');
  }
}

/** What is wrong and where, without anything that the file says. */
function withoutText({ code, message }: YAMLError): string {
  const [first = ''] = message.split(':\n');
  const at = / at line \d+, column \d+$/.exec(first)?.[0] ?? '';
  const words = first.slice(0, first.length - at.length);
  return (QUOTING[code] ?? words.replace(/: .*$/s, '')) + at;
}

/** Errors whose words quote the file in their midst. */
const QUOTING: Readonly<Record<string, string>> = {
  TAG_RESOLVE_FAILED: 'A tag does not resolve',
  BAD_DQ_ESCAPE: 'Invalid escape sequence',
  BAD_SCALAR_START: 'A plain value cannot start like this; put it into quotes',
};

function configOf(file: Section): Config {
  const metrics = file.section('metrics');
  const view = file.section('view');
  return {
    storage: { root: file.section('storage').text('root', './data') },
    adapters: adaptersOf(file),
    parse: { maxRoundBytes: file.section('parse').size('max_round_bytes', DEFAULT_BUDGET_BYTES) },
    metrics: { enabled: metrics.flag('enabled', true), lookback: metrics.text('lookback', '72h') },
    export: { otlp: otlpOf(file.section('export').section('otlp')) },
    view: { hide: view.texts('hide', []), hosts: view.texts('hosts', []) },
  };
}

/** A list in the file replaces the default list; an empty one keeps it. */
function adaptersOf(file: Section): AdapterConfig[] {
  const written = file.sections('adapters');
  if (written.length > 0) return written.map(adapterOf);
  return DEFAULT_ADAPTERS.map((adapter) => adapterOf(new Section('', adapter)));
}

function adapterOf(adapter: Section): AdapterConfig {
  const collector = adapter.section('collector');
  return {
    name: adapter.text('name', ''),
    enabled: adapter.flag('enabled', true),
    sourceRoot: adapter.text('source_root', ''),
    include: adapter.texts('include', []),
    exclude: adapter.texts('exclude', DEFAULT_EXCLUDE),
    collector: {
      mode: collector.text('mode', 'watch'),
      intervalMs: intervalOf(collector),
      maxDeltaBytes: collector.size('max_delta_bytes', DEFAULT_BUDGET_BYTES),
    },
  };
}

/** A bare number is refused: it looks like seconds and would mean nanoseconds to the other implementation. */
function intervalOf(collector: Section): number {
  const text = collector.text('interval', '0');
  const ms = parseDuration(text);
  if (ms === undefined)
    throw new TypeError(
      `${collector.nameOf('interval')} ${JSON.stringify(text)} is not a duration such as 10m`,
    );
  return ms > 0 ? ms : DEFAULT_INTERVAL_MS;
}

function otlpOf(otlp: Section): OtlpConfig {
  return {
    protocol: otlp.text('protocol', 'http'),
    endpoint: otlp.text('endpoint', ''),
    tls: otlp.flag('tls', false),
    serviceName: otlp.text('service_name', ''),
    instanceId: otlp.text('instance_id', ''),
    layer: otlp.text('layer', 'AI_AGENT'),
    headers: otlp.textMap('headers'),
    batchBytes: otlp.size('batch_bytes', 8 * MIB),
    maxBytesPerMinute: otlp.size('max_bytes_per_minute', 0),
    logs: otlp.flag('logs', true),
    metrics: otlp.flag('metrics', true),
  };
}
