/**
 * JSON that a document carries as text, as a reader wants to see it. Read by hand: a text may be cut at 2,000 bytes,
 * and numbers keep their spelling.
 */

export interface Field {
  readonly name: string;
  /** A string as it reads; anything else as it is spelled. */
  readonly value: string;
  readonly isText: boolean;
}

/** The members of an object, as many as are there; `undefined` when the text is no object. */
export function fieldsOf(text: string): Field[] | undefined {
  let at = space(text, 0);
  if (text[at] !== '{') return undefined;
  at = space(text, at + 1);
  const fields: Field[] = [];
  while (text[at] === '"') {
    const name = endOfString(text, at);
    const colon = space(text, name);
    if (text[colon] !== ':') break;
    const from = space(text, colon + 1);
    const to = text[from] === '"' ? endOfString(text, from) : endOfValue(text, from);
    const isText = text[from] === '"';
    if (to > from) {
      const value = isText ? stringOf(text.slice(from, to)) : text.slice(from, to).trim();
      fields.push({ name: stringOf(text.slice(at, name)), value, isText });
    }
    at = space(text, to);
    if (text[at] !== ',') break;
    at = space(text, at + 1);
  }
  // What is neither an object nor the beginning of one reads as words.
  return fields.length > 0 || text[at] === '}' ? fields : undefined;
}

/** Everything JSON says as words, keys among them; a text that is no JSON as it is. */
export function wordsOfJson(text: string): string {
  const first = text[space(text, 0)];
  if (first !== '{' && first !== '[') return text;
  let words = '';
  for (let at = 0; at < text.length; ) {
    const quote = text.indexOf('"', at);
    if (quote === -1) return words + text.slice(at);
    const end = endOfString(text, quote);
    words += text.slice(at, quote) + stringOf(text.slice(quote, end));
    at = end;
  }
  return words;
}

/** A value as words: names and values of an object, one after the other. */
export function wordsOfValue(value: unknown, depth = 0): string {
  if (typeof value !== 'object' || value === null) return String(value);
  if (depth > 20) return '';
  return Object.entries(value)
    .map(([name, member]) => `${Array.isArray(value) ? '' : `${name} `}${wordsOfValue(member, depth + 1)}`)
    .join(' ');
}

/** JSON text over several lines, indented, every token as it is spelled. Also of a text that is cut. */
export function indented(text: string): string {
  let depth = 0;
  let out = '';
  for (let at = 0; at < text.length; at++) {
    const char = text[at]!;
    if (char === '"') {
      const end = endOfString(text, at);
      out += text.slice(at, end);
      at = end - 1;
    } else if (char === '{' || char === '[') {
      const close = space(text, at + 1);
      if (text[close] === '}' || text[close] === ']') {
        out += char + text[close];
        at = close;
      } else out += `${char}\n${'  '.repeat(Math.min(++depth, MAX_INDENT))}`;
    } else if (char === '}' || char === ']')
      out += `\n${'  '.repeat(Math.min(Math.max(--depth, 0), MAX_INDENT))}${char}`;
    else if (char === ',') out += `,\n${'  '.repeat(Math.min(Math.max(depth, 0), MAX_INDENT))}`;
    else if (char === ':') out += ': ';
    else if (!isSpace(char)) out += char;
  }
  return out;
}

/** Deeper nesting is not indented further. */
const MAX_INDENT = 40;

function isSpace(char: string | undefined): boolean {
  return char === ' ' || char === '\n' || char === '\t' || char === '\r';
}

function space(text: string, from: number): number {
  let at = from;
  while (isSpace(text[at])) at++;
  return at;
}

/** Behind the closing quote, or the end of a text that is cut. */
function endOfString(text: string, from: number): number {
  for (let at = from + 1; at < text.length; at++) {
    if (text[at] === '\\') at++;
    else if (text[at] === '"') return at + 1;
  }
  return text.length;
}

function endOfValue(text: string, from: number): number {
  let depth = 0;
  let at = from;
  for (; at < text.length; at++) {
    const char = text[at];
    if (char === '"') at = endOfString(text, at) - 1;
    else if (char === '{' || char === '[') depth++;
    else if (char === '}' || char === ']') {
      if (depth === 0) break;
      depth--;
    } else if (char === ',' && depth === 0) break;
  }
  return Math.min(at, text.length);
}

/** What a string literal says; of one that is cut, as far as it goes. */
export function stringOf(literal: string): string {
  const isWhole = literal.length > 1 && literal.endsWith('"');
  const body = isWhole ? literal.slice(1, -1) : literal.slice(1).replace(/\\(u[0-9a-fA-F]{0,3})?$/, '');
  if (!body.includes('\\')) return body;
  return body.replace(/\\(?:u([0-9a-fA-F]{4})|(.))/gs, (_, hex?: string, char?: string) =>
    hex === undefined ? (ESCAPES.get(char!) ?? char!) : String.fromCharCode(Number.parseInt(hex, 16)),
  );
}

const ESCAPES: ReadonlyMap<string, string> = new Map([
  ['n', '\n'],
  ['t', '\t'],
  ['r', '\r'],
  ['b', '\b'],
  ['f', '\f'],
]);
