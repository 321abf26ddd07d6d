import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compactJson, compactSlice, nestingDepth, type Shape, scanJson } from '../../src/format/json-scan.js';

const compactions: ReadonlyArray<readonly [text: string, want: string]> = [
  ['{"a": 1.0, "10" : 1e3 }', '{"a":1.0,"10":1e3}'],
  [' [ ] ', '[]'],
  ['{ }', '{}'],
  ['{"a" :"b c","a":[1 ,2]}', '{"a":"b c","a":[1,2]}'],
  ['"  \\" \\\\"', '"  \\" \\\\"'],
  ['\r\n {"a"\n:\tnull}\r\n', '{"a":null}'],
  ['{"x":"\\u2028 \\\\","y": -0}', '{"x":"\\u2028 \\\\","y":-0}'],
  ['12345678901234567890', '12345678901234567890'],
  [' true ', 'true'],
];
for (const [text, want] of compactions)
  test(`compaction of ${JSON.stringify(text)} touches white space between tokens only`, () => {
    assert.equal(compactJson(text), want);
  });

const shape: Shape = {
  members: new Map<string, Shape>([
    ['toolUseResult', {}],
    [
      'message',
      { members: new Map([['content', { elements: { members: new Map([['input', {} as Shape]]) } }]]) },
    ],
  ]),
};

test('slices are found by path, and of two equal keys the last counts', () => {
  const text =
    ' {"message":{"content":[]}, "toolUseResult":1,"mess\\u0061ge":{"content":[ {"input":{"a": 1}}, 7 ,{"x":[]}]},"toolUseResult" : {"b":2 } }';
  const line = scanJson(text, shape);
  const slices = line.members.get('message')?.members.get('content')?.elements ?? [];
  assert.equal(slices.length, 3);
  const input = slices[0]?.members.get('input');
  assert.ok(input);
  assert.equal(text.slice(input.start, input.end), '{"a": 1}');
  assert.equal(compactSlice(text, input), '{"a":1}');
  assert.equal(text.slice(slices[1]?.start, slices[1]?.end), '7');
  const result = line.members.get('toolUseResult');
  assert.ok(result);
  assert.equal(compactSlice(text, result), '{"b":2}');
  assert.equal(text.slice(line.end), '');
});

test('a member of another type than the shape expects is a slice all the same', () => {
  const line = scanJson('{"message":"text","toolUseResult":[1,[2]]}', shape);
  assert.equal(line.members.get('message')?.members.size, 0);
  assert.equal(line.members.get('toolUseResult')?.depth, 2);
});

test('depth counts open objects and lists, also at 40,000 levels, and skips brackets in strings', () => {
  assert.equal(nestingDepth('"[[["'), 0);
  assert.equal(nestingDepth('{"a":[{}],"b":1}'), 3);
  const deep = '['.repeat(40_000) + ']'.repeat(40_000);
  assert.equal(nestingDepth(deep), 40_000);
  assert.equal(scanJson(`{"message":{"content":[${deep}]}}`, shape).depth, 40_003);
  assert.equal(compactJson(deep), deep);
});

test('long runs of backslashes and quotes cost linear time', () => {
  const text = JSON.stringify({ a: '\\"'.repeat(300_000), b: '\\'.repeat(300_000) });
  assert.equal(compactJson(text), text);
});

test('random values: the compaction of spaced text is the compact text, and slices parse to the values', () => {
  const seed = 20260101;
  const random = generator(seed);
  for (let i = 0; i < 2000; i++) {
    const value = randomValue(random, 0);
    const compact = JSON.stringify(value);
    const pretty = JSON.stringify(value, null, random() < 0.5 ? 2 : '\t');
    assert.equal(compactJson(pretty), compact, `seed ${seed}, round ${i}`);
    const spaced = scanJson(pretty);
    assert.equal(spaced.spaced, pretty !== compact, `seed ${seed}, round ${i}`);
    assert.equal(scanJson(compact).depth, spaced.depth);
    const wrapped = `{"x":${pretty}, "message":{"content":[0,${pretty}]}}`;
    const content = scanJson(wrapped, shape).members.get('message')?.members.get('content');
    const [, second] = content?.elements ?? [];
    assert.deepEqual(JSON.parse(wrapped.slice(second?.start, second?.end)), value);
  }
});

function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

function randomValue(random: () => number, depth: number): unknown {
  const pick = random();
  if (depth < 4 && pick < 0.3)
    return Array.from({ length: Math.floor(random() * 4) }, () => randomValue(random, depth + 1));
  if (depth < 4 && pick < 0.6)
    return Object.fromEntries(
      Array.from({ length: Math.floor(random() * 4) }, () => [
        randomText(random),
        randomValue(random, depth + 1),
      ]),
    );
  if (pick < 0.8) return randomText(random);
  return [null, true, false, 0, -1.5, 1e21][Math.floor(random() * 6)];
}

function randomText(random: () => number): string {
  const alphabet = ['a', '"', '\\', ' ', '\n', '{', ']', 'é', '\u2028', '😀', ':', ','];
  return Array.from({ length: Math.floor(random() * 6) }, () => alphabet[Math.floor(random() * 12)]).join('');
}
