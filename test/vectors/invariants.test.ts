/**
 * Properties every chain has, whatever its evidence: held over all scenario vectors, all sessions made by hand and
 * a sample of the random sessions.
 */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { IndexLinesReader, indexEntryLine, indexHeaderLine } from '../../src/format/index-lines.js';
import { readRound } from '../../src/format/round-reader.js';
import type { Node, Ref, Relation, Unresolved } from '../../src/format/session-flow.js';
import { compareInstants, type Instant, parseTime } from '../../src/format/time.js';
import { Fold } from '../../src/rounds/fold.js';
import { needsShared, sharedData } from '../shared.js';
import { assembledIndex } from '../stages/index-builder.js';
import { type Chain, chainOf, entitiesOf, indexOf } from './in-memory.js';
import { randomVectors, type Vector, vectorsIn } from './landed-root.js';

const vectors: readonly Vector[] = sharedData() === undefined ? [] : sample(sharedData()!);

test('the sample is what it should be', needsShared, () => assert.equal(vectors.length, 28 + 10 + 6 * 15));

test('pages of 1, 7 and 4096 entries give the same rounds', needsShared, async () => {
  for (const vector of vectors) {
    const index = indexOf(vector);
    const checkpoints = checkpointsOf(vector);
    for (const pageEntries of [1, 7, 4096]) {
      const { bytes } = await chainOf(index, { checkpoints, pageEntries });
      assertRounds(bytes, vector, `${vector.session} in pages of ${pageEntries}`);
    }
  }
});

test(
  'an index that stops at a checkpoint and one that goes on give the same round: nothing looks ahead',
  needsShared,
  async () => {
    for (const vector of vectors) {
      const fold = new Fold(vector.session);
      for (const { through, content } of vector.rounds) {
        const { bytes } = await chainOf(indexOf(vector, through), {}, fold);
        assert.ok(bytes[0]!.equals(content), `${vector.session} through ${through}`);
      }
    }
  },
);

test('the fold of all rounds is one full assembly, at every checkpoint', needsShared, async () => {
  for (const vector of vectors) {
    const fold = new Fold(vector.session);
    for (const { through, content } of vector.rounds) {
      fold.apply(readRound(content));
      const whole = await chainOf(indexOf(vector, through));
      assert.deepEqual(
        entitiesOf(fold, { history: false }),
        entitiesOf(whole.fold),
        `${vector.session} through ${through}`,
      );
    }
  }
});

test('a budget of one byte gives one round per landed file, and the same fold', needsShared, async () => {
  for (const vector of vectors) {
    const index = indexOf(vector);
    const whole = await chainOf(index);
    const cut = await cutChainOf(vector);
    assert.deepEqual(
      cut.rounds.map(({ throughSeq }) => throughSeq),
      index.files.map(({ seq }) => seq),
      vector.session,
    );
    assert.deepEqual(entitiesOf(cut.fold, { history: false }), entitiesOf(whole.fold), vector.session);
    assert.deepEqual({ ...cut.fold.tally }, { ...whole.fold.tally }, vector.session);
  }
});

test('the counts of every header are those of the fold as of its round', needsShared, async () => {
  for (const vector of vectors) {
    const { bytes } = await cutChainOf(vector);
    const fold = new Fold(vector.session);
    for (const content of bytes) {
      const round = readRound(content);
      fold.apply(round);
      const { header } = round;
      const nodes = [...fold.entities.node.values()].map((entity) => entity.members<Node>());
      const open = [...fold.entities.unresolved.values()].filter(
        (entity) => entity.members<Unresolved>().state === 'open',
      );
      const count = (...kinds: string[]) => nodes.filter(({ kind }) => kinds.includes(kind)).length;
      const attr = (node: Omit<Node, 'id'>, name: string) => (node.attrs as Record<string, unknown>)?.[name];
      assert.deepEqual(
        [header.talks, header.streams, header.segments, header.unresolved, header.llm_calls],
        [count('talk'), count('stream'), count('segment'), open.length, count('llm.call')],
      );
      const noSteps = ['conversation', 'segment', 'session', 'stream', 'epoch', 'talk', 'run'];
      assert.equal(header.steps, nodes.length - count(...noSteps));
      assert.equal(
        header.subagents,
        nodes.filter((node) => node.kind === 'stream' && attr(node, 'role') === 'child').length,
      );
      assert.equal(
        header.bash_runs,
        nodes.filter((node) => ['tool', 'agent.call'].includes(node.kind) && attr(node, 'name') === 'Bash')
          .length,
      );
    }
  }
});

