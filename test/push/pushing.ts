/** A push as tests make it: settings of which each says only what it is about. */
import { readdirSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { type PushOptions, type PushReport, pushRoot } from '../../src/push/push-root.js';
import { receiverOf } from '../../src/push/receiver.js';

export interface Pushing extends Partial<Omit<PushOptions, 'receiver' | 'identity'>> {
  readonly endpoint: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly serviceName?: string;
}

export const NOW = { ms: Date.UTC(2026, 0, 3), ns: 0 };

export function push(root: string, pushing: Pushing): Promise<PushReport> {
  return pushRoot(settingsOf(root, pushing));
}

export function settingsOf(
  root: string,
  { endpoint, headers = {}, serviceName = '', ...rest }: Pushing,
): PushOptions {
  return {
    root,
    receiver: receiverOf(endpoint, headers),
    identity: {
      ...{ serviceName, instanceId: 'ann@laptop', layer: 'AI_AGENT', version: '1.2.3' },
      agents: new Map([
        ['mock', 'Mock Agent'],
        ['claude-code-local', 'Claude Code'],
      ]),
    },
    batchBytes: 8 * 1024 * 1024,
    maxBytesPerMinute: 0,
    requestMs: 60_000,
    lockMs: 0,
    now: () => NOW,
    sleep: (ms, signal) => setTimeout(ms, undefined, { signal }),
    signal: new AbortController().signal,
    ...rest,
  };
}

/** Every file that a push sends, below the root, sorted. */
export function sendable(root: string): string[] {
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .map((path) => path.replaceAll('\\', '/'))
    .filter(
      (path) =>
        /^[^_/][^/]*\/(streams|runs)\/[^/]+\/[^/]+-\d{6,}\.sd$/.test(path) ||
        /^_conversations\/[^/]+\/rounds\/[^/]+\.sf$/.test(path),
    )
    .sort();
}
