import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { CanonicalFrames } from '../../src/format/canonical-frame.js';
import type { Entity } from '../../src/format/entity.js';
import { readRound } from '../../src/format/round-reader.js';
import {
  type Attributes,
  type AttributeValue,
  commitLine,
  type Group,
  headerLine,
  type Ref,
} from '../../src/format/session-flow.js';
import { COUNTED } from '../../src/rounds/serializer.js';
import { nodeEntity, relationEntity, tombstone, unresolvedEntity } from '../entities.js';
import { randomFrom, SEED } from '../random.js';
import { aHeader } from '../rounds/round-builder.js';

const FACTS = { round: 12, throughSeq: 9 };

/** The entity of a line that is decoded: a space before its last brace keeps it from being recognised. */
function decodedFrom(line: string, group: Group): Entity {
  const header = aHeader({ round: FACTS.round, previous: 'p', through_seq: FACTS.throughSeq });
  const body = `${headerLine(header)}\n${line.slice(0, -1)} }\n`;
  const digest = createHash('sha256').update(body).digest('hex');
  const counts = { nodes: 0, relations: 0, unresolved: 0, [COUNTED[group]]: 1 };
  return readRound(Buffer.from(`${body}${commitLine(digest, counts)}\n`)).frames[0]!;
}

function recognised(line: string | Buffer, facts = FACTS): Entity | undefined {
  // What surrounds the line must play no part.
  const bytes = Buffer.concat([Buffer.from('"x\n'), Buffer.from(line), Buffer.from('\n","kind":')]);
  return new CanonicalFrames(bytes).at(3, 3 + Buffer.byteLength(line), facts);
}

const REF: Ref = { seq: 9, row: 3, block: 0 };
const NODE = nodeEntity({
  id: 'tool/t1',
  kind: 'tool',
  parent: 'call/m1',
  stream: 'main',
  ref: REF,
  refs: [REF, { seq: 1, row: 0 }],
  attrs: { a: [1, 'x', [], {}, null], name: 'Bash', result: true, z: { b: -1, c: 'x' } },
}).line(12);

test('what the writer spells is recognised, and is the entity it was', () => {
  for (const made of [
    nodeEntity({ id: 'n', kind: '' }),
    nodeEntity({ id: 'stream/x', kind: 'stream', attrs: { label: 'y', role: 'child' } }),
    nodeEntity({ id: 'stream/x', kind: 'stream', attrs: { 'role"': 'child' } }),
    nodeEntity({ id: 'talk/main/1', kind: 'talk', ref: { seq: 0, row: 1 } }),
    nodeEntity({ id: 'tool/t1', kind: 'tool', attrs: { name: 'Bash' } }),
    nodeEntity({ id: 'tool/t1', kind: 'tool', attrs: { a: { name: 'Bash', role: 'child' } } }),
    relationEntity({ id: 'rel/1', type: 'starts', from: 'a', to: 'b', quality: '' }),
    relationEntity({ id: 'r', type: 't', from: 'a', to: 'b', quality: 'q', via: 'v', evidence: [REF] }),
    unresolvedEntity({ id: 'unres/1', kind: 'k', ref: 'r', reason: 'w', state: 'open' }),
    unresolvedEntity({ id: 'unres/1', kind: '', state: 'terminal' }),
  ]) {
    const line = made.line(12);
    const read = recognised(line);
    if (line.includes('\\')) assert.equal(read, undefined, line);
    else {
      assert.equal(read?.line(12), line);
      assert.ok(read.equals(made));
      assert.deepEqual([read.group, read.id, read.tally], [made.group, made.id, made.tally]);
      assert.deepEqual([read.revision, read.removes], [12, false]);
      assert.equal(read.sizeWithoutRound + 2, line.length + 1);
    }
  }
});