test(
  'no round removes what was never written, and none writes what the fold already says',
  needsShared,
  async () => {
    for (const vector of vectors) {
      const { bytes } = await cutChainOf(vector);
      const fold = new Fold(vector.session);
      for (const content of bytes) {
        const round = readRound(content);
        for (const entity of round.frames) {
          const folded = fold.entities[entity.group].get(entity.id);
          const name = `${vector.session} round ${round.header.round} ${entity.id}`;
          if (entity.removes) assert.ok(folded !== undefined && entity.group !== 'unresolved', name);
          else assert.notEqual(folded?.tail, entity.tail, name);
        }
        fold.apply(round);
      }
    }
  },
);

test(
  'header and session node agree in every round, and the session never begins later than it did',
  needsShared,
  async () => {
    for (const vector of vectors) {
      const fold = new Fold(vector.session);
      let begin: Instant | undefined;
      for (const content of (await cutChainOf(vector)).bytes) {
        const { header, ...round } = readRound(content);
        fold.apply({ header, ...round });
        const node = fold.entities.node.get(`session/${vector.session}`)!.members<Node>();
        const { from_time, through_time, title } = node.attrs as Record<string, string>;
        assert.deepEqual(
          [header.session_from_time, header.session_through_time, header.title],
          [from_time, through_time, title],
        );
        if (from_time === undefined) continue;
        const from = parseTime(from_time);
        assert.ok(begin === undefined || compareInstants(from, begin) <= 0, vector.session);
        begin = from;
      }
    }
  },
);

test('parsing again writes nothing', needsShared, async () => {
  for (const vector of vectors) {
    const index = indexOf(vector);
    const { fold } = await chainOf(index);
    assert.equal((await chainOf(index, {}, fold)).rounds.length, 0, vector.session);
  }
});

test(
  'everything landed again changes nothing but the count of duplicates, where records have ids',
  needsShared,
  async () => {
    let repeated = 0;
    for (const vector of vectors) {
      const withIds = withRecordIds(vector);
      const once = indexOf(withIds);
      const last = once.files.at(-1)!.seq;
      const twice = indexOf({
        ...withIds,
        files: [...withIds.files, ...withIds.files.map((file) => ({ ...file, seq: file.seq + last }))],
      });
      const { fold, counts } = await chainOf(once);
      const again = await chainOf(twice, {}, fold);
      assert.deepEqual(
        again.rounds.at(-1)?.counts,
        { nodes: 0, relations: 0, unresolved: 0 },
        vector.session,
      );
      assert.equal(again.rounds.at(-1)?.throughSeq, 2 * last);
      const { duplicates, beyondWatermark, evidence, ...same } = again.counts;
      const { duplicates: before, beyondWatermark: _, evidence: bodies, ...first } = counts;
      assert.deepEqual(same, first, vector.session);
      repeated += duplicates - before;
      assert.equal(duplicates - before, once.entries - (evidence - bodies), vector.session);
    }
    assert.ok(repeated > 1000);
  },
);

test('the tree has one root, every parent is there, and no cycle', needsShared, async () => {
  for (const { session, nodes } of await assemblies())
    for (const [id, { kind, parent }] of nodes) {
      if (kind === 'session') assert.equal(parent, undefined);
      else assert.ok(parent !== undefined && nodes.has(parent), `${session}: ${id} under ${parent}`);
      let depth = 0;
      for (let at: string | undefined = id; at !== undefined; at = nodes.get(at)!.parent)
        assert.ok(++depth < 12, `${session}: ${id} is too deep or in a cycle`);
    }
});

