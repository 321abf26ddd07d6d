/**
 * The keys of both pages and what each does: what listens is typed by these tables, help shows them, and
 * docs/page.md is held to them.
 */

export interface KeyWords {
  /** As a reader writes them, each between backticks. */
  readonly shown: string;
  /** As `KeyboardEvent.key` says them; none where something else than the table's listener hears them. */
  readonly keys: readonly string[];
  readonly does: string;
}

export const LIST_KEYS = [
  { shown: '`/`', keys: ['/'], does: 'to the field' },
  { shown: '`Enter` in the field', keys: [], does: 'search the texts' },
  { shown: '`Escape`', keys: ['Escape'], does: 'from a search back to the list, then no filter' },
  {
    shown: '`j` `k`, `↓` `↑`, `Home` `End`',
    keys: ['j', 'k', 'ArrowDown', 'ArrowUp', 'Home', 'End'],
    does: 'to the next row or hit, the one before, the first, the last; `j` is the way in',
  },
  { shown: '`Enter`, `Space`', keys: [' '], does: 'open the conversation' },
  { shown: '`?`', keys: ['?'], does: 'lists these keys' },
] as const satisfies readonly KeyWords[];

export const CONVERSATION_KEYS = [
  { shown: '`j` `k`', keys: ['j', 'k'], does: 'next step, previous step' },
  { shown: '`Shift`+`j` `k`', keys: ['J', 'K'], does: 'next input, previous input' },
  { shown: '`f`, `Shift`+`f`', keys: ['f', 'F'], does: 'next failure, previous failure' },
  { shown: '`]`', keys: [']'], does: 'along the first relation that leads from the step' },
  { shown: '`Enter`', keys: ['Enter'], does: 'into the child that the selected step started' },
  {
    shown: '`[`',
    keys: ['['],
    does: 'back to where `]` or `Enter` came from; else along the first relation that leads to the step',
  },
  { shown: '`/`, `Ctrl`+`f`', keys: ['/'], does: 'find' },
  { shown: '`Escape`', keys: ['Escape'], does: 'closes help, then find, then the selection' },
  { shown: '`?`', keys: ['?'], does: 'lists these keys' },
  {
    shown: 'arrows, `Home` on the bars between panels',
    keys: [],
    does: 'moves them, faster with `Shift`; puts them back',
  },
] as const satisfies readonly KeyWords[];

export const TIMELINE_KEYS = [
  {
    shown: '`←` `→`, `↑` `↓`',
    keys: ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown'],
    does: 'next step in time, in the lane above or below',
  },
  {
    shown: '`Shift`+`←` `→`, `PageUp` `PageDown`, `Home` `End`',
    keys: ['PageUp', 'PageDown', 'Home', 'End'],
    does: 'along time',
  },
  {
    shown: '`+` `-` `0`, `Ctrl` and the wheel',
    // Without Shift, `+` is `=` on many keyboards.
    keys: ['+', '=', '-', '0'],
    does: 'zoom in, out, back to 100 %',
  },
  { shown: '`Escape`', keys: ['Escape'], does: 'forgets the part that is summed up' },
] as const satisfies readonly KeyWords[];

export type ConversationKey = (typeof CONVERSATION_KEYS)[number]['keys'][number];
export type TimelineKey = (typeof TIMELINE_KEYS)[number]['keys'][number];
export type ListKey = (typeof LIST_KEYS)[number]['keys'][number];
