/**
 * Finds words in conversations: in their titles and in the text of their documents, read as tokens, so that a
 * document of any size is searched in the same memory.
 */
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { StringDecoder } from 'node:string_decoder';
import { setImmediate } from 'node:timers/promises';
import { MAX_TEXT_BYTES } from '../view/text-rules.js';
import { type JsonToken, jsonTokens } from '../view/yaml.js';

/** A text of a document in which the words stand. */
export interface Hit {
  /** Id of the talk, run or step. */
  readonly node: string;
  /** Id of the talk it is in; empty outside every talk. */
  readonly talk: string;
  readonly stream: string;
  readonly field: string;
  readonly snippet: string;
}

/** The hits of one conversation. */
export interface Found {
  readonly conversation: string;
  readonly title: string;
  readonly in_title: boolean;
  readonly hits: readonly Hit[];
}

/** What a search says of itself: a document carries so many bytes of a text, and what lies behind is not found. */
export const SEARCHED_BYTES = MAX_TEXT_BYTES;

/** A pattern for words as they are typed, in any case. */
export function patternOf(words: string): RegExp {
  return new RegExp(words.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'), 'iu');
}

/** Characters that JSON text of a document does not hold as they are. */
const SPELLED = /["\\]|[^\P{C}\p{Co}\p{Cn}]|[\u2028\u2029]/u;

/**
 * Whether the words can stand in a document, told by its text as it is, which costs a tenth of reading it. Words are
 * spelled there as they are typed, unless they hold what JSON or a terminal minds. Lets others have their turn.
 */
export async function mayHold(
  bytes: Iterable<Buffer>,
  words: string,
  pattern: RegExp,
  signal: AbortSignal,
): Promise<boolean> {
  if (SPELLED.test(words)) return true;
  const decoder = new StringDecoder('utf8');
  let text = '';
  let pieces = 0;
  for (const piece of bytes) {
    // What matches is as long as the words, give or take characters that fold to others.
    text = text.slice(-2 * words.length) + decoder.write(piece);
    if (pattern.test(text)) return true;
    if (++pieces % PIECES_A_TURN === 0) await setImmediate();
    signal.throwIfAborted();
  }
  return false;
}

/** So many pieces are looked at before others get their turn: a few milliseconds. */
const PIECES_A_TURN = 16;

/** Searches one document. Gives at most `limit` hits. Rejects with an `AbortError` when it is cancelled. */
export async function searchDocument(
  bytes: Iterable<Buffer>,
  pattern: RegExp,
  limit: number,
  signal: AbortSignal,
): Promise<Omit<Found, 'conversation'>> {
  const reader = new HitReader(pattern, limit);
  const read = async (tokens: AsyncIterable<JsonToken>): Promise<void> => {
    for await (const token of tokens) if (!reader.take(token)) return;
  };
  try {
    await pipeline(Readable.from(bytes), jsonTokens(), read, { signal });
  } catch (cause) {
    // A pipeline that is left early rejects; what it had to give is there.
    if (!reader.isFull || signal.aborted) throw cause;
  }
  return { title: reader.title, in_title: pattern.test(reader.title), hits: reader.hits };
}

/** Members of a node that are words of the session. */
const TEXTS = ['label', 'reply', 'text', 'result'];
/** Lists whose elements are nodes. */
const TREES = ['talks', 'loose', 'children'];

interface Level {
  readonly isNode: boolean;
  /** The key that is being read. */
  key: string;
  id: string;
  kind: string;
  stream: string;
}

class HitReader {
  readonly hits: Hit[] = [];
  title = '';
  readonly #pattern: RegExp;
  readonly #limit: number;
  readonly #levels: Level[] = [];

  constructor(pattern: RegExp, limit: number) {
    this.#pattern = pattern;
    this.#limit = limit;
  }

  get isFull(): boolean {
    return this.hits.length >= this.#limit;
  }

  /** False when no more is wanted. */
  take(token: JsonToken): boolean {
    const level = this.#levels.at(-1);
    switch (token.name) {
      case 'startObject':
      case 'startArray': {
        const list = this.#levels.at(-2)?.key ?? '';
        const isNode = token.name === 'startObject' && level?.key === IN_LIST && TREES.includes(list);
        const key = token.name === 'startArray' ? IN_LIST : '';
        this.#levels.push({ isNode, key, id: '', kind: '', stream: '' });
        break;
      }
      case 'endObject':
      case 'endArray':
        this.#levels.pop();
        break;
      case 'keyValue':
        level!.key = token.value;
        break;
      case 'stringValue':
        this.#text(level!, token.value);
        break;
    }
    return !this.isFull;
  }

  #text(level: Level, value: string): void {
    if (this.#levels.length === 2 && this.#levels[0]!.key === 'summary' && level.key === 'title')
      this.title = value;
    if (!level.isNode) return;
    if (level.key === 'id') level.id = value;
    else if (level.key === 'kind') level.kind = value;
    else if (level.key === 'stream') level.stream = value;
    else if (TEXTS.includes(level.key)) this.#look(level, value);
  }

  #look(level: Level, value: string): void {
    const match = this.#pattern.exec(value);
    if (match === null) return;
    const talk = this.#levels.find(({ isNode, kind }) => isNode && kind === 'talk')?.id ?? '';
    const snippet = snippetOf(value, match.index, match[0].length);
    this.hits.push({ node: level.id, talk, stream: level.stream, field: level.key, snippet });
  }
}

/** Stands for the key of what is in a list. No key of a document is empty, and none holds this. */
const IN_LIST = '\0';

const AROUND = 60;

/** The words with some of what stands around them, on one line. */
function snippetOf(text: string, at: number, length: number): string {
  const from = Math.max(0, at - AROUND);
  const to = Math.min(text.length, at + length + AROUND);
  const words = text.slice(from, to).toWellFormed().replace(/\s+/gu, ' ');
  return `${from > 0 ? '…' : ''}${words}${to < text.length ? '…' : ''}`;
}
