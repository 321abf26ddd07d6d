/** Keeps the page up with the conversation: a round that is announced is fetched and shown in place. */
import { signal } from '@preact/signals';
import { isListening, listen } from '../shared/live.js';
import { fetchNewer } from './load-document.js';
import { order, renew } from './moves.js';
import { following, said, sought } from './state.js';

/** What the page knows of newer rounds: nothing while the server does not tell. */
export type Freshness = 'live' | 'fetching' | 'not told';

const fetching = signal(false);
/** Why the last asking did not succeed, as long as none has since. */
export const trouble = signal<string | undefined>(undefined);

export function freshness(): Freshness {
  if (fetching.value) return 'fetching';
  return isListening.value && trouble.value === undefined ? 'live' : 'not told';
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
    const document = await fetchNewer(id).then(
      (document) => {
        trouble.value = undefined;
        return document;
      },
      (cause) => {
        trouble.value = cause instanceof Error ? cause.message : String(cause);
        return undefined;
      },
    );
    fetching.value = false;
    if (again) soon();
    again = false;
    if (document === undefined) return;
    renew(document);
    said.value = `Round ${document.head.round} arrived`;
    if (following.value) toLatest();
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
