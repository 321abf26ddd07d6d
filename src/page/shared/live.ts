/**
 * What the server tells while it happens: that a conversation has another head. Only a page that is seen listens,
 * because a browser allows few connections to one server, and a reader many tabs.
 */
import { signal } from '@preact/signals';

/** The chain of a conversation has another last round; 0: it has none any more. */
export interface HeadChange {
  readonly conversation: string;
  readonly head: number;
}

export interface Listener {
  onHead(change: HeadChange): void;
  /** From here on changes are told. Those before may have been missed: it begins, was hidden, or was cut off. */
  onMissed(): void;
}

/** Whether the server would tell of a change now. */
export const isListening = signal(false);

/** The server refuses a listener when too many are there; then it is asked again after this. */
const AGAIN_MS = 10_000;

/** Listens for as long as the page is open. Gives the function that ends it. */
export function listen(listener: Listener): () => void {
  let source: EventSource | undefined;
  let again: ReturnType<typeof setTimeout> | undefined;

  const begin = (): void => {
    clearTimeout(again);
    if (document.hidden || source !== undefined) return;
    source = new EventSource('/api/events');
    source.addEventListener('open', () => {
      isListening.value = true;
      listener.onMissed();
    });
    source.addEventListener('head', (event) => listener.onHead(JSON.parse(event.data)));
    source.addEventListener('error', () => {
      isListening.value = false;
      // It tries again by itself after a break, and never after a refusal.
      if (source?.readyState !== EventSource.CLOSED) return;
      end();
      again = setTimeout(begin, AGAIN_MS);
    });
  };
  const end = (): void => {
    clearTimeout(again);
    source?.close();
    source = undefined;
    isListening.value = false;
  };
  const turn = (): void => (document.hidden ? end() : begin());

  document.addEventListener('visibilitychange', turn);
  // A page left for another may be kept whole and shown again; it would come back with a connection that is none.
  addEventListener('pagehide', end);
  addEventListener('pageshow', begin);
  begin();
  return () => {
    document.removeEventListener('visibilitychange', turn);
    removeEventListener('pagehide', end);
    removeEventListener('pageshow', begin);
    end();
  };
}
