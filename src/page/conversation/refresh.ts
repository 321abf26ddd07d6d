/**
 * Keeps the page up with the conversation: a round that is announced is fetched and shown in place, and whether the
 * evidence is still what was checked is asked again and again, as long as the page is seen.
 */
import { signal } from '@preact/signals';
import type { ViewDocument } from '../../format/view-document.js';
import { isListening, listen } from '../shared/live.js';
import { fetchNewer, isTagged } from './load-document.js';
import { order, renew } from './moves.js';
import { following, outline, said, sought } from './state.js';

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

/** How often the server is asked whether its answer would be another one: it compares names, sizes and times. */
const ASK_MS = 5000;
/** An answer that took long is asked for less often: this many times as long lies between two. */
const REST = 4;

/** Stays up with a conversation for as long as the page is open. Gives the function that ends it. */
export function keepFresh(id: string): () => void {
  let waiting: ReturnType<typeof setTimeout> | undefined;
  let asking: ReturnType<typeof setTimeout> | undefined;
  let isBusy = false;
  let again = false;
  const soon = () => {
    clearTimeout(waiting);
    waiting = setTimeout(() => {
      if (isBusy) again = true;
      else void fetchNow(true);
    }, COALESCE_MS);
  };
  const askLater = (ms: number) => {
    clearTimeout(asking);
    asking = setTimeout(() => {
      if (document.hidden || !isTagged() || isBusy) askLater(ASK_MS);
      else void fetchNow(false);
    }, ms);
  };
  const fetchNow = async (isAnnounced: boolean) => {
    const began = performance.now();
    isBusy = true;
    fetching.value = isAnnounced;
    const newer = await fetchNewer(id).then(
      (newer) => {
        trouble.value = undefined;
        return newer;
      },
      (cause) => {
        trouble.value = cause instanceof Error ? cause.message : String(cause);
        return undefined;
      },
    );
    fetching.value = false;
    isBusy = false;
    if (again) soon();
    again = false;
    askLater(Math.max(ASK_MS, REST * (performance.now() - began)));
    if (newer !== undefined) put(newer);
  };
  const end = listen({
    onHead: ({ conversation }) => {
      if (conversation === id) soon();
    },
    onMissed: soon,
  });
  askLater(ASK_MS);
  return () => {
    clearTimeout(waiting);
    clearTimeout(asking);
    end();
  };
}

function put(newer: ViewDocument): void {
  const { head, summary } = outline.value.document;
  renew(newer);
  const isSameHead = newer.head.digest === head.digest;
  if (!isSameHead) said.value = `Round ${newer.head.round} arrived`;
  if (newer.summary.state !== summary.state || isSameHead)
    said.value = `The evidence was checked again: ${newer.summary.state}`;
  if (following.value && !isSameHead) toLatest();
}

/** To the end of the stream in view. */
export function toLatest(): void {
  const last = order.value.at(-1);
  if (last !== undefined) sought.value = { id: last.id };
}
