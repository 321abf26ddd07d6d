import type { Ms } from '../../format/view-document.js';
import { UNKNOWN, utcText } from '../model/time-text.js';
import { clockText, dateText, otherClockText } from './clock.js';

/** A time on the reader's clock, and on the other one when pointed at. `clock`: without the day. */
export function Time({ at, clock = false }: { readonly at: Ms | null; readonly clock?: boolean }) {
  if (at === null || utcText(at) === UNKNOWN) return <span title="nobody observed it">{UNKNOWN}</span>;
  return (
    <time dateTime={new Date(at).toISOString()} title={otherClockText(at)} class="number">
      {clock ? clockText(at) : dateText(at)}
    </time>
  );
}
