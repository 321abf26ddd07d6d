/** Tokens as words: what went in and out, and what nobody knows. */
import { computed } from '@preact/signals';
import { countOf, countText, shortText } from '../model/quantity-text.js';
import { allTokens, type Tokens, usageOf } from '../model/usage.js';
import { outline } from './state.js';

export const usage = computed(() => usageOf(outline.value));

/** All of them as one number, with the parts for whoever points at it. */
export function TokenCount({ tokens, of }: { readonly tokens: Tokens; readonly of?: string }) {
  const { calls, unknown } = tokens;
  if (calls === 0 && allTokens(tokens) === 0) return null;
  return (
    <span class="tokens number" title={tokenWords(tokens)}>
      {unknown > 0 && unknown === calls ? 'tokens unknown' : `${shortText(allTokens(tokens))} tokens`}
      {of === undefined ? '' : ` ${of}`}
      {unknown > 0 && unknown < calls ? (
        <span class="doubt"> + {countOf(unknown, 'call')} unknown</span>
      ) : null}
    </span>
  );
}

/** `in 12 · out 340 · cache read 5,000 · cache write 120 · 3 calls, 1 of them unknown`. */
export function tokenWords({ in: input, out, cacheRead, cacheWrite, calls, unknown }: Tokens): string {
  const parts = [
    `in ${countText(input)}`,
    `out ${countText(out)}`,
    `cache read ${countText(cacheRead)}`,
    `cache write ${countText(cacheWrite)}`,
    countOf(calls, 'call'),
  ];
  return `${parts.join(' · ')}${unknown > 0 ? `, ${countText(unknown)} without usage: unknown, not zero` : ''}`;
}
