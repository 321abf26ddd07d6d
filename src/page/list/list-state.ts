/** What the list page knows and what is chosen on it: each a signal, so that only what shows it is drawn again. */
import { computed, signal } from '@preact/signals';
import {
  filtered,
  type ListedConversation,
  ORDERS,
  type Order,
  ordered,
  totalsOf,
} from '../model/conversations.js';
import { askJson } from '../shared/api.js';
import { listen } from '../shared/live.js';

/** `undefined` until the first answer. */
export const conversations = signal<readonly ListedConversation[] | undefined>(undefined);
/** Why there is no newer list; empty when there is nothing to say. */
export const failure = signal('');

const query = new URLSearchParams(location.search);
export const words = signal(query.get('filter') ?? '');
export const order = signal<Order>(ORDERS.find((name) => name === query.get('sort')) ?? 'recent');
/** What is searched for in the texts; empty when the list is shown. */
export const searched = signal(query.get('search') ?? '');

export const shown = computed(() => ordered(filtered(conversations.value ?? [], words.value), order.value));
/** Drawing a row takes longer than anybody looks at most of them, so the first ones are drawn until more are wanted. */
const DRAWN_AT_FIRST = 200;
export const mostDrawn = signal(DRAWN_AT_FIRST);
export const totals = computed(() => totalsOf(conversations.value ?? []));

/** The address says what was chosen, so that coming back from a conversation finds the list as it was left. */
export function keepInAddress(): void {
  const query = new URLSearchParams();
  if (words.value !== '') query.set('filter', words.value);
  if (order.value !== 'recent') query.set('sort', order.value);
  if (searched.value !== '') query.set('search', searched.value);
  const text = query.toString();
  history.replaceState(null, '', text === '' ? '/' : `/?${text}`);
}

let loading = false;
let isStale = false;

/** Loads the list. Asked again while it loads, it loads once more afterwards, and not more often. */
export async function load(): Promise<void> {
  isStale = true;
  if (loading) return;
  loading = true;
  while (isStale) {
    isStale = false;
    try {
      conversations.value = await askJson<ListedConversation[]>('/api/conversations');
      failure.value = '';
    } catch (cause) {
      failure.value = cause instanceof Error ? cause.message : String(cause);
    }
  }
  loading = false;
}

/** Several chains move at once when a pass ends. */
const TOGETHER_MS = 200;

/** Loads the list and keeps it as new as the root. Gives the function that ends it. */
export function follow(): () => void {
  void load();
  let waiting: ReturnType<typeof setTimeout> | undefined;
  const soon = (): void => {
    waiting ??= setTimeout(() => {
      waiting = undefined;
      void load();
    }, TOGETHER_MS);
  };
  const stop = listen({ onHead: soon, onMissed: () => void load() });
  return () => {
    clearTimeout(waiting);
    stop();
  };
}
