/** What the pipeline beside the server does, asked for every second while the page is seen (view spec 10). */
import { signal } from '@preact/signals';
import { ApiError, askJson } from '../shared/api.js';
import { isListening } from '../shared/live.js';

/** Times are Unix milliseconds; 0: never, or none. */
export interface ServerStatus {
  /** `static`: the server only reads. */
  readonly mode: 'watch' | 'once' | 'static';
  readonly last_refresh: number;
  readonly next_refresh: number;
  readonly refreshing: boolean;
  readonly last_error?: string;
}

export const status = signal<ServerStatus | undefined>(undefined);

const EVERY_MS = 1000;

/** Asks until ended; tells when the root was refreshed since the last answer. */
export function followStatus(onRefreshed: () => void): () => void {
  let isAsking = false;
  const ask = async (): Promise<void> => {
    // An answer that takes long is waited for: a later one must not be told before it.
    if (isAsking || document.hidden || !isWorthAsking()) return;
    isAsking = true;
    try {
      const before = status.value;
      status.value = await askJson<ServerStatus>('/api/status');
      if (before !== undefined && before.last_refresh !== status.value.last_refresh) onRefreshed();
    } catch (cause) {
      // That the server is gone, the list says when it is asked for anew.
      if (!(cause instanceof ApiError)) throw cause;
      status.value = undefined;
    } finally {
      isAsking = false;
    }
  };
  void ask();
  const timer = setInterval(() => void ask(), EVERY_MS);
  return () => clearInterval(timer);
}

/** A server that only reads does nothing that is worth telling, and its events tell what changes. */
function isWorthAsking(): boolean {
  return status.value?.mode !== 'static' || !isListening.value;
}
