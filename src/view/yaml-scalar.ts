/**
 * A string as a YAML scalar, in the style of the reference's printer (view spec 6): plain where every reader gives
 * it back unchanged, quoted where one would not, a literal block where it has several lines.
 */
import { printableJson } from '../format/json-text.js';

/** Its first line, and for a block its other lines, each without indentation. */
export interface Scalar {
  readonly first: string;
  readonly lines: readonly string[];
}

/** A string as a value. */
export function yamlScalar(text: string): Scalar {
  if (text.includes('\n') && isBlock(text)) return block(text);
  return { first: oneLine(text), lines: [] };
}

/** A string on one line, as keys must be. */
export function oneLine(text: string): string {
  if (text === '' || NOT_PRINTED.test(text) || isOtherType(text)) return doubleQuoted(text);
  return isPlain(text) ? text : `'${text.replaceAll("'", "''")}'`;
}

function doubleQuoted(text: string): string {
  return printableJson(JSON.stringify(text)).replace(
    /[\ufeff\ufffe\uffff]/g,
    (c) => `\\u${c.charCodeAt(0).toString(16)}`,
  );
}

/** Controls, breaks, marks that change direction, and what is no character. */
const NOT_PRINTED =
  /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ufffe\uffff]|\p{Surrogate}/u;

/** The same but the line feed, which a block is made for. */
const NOT_IN_BLOCK =
  /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ufffe\uffff]|\p{Surrogate}/u;

/** A block shows its first character behind the indentation, and loses spaces in front of a break. */
function isBlock(text: string): boolean {
  return !NOT_IN_BLOCK.test(text) && !/^[ \n]| \n| $/.test(text);
}

function block(text: string): Scalar {
  const lines = text.split('\n');
  if (!text.endsWith('\n')) return { first: '|-', lines };
  lines.pop();
  return { first: text.endsWith('\n\n') ? '|+' : '|', lines };
}

/** Whether YAML's syntax leaves it as it is. */
function isPlain(text: string): boolean {
  return !/^(?:[[\]{}#&*!|>'"%@`,]|[-?:](?: |$)|---|\.\.\.| )/.test(text) && !/: |:$| #| $/.test(text);
}

/** What readers of YAML 1.1 or 1.2 take for something other than text. */
const OTHER_TYPES: readonly RegExp[] = [
  /^(?:~|null|true|false|y|n|yes|no|on|off|<<|=)$/i,
  /^[-+]?(?:\d[\d_]*|0b[01_]+|0o?[0-7_]+|0x[\da-f_]+)$/i,
  /^[-+]?[\d_]*\.?[\d_]*(?:e[-+]?\d+)?$/i,
  /^(?:[-+]?\.inf|\.nan)$/i,
  /^[-+]?\d[\d_]*(?::[0-5]?\d)+(?:\.[\d_]*)?$/,
  /^\d{4}-\d\d?-\d\d?(?:(?:[Tt]|[ \t]+)\d.*)?$/,
];

function isOtherType(text: string): boolean {
  // All of them are short, and begin with one of these.
  return (
    text.length < 64 && /^[-+.~<=_\dtfynoeTFYNOE]/.test(text) && OTHER_TYPES.some((type) => type.test(text))
  );
}
