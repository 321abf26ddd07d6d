import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  compareInstants,
  formatStamp,
  formatTime,
  type Instant,
  isNoTime,
  NO_TIME,
  parseTime,
} from '../../src/format/time.js';
import { randomFrom, SEED } from '../random.js';

const read: ReadonlyArray<readonly [text: string, utc: string]> = [
  ['2026-09-01T12:56:03Z', '2026-09-01T12:56:03Z'],
  ['2026-09-01T12:56:03.1818Z', '2026-09-01T12:56:03.1818Z'],
  ['2026-09-01T12:56:03,5Z', '2026-09-01T12:56:03.5Z'],
  ['2026-09-01T12:56:03.000Z', '2026-09-01T12:56:03Z'],
  ['2026-09-01T12:56:03.123456789Z', '2026-09-01T12:56:03.123456789Z'],
  ['2026-09-01T12:56:03.1234567899999Z', '2026-09-01T12:56:03.123456789Z'],
  ['2026-09-01T12:56:03.00000000099Z', '2026-09-01T12:56:03Z'],
  ['2026-09-01T12:56:03+02:00', '2026-09-01T10:56:03Z'],
  ['2026-09-01T12:56:03-09:30', '2026-09-01T22:26:03Z'],
  ['2026-09-01T12:56:03.5+00:00', '2026-09-01T12:56:03.5Z'],
  ['2026-09-01T12:56:03-00:00', '2026-09-01T12:56:03Z'],
  ['2026-09-01T00:00:00+24:00', '2026-08-31T00:00:00Z'],
  ['2026-09-01T00:00:00-24:00', '2026-09-02T00:00:00Z'],
  ['2024-02-29T00:00:00Z', '2024-02-29T00:00:00Z'],
  ['2000-02-29T23:59:59Z', '2000-02-29T23:59:59Z'],
  ['1969-12-31T23:59:59.999999999Z', '1969-12-31T23:59:59.999999999Z'],
  ['1970-01-01T00:00:00.000000001Z', '1970-01-01T00:00:00.000000001Z'],
  ['2262-04-11T23:47:16.854775807Z', '2262-04-11T23:47:16.854775807Z'],
  ['1677-09-21T00:12:43.145224192Z', '1677-09-21T00:12:43.145224192Z'],
  ['2262-04-12T00:47:16.854775807+01:00', '2262-04-11T23:47:16.854775807Z'],
];
for (const [text, utc] of read)
  test(`${text} is the instant ${utc}`, () => {
    const instant = parseTime(text);
    assert.ok(instant.ns >= 0 && instant.ns < 1_000_000);
    assert.equal(formatTime(instant), utc);
  });

for (const [text, why] of [
  ['', 'nothing'],
  ['2026-09-01', 'a date alone'],
  ['2026-09-01 12:56:03Z', 'a space for the T'],
  ['2026-09-01t12:56:03Z', 'a small t'],
  ['2026-09-01T12:56:03z', 'a small z'],
  ['2026-09-01T12:56:03', 'no offset'],
  ['2026-09-01T12:56Z', 'no seconds'],
  ['2026-09-01T12:56:03.Z', 'a dot without digits'],
  ['2026-09-01T12:56:03+0200', 'an offset without colon'],
  ['2026-09-01T12:56:03+25:00', 'an offset past 24 hours'],
  ['2026-9-01T12:56:03Z', 'a month of one digit'],
  ['2026-13-01T12:56:03Z', 'month 13'],
  ['2026-00-01T12:56:03Z', 'month 0'],
  ['2026-04-31T12:56:03Z', 'April 31'],
  ['2026-02-29T12:56:03Z', 'February 29 of a common year'],
  ['2100-02-29T12:56:03Z', 'February 29 of a century'],
  ['2026-09-00T12:56:03Z', 'day 0'],
  ['2026-09-01T24:00:00Z', 'hour 24'],
  ['2026-09-01T12:60:00Z', 'minute 60'],
  ['2026-09-01T12:56:60Z', 'second 60'],
  ['+2026-09-01T12:56:03Z', 'a sign'],
  ['12026-09-01T12:56:03Z', 'five digits of a year'],
  [' 2026-09-01T12:56:03Z', 'a space before'],
  ['2026-09-01T12:56:03Z\n', 'a newline after'],
  ['٢٠٢٦-09-01T12:56:03Z', 'digits of another script'],
  ['1970-01-01T00:00:00Z', '1970 itself'],
  ['1970-01-01T02:00:00+02:00', '1970 itself with an offset'],
  ['2262-04-11T23:47:16.854775808Z', 'a nanosecond past 64 bit'],
  ['1677-09-21T00:12:43.145224191Z', 'a nanosecond before 64 bit'],
  ['9999-12-31T23:59:59Z', 'the year 9999, past 64 bit'],
  ['0000-01-01T00:00:00Z', 'the year 0, before 64 bit'],
  ['0099-01-01T00:00:00Z', 'the year 99: it is not 1999'],
  ['0070-01-01T00:00:01Z', 'the year 70: it is not 1970'],
] as const)
  test(`${why} is no time`, () => assert.deepEqual(parseTime(text), NO_TIME));

test('fractions lose their trailing zeros, stamps keep nine digits', () => {
  const instant = parseTime('2026-08-31T09:12:04.4815Z');
  assert.equal(formatTime(instant), '2026-08-31T09:12:04.4815Z');
  assert.equal(formatStamp(instant), '20260831T091204.481500000Z');
  assert.equal(formatStamp(parseTime('2026-08-31T09:12:04Z')), '20260831T091204.000000000Z');
});

test('1970 is no time, and a nanosecond beside it is one', () => {
  assert.ok(isNoTime(NO_TIME));
  assert.ok(!isNoTime(fromNanoseconds(1n)));
  assert.deepEqual(fromNanoseconds(-1n), { ms: -1, ns: 999_999 });
});

test('random instants: every form comes back, and pairs order like nanoseconds', () => {
  const random = randomFrom();
  const bits = () => BigInt(random(2 ** 32));
  let before: Instant = { ms: 1, ns: 0 };
  for (let i = 0; i < 5000; i++) {
    const total = BigInt.asIntN(64, (bits() << 32n) | bits());
    const instant = fromNanoseconds(total);
    const what = `seed ${SEED}, ${total}`;
    assert.equal(toNanoseconds(instant), total, what);
    assert.deepEqual(parseTime(formatTime(instant)), instant, what);
    const order = total < toNanoseconds(before) ? -1 : total > toNanoseconds(before) ? 1 : 0;
    assert.equal(Math.sign(compareInstants(instant, before)), order, what);
    before = instant;
  }
});

/** The same instant as one exact number: what the pair of numbers is held against. */
function toNanoseconds({ ms, ns }: Instant): bigint {
  return BigInt(ms) * 1_000_000n + BigInt(ns);
}

/** The inverse of `toNanoseconds`. */
function fromNanoseconds(total: bigint): Instant {
  const ns = ((total % 1_000_000n) + 1_000_000n) % 1_000_000n;
  return { ms: Number((total - ns) / 1_000_000n), ns: Number(ns) };
}
