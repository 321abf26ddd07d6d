/**
 * Raw slices against a second reader. `JSON.parse` cannot tell `1.0` from `1`, nor a repeated key from a single
 * one, so it cannot say whether a slice kept them; the tokens of stream-json can: it reads a document as tokens,
 * numbers as they are spelled and members in their order, every one of them.
 */
import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { parser } from 'stream-json/parser.js';
import { compactJson, compactSlice, type Shape, scanJson } from '../../src/format/json-scan.js';
import { type Random, randomFrom, SEED } from '../random.js';

const NUMBERS = ['0', '-0', '1.0', '1', '1e3', '1E+03', '-0.0e-0', '0.10', '12345678901234567890', '1e400'];
const KEYS = ['10', '9', '9', 'a', 'a', '\\u0061', '', '__proto__', 'b c', '\\u2028', 'é', '\\"', '\\\\'];
const STRINGS = [
  '',
  ' ',
  'x: [1, 2]',
  '\\\\',
  '\\"',
  '\\\\\\"',
  '\\/',
  '\\n\\t',
  '\\u00e9',
  'é',
  '😀',
  '\\ud83d\\ude00',
];
const SPACES = ['', '', ' ', '\t', '\r\n ', '  \n'];

type Token = string;

/** The texts of one random value's tokens, without the white space between them. */
function randomValue(random: Random, depth: number): Token[] {
  const kind = random(depth > 0 ? 7 : 4);
  if (kind === 0) return [random.pick(NUMBERS)];
  if (kind < 3) return [`"${random.pick(STRINGS)}"`];
  if (kind === 3) return [random.pick(['true', 'false', 'null'])];
  const [open, close] = kind === 4 ? ['[', ']'] : ['{', '}'];
  const tokens: Token[] = [open!];
  for (let left = random(5); left > 0; left--) {
    if (open === '{') tokens.push(`"${random.pick(KEYS)}"`, ':');
    tokens.push(...randomValue(random, depth - 1));
    if (left > 1) tokens.push(',');
  }
  return [...tokens, close!];
}

/** The same value with white space wherever JSON allows it. */
function spaced(random: Random, tokens: readonly Token[]): string {
  return tokens.map((token) => random.pick(SPACES) + token).join('') + random.pick(SPACES);
}

/** What stream-json reads: names and packed values, numbers as text. */
async function tokensOf(text: string): Promise<unknown[]> {
  const tokens: unknown[] = [];
  const stream = Readable.from([text]).pipe(parser.asStream({ packValues: true, streamValues: false }));
  for await (const token of stream) tokens.push(token);
  return tokens;
}

const INPUT: Shape = {
  members: new Map([['content', { elements: { members: new Map([['input', {} as Shape]]) } }]]),
};

test('stream-json tells apart what JSON.parse does not', async () => {
  for (const [a, b] of [
    ['{"n":1.0}', '{"n":1}'],
    ['{"a":1,"a":2}', '{"a":2}'],
    ['{"10":0,"9":0}', '{"9":0,"10":0}'],
    ['[12345678901234567890]', '[12345678901234567891]'],
  ] as const) {
    assert.deepEqual(JSON.parse(a), JSON.parse(b));
    assert.notDeepEqual(await tokensOf(a), await tokensOf(b));
  }
});

test('a slice out of a document has the tokens of its source, and no white space between them', async () => {
  const random = randomFrom();
  for (let round = 0; round < 400; round++) {
    const values = Array.from({ length: 1 + random(3) }, () => randomValue(random, 4));
    const sources = values.map((tokens) => spaced(random, tokens));
    const elements = sources.map((source) => `{"input":${source},"type" : "tool_use"}`);
    const line = `{ "before":${spaced(random, randomValue(random, 3))}, "content" : [${elements.join(' , ')}]}`;
    const found = scanJson(line, INPUT).members.get('content')!.elements;
    for (const [i, source] of sources.entries()) {
      const raw = compactSlice(line, found[i]!.members.get('input')!);
      const which = `seed ${SEED}, round ${round}, value ${i}: ${source}`;
      assert.equal(raw, values[i]!.join(''), which);
      assert.deepEqual(await tokensOf(raw), await tokensOf(source), which);
    }
  }
});

test('a whole document keeps its tokens when it is compacted', async () => {
  const random = randomFrom(SEED + 1);
  for (let round = 0; round < 400; round++) {
    const source = spaced(random, randomValue(random, 6));
    const which = `seed ${SEED}, round ${round}: ${source}`;
    assert.deepEqual(await tokensOf(compactJson(source)), await tokensOf(source), which);
  }
});
