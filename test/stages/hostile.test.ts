/**
 * Sessions as no runtime writes them: ids collide and hold slashes, parents loop, kinds and flags combine at will.
 * Whatever the evidence, the tree holds, nothing looks past the watermark, and pages and budgets change nothing.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FLAGS } from '../../src/format/index-entry.js';
import { LANDED_KINDS } from '../../src/format/landed-name.js';
import { type Random, randomFrom, SEED } from '../random.js';
import { chainOf, entitiesOf } from '../vectors/in-memory.js';
import {
  type AFile,
  type ARecord,
  anIndex,
  assembledIndex,
  call,
  part,
  reasoning,
  result,
  text,
} from './index-builder.js';

const NAMES = ['', '', 'a', 'b', 'main', 'a/b', 'a_b', '0', '😀', '__proto__'];
const KINDS = [...LANDED_KINDS.map(({ kind }) => kind), 'transcript', 'transcript', 'transcript', 'unheard'];

function aRecord(random: Random): ARecord {
  const name = () => random.pick(NAMES);
  const seldom = (value: string) => (random(4) === 0 ? value : '');
  return {
    ...{
      id: name(),
      parent: name(),
      call: name(),
      run: name(),
      continues: seldom(name()),
      tool: seldom(name()),
    },
    ...{ child: seldom(name()), batch: seldom(name()), label: seldom('label'), started_by: seldom(name()) },
    from: random.pick(['agent', 'external', 'runtime', '']),
    time: random.pick(['', `2026-01-01T0${random(10)}:${10 + random(50)}:00Z`, 'never']),
    trigger: random.pick(['', '', 'external', 'notification', 'unknown']),
    flags: random(2) === 0 ? [] : [random.pick(FLAGS), random.pick(FLAGS)],
    parts: Array.from({ length: random(4) }, () =>
      random.pick([text(), reasoning(), call(name(), 'Bash'), result(name()), part('media')]),
    ),
  };
}

function aSession(random: Random): AFile[] {
  let seq = 0;
  return Array.from({ length: 1 + random(5) }, () => {
    seq += 1 + random(2);
    const records = Array.from({ length: random(9) }, () => aRecord(random));
    return { kind: random.pick(KINDS), stream: random.pick(NAMES), batch: random.pick(NAMES), seq, records };
  });
}

const SESSIONS = 60;

test('the tree holds: one root, every parent there, no cycle; relations join nodes, evidence has landed', async () => {
  const random = randomFrom();
  for (let round = 0; round < SESSIONS; round++) {
    const files = aSession(random);
    const { nodes, relations } = await assembledIndex(anIndex(...files));
    const what = `seed ${SEED}, session ${round}`;
    for (const [id, { kind, parent }] of nodes) {
      assert.equal(parent === undefined, kind === 'session', `${what}: ${id}`);
      let depth = 0;
      for (let at: string | undefined = id; at !== undefined; at = nodes.get(at)?.parent) {
        assert.ok(nodes.has(at), `${what}: ${id} hangs from ${at}`);
        assert.ok(++depth < 12, `${what}: ${id} is in a cycle`);
      }
    }
    const rows = new Map(files.map(({ seq, records }) => [seq!, records.length]));
    for (const { id, from, to, evidence } of relations.values()) {
      assert.ok(nodes.has(from) && nodes.has(to), `${what}: ${id}`);
      for (const { seq, row } of evidence ?? [])
        assert.ok(row >= 1 && row <= rows.get(seq)!, `${what}: ${id}`);
    }
  }
});

test('what an assembly to a watermark says does not change when more lands, nor with the size of pages', async () => {
  const random = randomFrom();
  for (let round = 0; round < SESSIONS; round++) {
    const files = aSession(random);
    const whole = anIndex(...files);
    for (const [i, { seq }] of files.entries()) {
      const alone = await assembledIndex(anIndex(...files.slice(0, i + 1)));
      const bounded = await assembledIndex(whole, { watermark: seq!, pageEntries: 1 + random(5) });
      assert.deepEqual(bounded.entities, alone.entities, `seed ${SEED}, session ${round} through ${seq}`);
    }
  }
});

test('a chain of one round per file folds to one full assembly, and every round reads', async () => {
  const random = randomFrom();
  for (let round = 0; round < SESSIONS; round++) {
    const index = anIndex(...aSession(random));
    const [whole, cut] = [await chainOf(index), await chainOf(index, { maxBytes: 1 })];
    const what = `seed ${SEED}, session ${round}`;
    assert.deepEqual(entitiesOf(cut.fold, { history: false }), entitiesOf(whole.fold), what);
    assert.deepEqual({ ...cut.fold.tally }, { ...whole.fold.tally }, what);
    assert.equal((await chainOf(index, {}, cut.fold)).rounds.length, 0, what);
  }
});
