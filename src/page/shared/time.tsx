import type { Ms } from '../../format/view-document.js';
import { clockText, dateText, UNKNOWN, utcText } from '../model/time-text.js';

/** A time in the reader's zone, and in UTC when pointed at. `clock`: without the day. */
export function Time({ at, clock = false }: { readonly at: Ms | null; readonly clock?: boolean }) {
  const utc = utcText(at ?? 0);
  if (at === null || utc === UNKNOWN) return <span title="nobody observed it">{UNKNOWN}</span>;
  return (
    <time dateTime={new Date(at).toISOString()} title={utc} class="number">
      {clock ? clockText(at) : dateText(at)}
    </time>
  );
}
