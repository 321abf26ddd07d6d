/** Who sends, as a resource says it (export spec 4, 6). */
import { randomUUID } from 'node:crypto';
import { hostname, userInfo } from 'node:os';
import { readHeader } from '../format/session-data.js';
import { readFirstLine } from '../io/first-line.js';
import type { LandedFile } from '../io/storage-root.js';
import type { Attribute, Scope } from './encode-request.js';

export interface Identity {
  /** One service for everything; empty: the agent of each session. */
  readonly serviceName: string;
  /** Names of agents by the names of their adapters. */
  readonly agents: ReadonlyMap<string, string>;
  readonly instanceId: string;
  readonly layer: string;
  /** Of asz. */
  readonly version: string;
}

/** A constant of the format: receivers know these files by it. */
const SCOPE_NAME = 'github.com/apache/skywalking-ai-sessionizer';

export function scopeOf({ version }: Identity): Scope {
  return { name: SCOPE_NAME, version };
}

export function resourceOf({ instanceId, version, layer }: Identity, service: string): Attribute[] {
  return [
    ['service.name', service],
    ['service.instance.id', instanceId],
    ['telemetry.sdk.name', 'asz'],
    ['telemetry.sdk.version', version],
    ['telemetry.sdk.language', 'nodejs'],
    ...(layer === '' ? [] : [['service.layer', layer] as const]),
  ];
}

/** Nothing in a session names its agent. */
const UNKNOWN_SERVICE = 'unknown';

/**
 * The service of a session: the agent whose adapter landed its first transcript, else its first file. An adapter that
 * nobody knows stands for itself; a header that cannot be read names none.
 */
export function serviceOf({ serviceName, agents }: Identity, files: readonly LandedFile[]): string {
  if (serviceName !== '') return serviceName;
  let first = '';
  for (const { path } of files) {
    const { adapter, kind } = origin(path);
    if (adapter !== '' && kind === 'transcript') return agents.get(adapter) ?? adapter;
    first ||= adapter;
  }
  return first === '' ? UNKNOWN_SERVICE : (agents.get(first) ?? first);
}

function origin(path: string): { readonly adapter: string; readonly kind: string } {
  try {
    const { adapter, kind } = readHeader(readFirstLine(path));
    return { adapter: adapter.split('/', 1)[0]!, kind };
  } catch {
    return { adapter: '', kind: '' }; // Sending the file says what is wrong with it.
  }
}

/** `user@host`, as the system has them; an id of this process where it does not know. */
export function defaultInstance(): string {
  const user = accountName().replace(/^.*[\\/]/s, '');
  const host = hostname();
  return user === '' || host === '' ? PROCESS_ID : `${user}@${host}`;
}

const PROCESS_ID = randomUUID();

function accountName(): string {
  try {
    return userInfo().username;
  } catch {
    return ''; // The account has no entry.
  }
}