for (const [what, line] of [
  ['another round', NODE.replace('"revision":12', '"revision":13')],
  ['a longer number of the round', NODE.replace('"revision":12', '"revision":012')],
  ['a reference past the evidence', NODE.replace('"seq":9', '"seq":10')],
  ['a reference to nowhere', NODE.replace('"seq":1,"row":0', '"seq":0,"row":0')],
  ['a row below 0', NODE.replace('"row":3', '"row":-3')],
  ['a fraction', NODE.replace('"b":-1', '"b":1.5')],
  ['an exponent', NODE.replace('"b":-1', '"b":1e3')],
  ['minus 0', NODE.replace('"b":-1', '"b":-0')],
  ['a number of 16 digits', NODE.replace('"b":-1', '"b":1000000000000000')],
  ['a zero in front', NODE.replace('"b":-1', '"b":01')],
  ['keys out of order', NODE.replace('"result"', '"aaa"')],
  ['a key twice', NODE.replace('"result"', '"name"')],
  ['a shorter key after its longer one', NODE.replace('"result"', '"nam"')],
  ['a space', NODE.replace('"tool/t1"', ' "tool/t1"')],
  ['an escape', NODE.replace('"x"', '"\\u0061"')],
  ['a quote in a string', NODE.replace('"x"', '"\\""')],
  ['a character of two bytes', NODE.replace('"x"', '"é"')],
  ['a control', NODE.replace('"x"', '"\u0001"')],
  ['a delete character', NODE.replace('"x"', '"\u007f"')],
  ['a character that is to be escaped', NODE.replace('"x"', '"<"')],
  ['no id', NODE.replace('"tool/t1"', '""')],
  ['an empty parent', NODE.replace('"call/m1"', '""')],
  ['no references in a list', NODE.replace(/"refs":\[[^\]]*\]/, '"refs":[]')],
  ['no attributes', NODE.replace(/"attrs":.*/, '"attrs":{}}')],
  ['attributes that are none', NODE.replace(/"attrs":.*/, '"attrs":"x"}')],
  [
    'members in another order',
    NODE.replace('"kind":"tool","parent":"call/m1"', '"parent":"call/m1","kind":"tool"'),
  ],
  ['a member nobody knows', NODE.replace(/}$/, ',"more":1}')],
  ['something behind it', `${NODE} `],
  ['its last brace missing', NODE.slice(0, -1)],
  ['a tombstone', tombstone('node', 'n').line(12)],
  [
    'a relation without an end',
    relationEntity({ id: 'r', type: 't', from: '', to: 'b', quality: 'q' }).line(12),
  ],
  ['a state nobody knows', unresolvedEntity({ id: 'u', kind: 'k', state: 'gone' as 'open' }).line(12)],
  ['a header', '{"t":"header"}'],
  ['nothing', ''],
] as const)
  test(`${what} is not recognised`, () => {
    assert.equal(recognised(line), undefined, line);
    assert.ok(recognised(NODE) !== undefined);
  });

test('attributes nested deep are not recognised, and do not exhaust the stack', () => {
  const deep = '{"a":'.repeat(100_000);
  assert.equal(recognised(NODE.replace('"b":-1', `"b":${deep}1${'}'.repeat(100_000)}`)), undefined);
  assert.equal(recognised(NODE.replace('"b":-1', `"b":${'['.repeat(100_000)}`)), undefined);
});

test('random entities, random damage: what is recognised is what decoding and writing again gives', () => {
  const random = randomFrom();
  const text = (): string => {
    const letters = random(40) === 0 ? ['"', '\\', '<', 'é', '😀', '\u0001'] : ['a', 'b', '/', ' ', '1'];
    return Array.from({ length: random(6) }, () => random.pick(letters)).join('');
  };
  const value = (depth: number): AttributeValue =>
    depth > 3
      ? random(100)
      : random.pick<() => AttributeValue>([
          () => text(),
          () => random(1_000_000) - 1000,
          () => random.pick([true, false, null]),
          () => Array.from({ length: random(3) }, () => value(depth + 1)),
          () => attributes(depth + 1),
        ])();
  const attributes = (depth: number): Attributes =>
    Object.fromEntries(
      Array.from({ length: random(4) }, () => [random.pick(['name', 'role', 'a', text()]), value(depth)]),
    );
  const ref = (): Ref => ({
    seq: 1 + random(9),
    row: random(5),
    ...(random(2) === 0 ? {} : { block: random(3) }),
  });
  const refs = (): Ref[] => Array.from({ length: random(3) }, ref);
  const entity = (i: number): Entity =>
    random.pick([
      () =>
        nodeEntity({
          id: `${i}/${text()}`,
          kind: random.pick(['tool', 'stream', 'talk', 'llm.call', 'segment', text()]),
          parent: text(),
          stream: text(),
          refs: refs(),
          attrs: attributes(0),
          ...(random(2) === 0 ? {} : { ref: ref() }),
        }),
      () =>
        relationEntity({
          id: `${i}/${text()}`,
          type: `t${text()}`,
          from: `f${text()}`,
          to: `o${text()}`,
          quality: text(),
          via: text(),
          evidence: refs(),
        }),
      () =>
        unresolvedEntity({
          id: `${i}/${text()}`,
          kind: text(),
          ref: text(),
          reason: text(),
          state: random.pick(['open', 'resolved', 'terminal']),
        }),
    ])();
  let known = 0;
  for (let round = 0; round < 3000; round++) {
    const line = Buffer.from(entity(round).line(12));
    for (let damage = random(3); damage > 0; damage--) {
      const at = random(line.length);
      line[at] = random.pick([random(256), line[random(line.length)]!, 0x22, 0x2c, 0x30]);
    }
    const read = line.includes(0x0a) ? undefined : recognised(line);
    if (read === undefined) continue;
    known++;
    const decoded = decodedFrom(line.toString('latin1'), read.group);
    assert.equal(decoded.line(12), line.toString('latin1'), `seed ${SEED}`);
    assert.deepEqual(
      [read.line(12), read.group, read.id, read.tally],
      [decoded.line(12), decoded.group, decoded.id, decoded.tally],
      `seed ${SEED}`,
    );
  }
  assert.ok(known > 300, `only ${known} recognised`);
});
