/** The clock that every time is shown on: that of the reader's zone, or UTC; the browser keeps which. */
import { signal } from '@preact/signals';
import type { Ms } from '../../format/view-document.js';
import * as text from '../model/time-text.js';
import { type ClockOffset, localOffset, utcOffset } from '../model/time-ticks.js';
import { keep, kept } from './kept.js';

const KEY = 'asz.clock';
const UTC = 'utc';

export const isUtc = signal(kept(KEY) === UTC);

export function turnClock(): void {
  isUtc.value = !isUtc.value;
  keep(KEY, isUtc.value ? UTC : undefined);
}

/** Its time zone as formats name it; `undefined`: the reader's own. */
export const zone = () => (isUtc.value ? 'UTC' : undefined);

/** How far it is ahead of UTC. */
export const clockOffset = (): ClockOffset => (isUtc.value ? utcOffset : localOffset);

export const dateText = (at: Ms) => text.dateText(at, zone());
export const dayText = (at: Ms) => text.dayText(at, zone());
export const clockText = (at: Ms) => text.clockText(at, zone());

/** A time on the other clock, for those who point at it. */
export const otherClockText = (at: Ms) =>
  isUtc.value ? `${text.momentText(at)} in your zone` : text.utcText(at);