test(
  'every relation joins two nodes, and every position is that of a landed record',
  needsShared,
  async () => {
    for (const { session, index, nodes, relations } of await assemblies()) {
      const landed = new Set<string>();
      for (let entry = 0; entry < index.entries; entry++) {
        const at = `${index.files[index.file[entry]!]!.seq}/${index.row[entry]}`;
        landed.add(at);
        const end = entry + 1 < index.entries ? index.firstBlock[entry + 1]! : index.blocks;
        for (let block = index.firstBlock[entry]!; block < end; block++)
          landed.add(`${at}:${block - index.firstBlock[entry]!}`);
      }
      const isLanded = ({ seq, row, block }: Ref) =>
        landed.has(block === undefined ? `${seq}/${row}` : `${seq}/${row}:${block}`);
      for (const { id, ref, refs } of nodes.values())
        assert.ok([...(ref === undefined ? [] : [ref]), ...(refs ?? [])].every(isLanded), `${session} ${id}`);
      for (const { id, from, to, evidence } of relations.values()) {
        assert.ok(nodes.has(from) && nodes.has(to), `${session}: ${id}`);
        assert.ok(evidence?.every(isLanded), `${session}: ${id}`);
      }
    }
  },
);

test('the index as lines assembles to the same', needsShared, async () => {
  for (const vector of vectors) {
    const index = indexOf(vector);
    const through = index.files.at(-1)!.seq;
    const reader = new IndexLinesReader();
    reader.push(indexHeaderLine(index, through));
    for (let entry = 0; entry < index.entries; entry++) reader.push(indexEntryLine(index, entry));
    const checkpoints = checkpointsOf(vector);
    const copy = reader.finish();
    assertRounds((await chainOf(copy, { checkpoints })).bytes, vector, vector.session);
    assert.deepEqual(copy.files, index.files);
  }
});

/** Every scenario in both formats, every session made by hand, and every tenth random session. */
function sample(data: string): Vector[] {
  const folders = (name: string) =>
    readdirSync(join(data, name), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map((entry) => join(data, name, entry.name));
  return [
    ...folders('vectors').flatMap((path) =>
      ['sd', 'claude-code'].flatMap((format) => vectorsIn(join(path, format))),
    ),
    ...folders('edge').flatMap(vectorsIn),
    ...['plain', 'deleg', 'aux', 'seg', 'big', 'chg'].flatMap((profile) =>
      randomVectors(join(data, 'random', `${profile}.jsonl`)).filter((_, i) => i % 10 === 3),
    ),
  ];
}

const cutChains = new Map<Vector, Promise<Chain>>();

/** The chain under a budget of one byte, made once: the dearest of all. Its fold is not to be gone on with. */
function cutChainOf(vector: Vector): Promise<Chain> {
  if (!cutChains.has(vector)) cutChains.set(vector, chainOf(indexOf(vector), { maxBytes: 1 }));
  return cutChains.get(vector)!;
}

function checkpointsOf({ rounds }: Vector): number[] {
  return rounds.map(({ through }) => through);
}

function assertRounds(bytes: readonly Buffer[], { rounds }: Vector, what: string): void {
  assert.deepEqual(
    bytes.map((round) => round.toString()),
    rounds.map(({ content }) => content.toString()),
    what,
  );
}

/** The vector with an id on every record: one without is never a duplicate. */
function withRecordIds({ session, files, rounds }: Vector): Vector {
  return {
    session,
    rounds,
    files: files.map((file) => {
      const [header, ...lines] = file.content.toString().trimEnd().split('\n');
      const records = lines.slice(0, -1).map((line, i) => {
        const record = JSON.parse(line) as { id?: string };
        return record.id ? line : JSON.stringify({ ...record, id: `made-${file.seq}-${i}` });
      });
      const body = [header, ...records].join('\n');
      const digest = createHash('sha256').update(`${body}\n`).digest('hex');
      const content = Buffer.from(`${body}\n{"t":"end","records":${records.length},"digest":"${digest}"}\n`);
      return { ...file, content };
    }),
  };
}

/** The assembly of every vector, to its last sequence. */
async function assemblies() {
  return Promise.all(
    vectors.map(async (vector) => {
      const index = indexOf(vector);
      const { nodes, relations } = await assembledIndex(index);
      return { session: vector.session, index, nodes, relations: relations as ReadonlyMap<string, Relation> };
    }),
  );
}
