/** A push as tests make it: settings of which each says only what it is about, and roots to push. */
import { chmodSync, cpSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { type PushOptions, type PushReport, pushRoot } from '../../src/push/push-root.js';
import { receiverOf } from '../../src/push/receiver.js';
import { REPOSITORY, temporaryFolder } from '../shared.js';

export interface Pushing extends Partial<Omit<PushOptions, 'receiver' | 'identity'>> {
  readonly endpoint: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly serviceName?: string;
}

export const NOW = { ms: Date.UTC(2026, 0, 3), ns: 0 };

export function push(
  root: string,
  { endpoint, headers = {}, serviceName = '', ...rest }: Pushing,
): Promise<PushReport> {
  return pushRoot({
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
  });
}

/** A copy of one of the golden roots, which may be written to. */
export function goldenCopy(name: string): string {
  return copyOfRoot(join(REPOSITORY, 'test/golden', name));
}

export function copyOfRoot(from: string): string {
  const root = join(temporaryFolder(), 'root');
  cpSync(from, root, { recursive: true, preserveTimestamps: true });
  for (const entry of readdirSync(root, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    chmodSync(path, entry.isDirectory() ? 0o755 : 0o644);
  }
  return root;
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
