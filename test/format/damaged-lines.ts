/** Lines of records that are damaged: what a quick reader must refuse, or read, as a full one does. */
import { randomFrom, SEED } from '../random.js';

/** A line, and what to call it when it is read otherwise. */
export type DamagedLine = readonly [line: Buffer, words: string];

/** JSON values, each of which most members may not have. */
export const WRONG_VALUES = [
  ...['1', '"x"', 'true', '[]', '{}', '-1', '0.5', '1e400', '"é"', '[1]', '["é"]', '{"a":1}'],
] as const;

const OF_RECORD =
  'ord off sha bytes id parent call run continues tool child batch label started_by from time trigger flags usage model parts dropped';
const OF_PART = 'k text data id of name server server_tool failed media encoding state bytes';

/** A line for every member of a record that is this value, and one that is nothing but it. */
export function* withMember(value: string): Generator<DamagedLine> {
  for (const key of OF_RECORD.split(' ')) yield [Buffer.from(`{"${key}":${value},"x":"é"}`), key];
  for (const key of OF_PART.split(' ')) {
    yield [Buffer.from(`{"parts":[{"${key}":${value}}]}`), `part ${key}`];
    yield [Buffer.from(`{"parts":[{"k":"data","${key}":${value}}]}`), `data ${key}`];
  }
  for (const key of ['in', 'out', 'cache_read', 'cache_write'])
    yield [Buffer.from(`{"usage":{"${key}":${value}}}`), `usage ${key}`];
  for (const key of ['what', 'bytes', 'why'])
    yield [Buffer.from(`{"dropped":[{"${key}":${value}}]}`), `dropped ${key}`];
  yield [Buffer.from(value), 'the line'];
}

const STEPS = 20_000;

/** Some of the lines with up to three bytes changed, and one cut off. */
export function* changedAtRandom(lines: Iterable<string | Buffer>): Generator<DamagedLine> {
  const random = randomFrom();
  const all = [...lines].map((line) => Buffer.from(line as string));
  for (let step = 0; step < STEPS; step++) {
    const line = Buffer.from(random.pick(all));
    for (let n = random(3); n >= 0 && line.length > 0; n--)
      line[random(line.length)] = random.pick([random(256), ...Buffer.from('"\\u:,{}[]é0n')]);
    yield [line.subarray(0, line.length - random(2)), `seed ${SEED}, step ${step}: ${line}`];
  }
}
