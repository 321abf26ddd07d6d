/** The list of conversations as the server gives it (docs/server.md): what of it is shown, and in which order. */

/** `gap`, `unreadable` and `not_checked` are what a list knows by itself, the rest what a document said. */
export type ListedState = 'verified' | 'incomplete' | 'mismatch' | 'gap' | 'unreadable' | 'not_checked';

/** A row. Counts are null where the round does not have them: unknown, never zero. Times are Unix milliseconds. */
export interface ListedConversation {
  readonly id: string;
  readonly title: string;
  readonly rounds: number;
  readonly from: number | null;
  readonly to: number | null;
  readonly talks: number | null;
  readonly steps: number | null;
  readonly unresolved: number | null;
  readonly changes: number | null;
  readonly lines_added: number | null;
  readonly lines_removed: number | null;
  readonly llm_calls: number | null;
  readonly subagents: number | null;
  readonly bash_runs: number | null;
  readonly state: ListedState;
  readonly problem: string;
}

export const ORDERS = ['recent', 'largest', 'name'] as const;
export type Order = (typeof ORDERS)[number];

/** Those with the words in their title or id, in any case. */
export function filtered(rows: readonly ListedConversation[], words: string): ListedConversation[] {
  const wanted = words.trim().toLowerCase();
  return rows.filter(
    ({ id, title }) => id.toLowerCase().includes(wanted) || title.toLowerCase().includes(wanted),
  );
}

const NAMES = new Intl.Collator('en', { numeric: true });

/** In order; what nobody knows comes last, and equals by id. */
export function ordered(rows: readonly ListedConversation[], order: Order): ListedConversation[] {
  const compare = (a: ListedConversation, b: ListedConversation): number => {
    if (order === 'recent') return descending(a.to, b.to);
    return order === 'largest' ? descending(a.talks, b.talks) : NAMES.compare(a.title, b.title);
  };
  return rows.toSorted((a, b) => compare(a, b) || (a.id < b.id ? -1 : 1));
}

function descending(a: number | null, b: number | null): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  return b - a;
}

/** What all rows come to. A count that some row does not know is at least what the others say. */
export interface Totals {
  readonly conversations: number;
  readonly talks: number;
  readonly steps: number;
  readonly isAtLeast: boolean;
}

export function totalsOf(rows: readonly ListedConversation[]): Totals {
  let [talks, steps, isAtLeast] = [0, 0, false];
  for (const row of rows) {
    talks += row.talks ?? 0;
    steps += row.steps ?? 0;
    isAtLeast ||= row.talks === null || row.steps === null;
  }
  return { conversations: rows.length, talks, steps, isAtLeast };
}
