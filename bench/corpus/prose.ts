/**
 * Text of any length, cheaply: slices of a page made once per seed. It holds what costs a reader time in real
 * history: line ends, quotes, tabs, angle brackets, and letters of two and three bytes on one line in seven.
 */
import type { Random } from './random.js';

const PAGE_CHARACTERS = 96 * 1024;
const WORDS =
  'the wind test reads knots and writes a table of stations while return value const export function await import line of file path error result number string unless because after before which every under over again'.split(
    ' ',
  );
const RARE = ['"quoted"', '<tag>', 'a && b', 'C:\\\\temp', '{ key: 1 }', '\t', '// why'];
const FAR = ['für', 'café', 'naïve', '→', '✓', 'größer', '日本'];

export class Prose {
  readonly #random: Random;
  readonly #page: string;

  constructor(random: Random) {
    this.#random = random;
    const words: string[] = [];
    for (let size = 0, line = 0; size < PAGE_CHARACTERS; ) {
      const word = random.chance(6) ? random.pick(RARE) : random.pick(WORDS);
      words.push(word);
      size += word.length + 1;
      line += word.length + 1;
      if (line > 70) {
        if (random.chance(14)) words.push(random.pick(FAR));
        words.push('\n');
        line = 0;
      }
    }
    this.#page = words.join(' ');
  }

  text(characters: number): string {
    let text = '';
    while (text.length < characters) {
      const from = this.#random.between(0, this.#page.length - 64);
      text += this.#page.slice(from, from + characters - text.length);
    }
    return text;
  }

  /** One line, such as a title. */
  line(characters: number): string {
    return this.text(characters).replaceAll(/[\n\t]/g, ' ');
  }
}
