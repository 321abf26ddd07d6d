import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatTime } from '../../src/format/time.js';
import { recordTimes } from '../../src/push/record-times.js';

const HEADER = '{"h":1,"at":"2020-01-01T00:00:00.000Z"}';

function range(...lines: readonly string[]): [from: string, through: string] | undefined {
  const bytes = Buffer.from([HEADER, ...lines, '{"t":"end"}', ''].join('\n'));
  const times = recordTimes(bytes);
  return times && [formatTime(times.from), formatTime(times.through)];
}

const at = (time: string, more = '') => `{"ord":1,${more}"time":"${time}","parts":[{"k":"text","text":"x"}]}`;

test('the earliest and the latest time, whatever their order and their spelling', () => {
  assert.deepEqual(range(at('2026-01-02T00:00:00.500Z'), at('2026-01-01T00:00:00.000Z')), [
    '2026-01-01T00:00:00Z',
    '2026-01-02T00:00:00.5Z',
  ]);
  const spelled = [
    at('2026-01-01T12:00:00.000Z'),
    at('2026-01-01T12:00:00+02:00'),
    at('2026-01-01T12:00:00.000000001Z'),
  ];
  assert.deepEqual(range(...spelled), ['2026-01-01T10:00:00Z', '2026-01-01T12:00:00.000000001Z']);
});

test('what is no time is passed over, also where it would be the first or the last', () => {
  const good = at('2026-02-03T00:00:00.000Z');
  for (const bad of [
    '2026-02-30T00:00:00.000Z',
    '2025-13-01T00:00:00.000Z',
    '9999-99-99T99:99:99.999Z',
    'abcdefghijklmnopqrs.uvwxZ',
    '',
    'yesterday',
  ])
    assert.deepEqual(range(at(bad), good), ['2026-02-03T00:00:00Z', '2026-02-03T00:00:00Z'], bad);
  assert.equal(range(at('2026-02-30T00:00:00.000Z')), undefined);
});

test('a time within the parts, or after them, is none of the record', () => {
  const inside = '{"ord":1,"parts":[{"k":"data","data":{"time":"2026-01-01T00:00:00.000Z"}}]}';
  assert.equal(range(inside), undefined);
  assert.deepEqual(range(inside, at('2026-03-01T00:00:00.000Z')), [
    '2026-03-01T00:00:00Z',
    '2026-03-01T00:00:00Z',
  ]);
  assert.equal(range('{"ord":1,"label":"\\"time\\":\\"2026-01-01T00:00:00.000Z\\"","parts":[]}'), undefined);
  assert.deepEqual(range('{"ord":1,"time":"2026-01-01T00:00:00.000Z"}'), [
    '2026-01-01T00:00:00Z',
    '2026-01-01T00:00:00Z',
  ]);
});

test('a time that stands far behind the beginning of its line, and a line that is cut within one', () => {
  for (const bytes of [500, 511, 4000, 100_000])
    assert.deepEqual(range(at('2026-01-01T00:00:00.000Z', `"label":"${'é'.repeat(bytes / 2)}",`)), [
      '2026-01-01T00:00:00Z',
      '2026-01-01T00:00:00Z',
    ]);
  for (const cut of ['{"ord":1,"time":"2026', '{"ord":1,"time":"'])
    assert.equal(recordTimes(Buffer.from(cut)), undefined);
  assert.equal(recordTimes(Buffer.alloc(0)), undefined);
});

test('a time in one line is none of the lines before it, nor are its parts', () => {
  const late = at('2026-05-01T00:00:00.000Z');
  const both = ['2026-05-01T00:00:00Z', '2026-05-01T00:00:00Z'];
  assert.deepEqual(range('{"ord":1}', '{"ord":2,"parts":[]}', late), both);
  assert.deepEqual(range('{"ord":1,"parts":[]}', late, '{"ord":3}'), both);
  assert.deepEqual(range('{"ord":1,"time":"2026-05-01T00:00:00.000Z"}', '{"ord":2,"parts":[]}'), both);
});

test('a time with more digits than somebody writes is none', () => {
  assert.deepEqual(range(at(`2026-05-01T00:00:00.${'0'.repeat(1000)}Z`)), [
    '2026-05-01T00:00:00Z',
    '2026-05-01T00:00:00Z',
  ]);
  assert.equal(range(at(`2026-05-01T00:00:00.${'0'.repeat(10_000)}Z`)), undefined);
});

test('a file of long lines without a time is read in a moment', () => {
  const line = `{"ord":1,${'"x":1,'.repeat(100_000)}"y":2}\n`;
  const began = performance.now();
  assert.equal(recordTimes(Buffer.from(line.repeat(50))), undefined);
  assert.ok(performance.now() - began < 10_000);
});
