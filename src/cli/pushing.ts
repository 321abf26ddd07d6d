/** What every command that pushes takes from the configuration (export spec 6, 13). */
import { setTimeout } from 'node:timers/promises';
import { ADAPTERS } from '../adapters/registry.js';
import type { Config } from '../config/config.js';
import { ConfigError } from '../format/errors.js';
import { defaultInstance } from '../push/identity.js';
import { Pusher, type PushSettings } from '../push/pusher.js';
import { type Receiver, receiverOf } from '../push/receiver.js';
import { packageVersion } from './version.js';

/** What one request may take in all. */
const REQUEST_MS = 60_000;

/** Throws `ConfigError` for an endpoint or headers that cannot be meant. */
export function pushSettings({ storage, export: { otlp } }: Config): PushSettings {
  return {
    root: storage.root,
    receiver: receiverIn(otlp),
    identity: {
      serviceName: otlp.serviceName,
      agents: new Map(ADAPTERS.map(({ name, runtime }) => [name, runtime])),
      instanceId: otlp.instanceId || defaultInstance(),
      layer: otlp.layer,
      version: packageVersion(),
    },
    batchBytes: otlp.batchBytes,
    maxBytesPerMinute: otlp.maxBytesPerMinute,
    requestMs: REQUEST_MS,
    now: () => ({ ms: Date.now(), ns: 0 }),
    sleep: (ms, signal) => setTimeout(ms, undefined, { signal }),
  };
}

/** Where the passes of a pipeline end; `undefined` when the configuration names no endpoint. */
export function pusherOf(config: Config): Pusher | undefined {
  const { endpoint, logs } = config.export.otlp;
  return endpoint === '' || !logs ? undefined : new Pusher(pushSettings(config));
}

/** How a receiver is named to people. */
export function receiverText({ url }: Receiver): string {
  return `${url.href} over HTTP`;
}

function receiverIn({ endpoint, headers }: Config['export']['otlp']): Receiver {
  try {
    return receiverOf(endpoint, headers);
  } catch (cause) {
    throw cause instanceof ConfigError ? new ConfigError(`push: ${cause.message}`, { cause }) : cause;
  }
}
