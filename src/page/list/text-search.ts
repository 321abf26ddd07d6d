/** Search in the texts of all conversations, which the server does one at a time. */
import { signal } from '@preact/signals';
import { type Hit, withoutEchoes } from '../model/search-hits.js';
import { ApiError, askJson } from '../shared/api.js';

export interface FoundConversation {
  readonly conversation: string;
  readonly title: string;
  readonly in_title: boolean;
  readonly hits: readonly Hit[];
}

export interface SearchAnswer {
  readonly query: string;
  /** False when the limit ended it. */
  readonly complete: boolean;
  readonly note: string;
  readonly conversations: readonly FoundConversation[];
  /** Conversations that have no document. */
  readonly not_searched: readonly string[];
}

export type SearchState =
  | { readonly state: 'none' }
  | { readonly state: 'searching'; readonly isWaiting: boolean }
  | { readonly state: 'found'; readonly answer: SearchAnswer }
  | { readonly state: 'failed'; readonly why: string };

export const search = signal<SearchState>({ state: 'none' });

const LIMIT = 200;
/** How long to wait when somebody else searches (the server's `Retry-After`). */
const AGAIN_MS = 1000;

let current = new AbortController();

/** Ends the search that is under way, if any, and begins another; none for no words. */
export async function searchFor(words: string): Promise<void> {
  current.abort();
  current = new AbortController();
  const { signal: ended } = current;
  if (words.trim() === '') {
    search.value = { state: 'none' };
    return;
  }
  search.value = { state: 'searching', isWaiting: false };
  try {
    const answer = await untilFree(`/api/search?limit=${LIMIT}&q=${encodeURIComponent(words)}`, ended);
    const conversations = answer.conversations.map((found) => ({
      ...found,
      hits: withoutEchoes(found.hits),
    }));
    if (!ended.aborted) search.value = { state: 'found', answer: { ...answer, conversations } };
  } catch (cause) {
    if (ended.aborted) return;
    search.value = { state: 'failed', why: cause instanceof Error ? cause.message : String(cause) };
  }
}

async function untilFree(path: string, ended: AbortSignal): Promise<SearchAnswer> {
  for (;;) {
    try {
      return await askJson<SearchAnswer>(path, ended);
    } catch (cause) {
      if (!(cause instanceof ApiError) || cause.status !== 503) throw cause;
      ended.throwIfAborted();
      search.value = { state: 'searching', isWaiting: true };
      await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
      ended.throwIfAborted();
    }
  }
}
