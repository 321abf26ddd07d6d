/** Long texts: what the document cut off, and how much of the rest a card shows at first. */

/** Texts are cut to a whole character within these (view spec 3.4). */
const CLIP_BYTES = 2000;
const LONGEST_CHARACTER_BYTES = 4;

const encoder = new TextEncoder();

export function utf8Length(text: string): number {
  return encoder.encode(text).length;
}

/** How many bytes of a text are there, when it is cut; `undefined` for a whole one. `bytes` is its full size. */
export function clippedAt(text: string, bytes: number | undefined): number | undefined {
  if (bytes === undefined || bytes <= CLIP_BYTES) return undefined;
  const shown = utf8Length(text);
  return shown > CLIP_BYTES - LONGEST_CHARACTER_BYTES && shown < bytes ? shown : undefined;
}

/** Lines that a card shows at first, by what they are (view spec 12.16). */
const LINES: ReadonlyMap<string, number> = new Map([
  ['result', 20],
  ['thinking', 10],
  ['epoch.summary', 30],
  ['context.injection', 4],
  ['message.external', 30],
  ['message.assistant', 30],
  ['agent.output', 30],
]);
const OTHER_LINES = 6;
/** One line of that length fills about as much as this. */
const UNITS_A_LINE = 160;
/** Opened texts are laid out at once up to this; a line of megabytes would stop the page. */
export const MOST_UNITS = 50_000;

export interface Excerpt {
  readonly text: string;
  /** Lines there are; what is left out is behind a button. */
  readonly lines: number;
  readonly isWhole: boolean;
}

/** The beginning of a text: so many lines, none of them endless. */
export function excerptOf(text: string, kind: string, isOpen: boolean): Excerpt {
  const most = isOpen ? Number.POSITIVE_INFINITY : (LINES.get(kind) ?? OTHER_LINES);
  const mostUnits = isOpen ? MOST_UNITS : most * UNITS_A_LINE;
  let lines = 1;
  let end = text.length;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) {
    if (lines === most) end = Math.min(end, at);
    lines++;
  }
  if (end > mostUnits) end = mostUnits;
  // Not between the two halves of a character.
  if (end < text.length && /[\ud800-\udbff]/.test(text[end - 1]!)) end--;
  return { text: text.slice(0, end), lines, isWhole: end === text.length };
}
