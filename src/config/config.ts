/**
 * `asz.yaml` as the commands see it: every value present, in the units the code counts in.
 *
 *     storage:
 *       root: ./data
 *     adapters:
 *       - name: claude-code-local
 *         collector: { mode: watch, interval: 10m, max_delta_bytes: 2097152 }
 *
 * The section `metrics` is read and checked, and has no effect before its command exists.
 * Source: cli spec 4.
 */

import { join } from 'node:path';
import { ConfigError, causeText, isErrno } from '../format/errors.js';
import { lstatSync } from '../io/file-system.js';
import { readRegularFile } from '../io/small-file.js';
import { checkConfig } from './check-config.js';
import { readConfig } from './read-config.js';

export interface Config {
  readonly storage: {
    /** Relative to the working directory, not to the file. */
    readonly root: string;
  };
  readonly adapters: readonly AdapterConfig[];
  readonly parse: { readonly maxRoundBytes: number };
  readonly metrics: {
    readonly enabled: boolean;
    /** As written: a duration, days as `3d`, or `none`. */
    readonly lookback: string;
  };
  readonly export: { readonly otlp: OtlpConfig };
  readonly view: {
    /** Withheld from everybody who looks at a page: of `system_prompt`, `tool_schemas`. */
    readonly hide: readonly string[];
    /** Names a page may be asked for under, beside addresses and `localhost`. */
    readonly hosts: readonly string[];
  };
}

export interface AdapterConfig {
  readonly name: string;
  readonly enabled: boolean;
  /** Empty: where the agent keeps its files by default. */
  readonly sourceRoot: string;
  /** Empty: every session. */
  readonly include: readonly string[];
  readonly exclude: readonly string[];
  readonly collector: {
    /** `watch` or `once`; anything else does not pass the check. */
    readonly mode: string;
    /** From the end of one pass to the start of the next. */
    readonly intervalMs: number;
    readonly maxDeltaBytes: number;
  };
}

export interface OtlpConfig {
  readonly protocol: string;
  /** Empty: nothing is sent. */
  readonly endpoint: string;
  readonly tls: boolean;
  readonly serviceName: string;
  readonly instanceId: string;
  readonly layer: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly batchBytes: number;
  /** 0: no limit. */
  readonly maxBytesPerMinute: number;
  readonly logs: boolean;
  readonly metrics: boolean;
}

/** The name of the file that is looked for in the working directory. */
export const CONFIG_FILE = 'asz.yaml';

/**
 * The configuration of a command: the file named by `-config`, else `asz.yaml` in the working directory when
 * there is one, else the defaults. No home or system directory is searched, and no variable overrides a key.
 * A link to a file is that file.
 *
 * Throws `ConfigError`: `config: read <path>: …`, `config: parse <path>: …`, and the texts of the check.
 */
export function loadConfig(named: string | undefined, workingDirectory: string): Config {
  const beside = join(workingDirectory, CONFIG_FILE);
  if (named === undefined && !isThere(beside)) return defaultConfig();
  const path = named ?? CONFIG_FILE;
  const config = readConfig(path, fileText(path, named ?? beside));
  checkConfig(config);
  return config;
}

/** What holds without a file. */
export function defaultConfig(): Config {
  return readConfig('', '');
}

function fileText(shown: string, path: string): string {
  try {
    return readRegularFile(path, { followLinks: true }).toString('utf8');
  } catch (cause) {
    const dangling = isErrno(cause, 'ENOENT') && isThere(path);
    const words = dangling ? 'it is a link to a file that does not exist' : causeText(cause);
    throw new ConfigError(`config: read ${shown}: ${words}`, { cause });
  }
}

/** Whether a name is taken, be it by a dangling link: who wrote a file down must not get the defaults instead. */
function isThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return true; // Nobody may look; the read says why.
  }
}
