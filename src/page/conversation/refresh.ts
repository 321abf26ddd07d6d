/** Keeps the page up with the conversation: a round that is announced is fetched and shown in place. */
import { signal } from '@preact/signals';
import { ApiError } from '../shared/api.js';
import { isListening, listen } from '../shared/live.js';
import { fetchNewer } from './load-document.js';
import { order, renew } from './moves.js';
import { following, said, sought } from './state.js';

/** What the page knows of newer rounds: nothing while the server does not tell. */
export type Freshness = 'live' | 'fetching' | 'not told';

const fetching = signal(false);
const failed = signal(false);

export function freshness(): Freshness {
  if (fetching.value) return 'fetching';
  return isListening.value && !failed.value ? 'live' : 'not told';
}

/** Several announcements in so short a time are one. */
const COALESCE_MS = 150;

/** Stays up with a conversation for as long as the page is open. Gives the function that ends it. */
export function keepFresh(id: string): () => void {
  let waiting: ReturnType<typeof setTimeout> | undefined;
  let again = false;
  const soon = () => {
    clearTimeout(waiting);
    waiting = setTimeout(() => {
      if (fetching.value) again = true;
      else void fetchNow();
    }, COALESCE_MS);
  };
  const fetchNow = async () => {
    fetching.value = true;
    try {
      const document = await fetchNewer(id);
      failed.value = false;
      if (document !== undefined) {
        renew(document);
        said.value = `Round ${document.head.round} arrived`;
        if (following.value) toLatest();
      }
    } catch (cause) {
      if (!(cause instanceof ApiError)) throw cause;
      failed.value = true;
    } finally {
      fetching.value = false;
      if (again) soon();
      again = false;
    }
  };
  const end = listen({
    onHead: ({ conversation }) => {
      if (conversation === id) soon();
    },
    onMissed: soon,
  });
  return () => {
    clearTimeout(waiting);
    end();
  };
}

/** To the end of the stream in view. */
export function toLatest(): void {
  const last = order.value.at(-1);
  if (last !== undefined) sought.value = { id: last.id };
}
