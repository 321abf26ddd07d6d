/**
 * Find over the whole document, not over what is drawn: every text, result, name, label, reply and attribute, in any
 * case. The texts are read once, in pieces if the caller likes; then a search looks through them in memory.
 */
import type { ViewNode } from '../../format/view-document.js';
import { wordsOfJson, wordsOfValue } from './fields.js';
import type { Outline, Passage } from './outline.js';
import { spokenText } from './spoken-text.js';
import { partsOf } from './talk-parts.js';

/** A node, or a stream by its id, that holds what is looked for. */
export interface Hit {
  readonly id: string;
  readonly stream: string;
  readonly count: number;
}

export interface Found {
  readonly hits: readonly Hit[];
  /** Over all of them. */
  readonly matches: number;
}

export const NOTHING_FOUND: Found = { hits: [], matches: 0 };

interface Searched {
  readonly id: string;
  readonly stream: string;
  readonly text: string;
}

/** How many nodes are read before a caller that reads in pieces gets control back. */
const NODES_A_PIECE = 500;

/** Between two texts of a node, so that nothing is found across them. */
const BORDER = '\u0000';

export class FindIndex {
  readonly #entries: Searched[] = [];
  readonly #reading: Generator<void>;
  #isRead = false;

  constructor(outline: Outline) {
    this.#reading = this.#read(outline);
  }

  /** Reads a piece. True when all is read. */
  readOn(): boolean {
    if (!this.#isRead) this.#isRead = this.#reading.next().done === true;
    return this.#isRead;
  }

  /** Streams in the document's order, each in reading order. Blanks at the ends of what is looked for do not count. */
  find(words: string): Found {
    const wanted = words.trim().toLowerCase();
    if (wanted === '') return NOTHING_FOUND;
    while (!this.readOn());
    const hits: Hit[] = [];
    let matches = 0;
    for (const { id, stream, text } of this.#entries) {
      let count = 0;
      for (let at = text.indexOf(wanted); at !== -1; at = text.indexOf(wanted, at + wanted.length)) count++;
      if (count === 0) continue;
      hits.push({ id, stream, count });
      matches += count;
    }
    return { hits, matches };
  }

  *#read(outline: Outline): Generator<void> {
    const add = (id: string, stream: string, texts: readonly (string | undefined)[]) => {
      const text = texts.filter((text) => text !== undefined && text !== '').join(BORDER);
      if (text !== '') this.#entries.push({ id, stream, text: text.toLowerCase() });
    };
    let read = 0;
    for (const name of new Set([...outline.streams.keys(), ''])) {
      const stream = outline.streams.get(name);
      if (stream !== undefined) add(stream.id, name, [stream.name, stream.label]);
      for (const passage of outline.passagesOf(name)) {
        if (passage.talk !== undefined) add(passage.talk.id, name, wordsOfTalk(passage.talk, passage));
        for (const step of passage.steps) {
          add(step.id, name, wordsOfStep(step));
          if (++read % NODES_A_PIECE === 0) yield;
        }
      }
    }
  }
}

/** Words of a talk that none of its steps says. */
function wordsOfTalk(talk: ViewNode, passage: Passage): (string | undefined)[] {
  const { opening, closing } = partsOf(passage);
  return [
    talk.label === opening?.text ? undefined : talk.label,
    talk.reply === closing?.text ? undefined : talk.reply,
  ];
}

function wordsOfStep(step: ViewNode): (string | undefined)[] {
  return [
    step.kind,
    step.name,
    step.text === undefined ? undefined : wordsOfJson(spokenText(step.text)),
    step.result === undefined ? undefined : wordsOfJson(step.result),
    step.attrs === undefined ? undefined : wordsOfValue(step.attrs),
    step.dropped?.map(({ what, why }) => `${what} ${why ?? ''}`).join(BORDER),
  ];
}

/** The hit after, or before, one of them; round at the ends. */
export function hitFrom(found: Found, now: number, by: 1 | -1): number {
  const { length } = found.hits;
  if (length === 0) return -1;
  if (now < 0) return by === 1 ? 0 : length - 1;
  return (now + by + length) % length;
}
