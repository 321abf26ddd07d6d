/**
 * How values look on a terminal (cli spec 1). Everything here is pure; times are given, not asked for.
 */
import { printableJson } from '../format/json-text.js';

/**
 * Text for one line of a terminal. Text from sessions can hold escape sequences that move the cursor, rename
 * the window or hide what follows, and marks that reorder what is read; each such character is replaced by
 * one that only looks like it.
 */
export function printable(text: string): string {
  return text.replace(UNPRINTABLE, (c) => {
    const code = c.codePointAt(0)!;
    if (code < 0x20) return String.fromCharCode(CONTROL_PICTURES + code);
    return code === 0x7f ? '␡' : '�';
  });
}

/** Text of several lines: the line breaks stay. */
export function printableLines(text: string): string {
  return text.split('\n').map(printable).join('\n');
}

/** JSON with two spaces of indentation, and nothing in it that a terminal would act on. */
export function jsonText(value: unknown): string {
  return printableJson(JSON.stringify(value, null, 2));
}

/** The same on one line, for output of a document a line. */
export function jsonLine(value: unknown): string {
  return printableJson(JSON.stringify(value));
}

/** C0, DEL, C1; U+2028 and U+2029; the marks, embeddings and isolates that change the direction of text. */
const UNPRINTABLE =
  /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]|\p{Surrogate}/gu;

const CONTROL_PICTURES = 0x2400;

/**
 * The lines of a table: columns left-aligned, each as wide as its widest cell plus two spaces; the last cell of
 * a row is not padded. Width counts characters.
 */
export function tableLines(rows: readonly (readonly string[])[]): string[] {
  const shown = rows.map((row) => row.map(printable));
  const widths: number[] = [];
  for (const row of shown)
    for (const [i, cell] of row.entries()) widths[i] = Math.max(widths[i] ?? 0, widthOf(cell));
  return shown.map((row) =>
    row.map((cell, i) => (i === row.length - 1 ? cell : padded(cell, widths[i]! + 2))).join(''),
  );
}

/** Pads with spaces to a width counted in characters. */
export function padded(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - widthOf(text)));
}

/** `0s`, `345ms`, `2.4s`, `1m2.345s`, `10m0s`, `72h0m0s`: rounded to whole milliseconds. */
export function durationText(durationMs: number): string {
  const ms = Math.round(Math.abs(durationMs));
  const sign = durationMs < 0 && ms > 0 ? '-' : '';
  if (ms === 0) return '0s';
  if (ms < 1000) return `${sign}${ms}ms`;
  const seconds = Math.floor(ms / 1000);
  const [h, m] = [Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60)];
  const fraction =
    ms % 1000 === 0
      ? ''
      : `.${String(ms % 1000)
          .padStart(3, '0')
          .replace(/0+$/, '')}`;
  const rest = `${seconds % 60}${fraction}s`;
  if (h > 0) return `${sign}${h}h${m}m${rest}`;
  return m > 0 ? `${sign}${m}m${rest}` : `${sign}${rest}`;
}

/** `512B`, `1.5KB`, `42.1MB`, `1.0GB`: steps of 1024, one decimal from the first step on. */
export function sizeText(bytes: number): string {
  if (bytes < 1024) return `${bytes}B`;
  let [size, unit] = [bytes / 1024, 0];
  for (; size >= 1024 && unit < SIZE_UNITS.length - 1; unit++) size /= 1024;
  return `${size.toFixed(1)}${SIZE_UNITS[unit]}`;
}

const SIZE_UNITS = ['KB', 'MB', 'GB', 'TB'];

/** Local `HH:MM:SS`. */
export function clockText(time: Date): string {
  return [time.getHours(), time.getMinutes(), time.getSeconds()]
    .map((n) => String(n).padStart(2, '0'))
    .join(':');
}

/** The text when it has at most `limit` characters, `-` when it is empty, else its beginning and `…`. */
export function shortened(text: string, limit: number): string {
  if (text === '') return '-';
  // A text is at most as long in characters as in units, so most need no split.
  if (text.length <= limit) return text;
  const characters = Array.from(text.slice(0, 2 * (limit + 1)));
  return characters.length <= limit ? text : `${characters.slice(0, limit - 1).join('')}…`;
}

function widthOf(text: string): number {
  let width = 0;
  for (const _ of text) width++;
  return width;
}
