import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Header } from '../../src/format/session-flow.js';
import { Fold } from '../../src/rounds/fold.js';
import { tombstone } from '../entities.js';
import { aNode, anUnresolved, aRelation, aRound } from './round-builder.js';

const DIGEST = `${'0123456789ab'.repeat(5)}0123`;
const OTHER = `${'ba9876543210'.repeat(5)}ba98`;

/** A fold at round 1. */
function folded(
  frames = [aNode('tool/1', { name: 'Bash' }), aRelation('rel/1'), anUnresolved('unres/1')],
): Fold {
  const fold = new Fold('s');
  fold.apply(aRound({ through_seq: 4 }, frames, DIGEST));
  return fold;
}

const second = (more: Partial<Header> = {}) => ({
  round: 2,
  previous: DIGEST,
  from_seq: 5,
  through_seq: 6,
  ...more,
});

const wrong: Partial<Header> = {
  previous: OTHER,
  conversation: 'a',
  session: 'b',
  parser: 'v2',
  policy: 'x',
};
for (const [what, header, message] of [
  [
    'not the next number, before all else',
    { ...wrong, round: 5 },
    'cannot apply round 5 to a view at round 1: rounds must fold in order',
  ],
  [
    'the same number again',
    { ...wrong, round: 1, previous: undefined },
    'cannot apply round 1 to a view at round 1: rounds must fold in order',
  ],
  [
    'another previous digest',
    { ...wrong },
    'round 2 names previous "ba9876543210", but the view\'s head is "0123456789ab"',
  ],
  [
    'no previous digest',
    { ...wrong, previous: undefined },
    'round 2 names previous "", but the view\'s head is "0123456789ab"',
  ],
  [
    'another conversation',
    { ...wrong, previous: DIGEST },
    'round 2 belongs to conversation "a", the chain to "s"',
  ],
  [
    'another session',
    { ...wrong, previous: DIGEST, conversation: 's' },
    'round 2 carries session "b", the chain "s"',
  ],
  [
    'another parser',
    { previous: DIGEST, parser: 'v2', policy: 'x' },
    'round 2 was produced by parser "v2", the chain by "v1"; a chain is one interpretation',
  ],
  [
    'another policy',
    { previous: DIGEST, policy: 'x' },
    'round 2 was produced under policy "x", the chain under "v1+idle=10m0s"',
  ],
] as [string, Partial<Header>, string][])
  test(`a round is refused, and the fold is unchanged: ${what}`, () => {
    const fold = folded();
    assert.throws(() => fold.apply(aRound({ ...second(), ...header }, [aNode('tool/2')])), {
      code: 'CHAIN',
      message: `sessionflow: ${message}`,
    });
    assert.deepEqual([fold.round, fold.digest, fold.throughSeq, fold.entities.node.size], [1, DIGEST, 4, 1]);
    fold.apply(aRound(second()));
  });

test('round 1 is held against the conversation, and fixes session, parser and policy', () => {
  const fold = new Fold('s');
  assert.throws(() => fold.apply(aRound({ conversation: 'x' })), {
    message: 'sessionflow: round 1 belongs to conversation "x", the chain to "s"',
  });
  assert.throws(() => fold.apply(aRound({ round: 2, previous: 'd' })), {
    message: 'sessionflow: cannot apply round 2 to a view at round 0: rounds must fold in order',
  });
  fold.apply(aRound({ session: 'other', parser: 'v9', policy: 'z' }));
  assert.deepEqual([fold.first?.session, fold.first?.parser, fold.first?.policy], ['other', 'v9', 'z']);
});

test('an empty fold has nothing and stands before sequence 1', () => {
  const fold = new Fold('s');
  assert.deepEqual([fold.round, fold.digest, fold.throughSeq, fold.inputDigest], [0, '', 0, '']);
});

test('an entity replaces the one with its id whole, and absence means unchanged', () => {
  const fold = folded();
  const [node, entry] = [aNode('tool/1', { kind: 'agent.call' }), anUnresolved('unres/1', 'resolved')];
  fold.apply(aRound(second({ input_digest: 'j', through_seq: 9 }), [node, entry], OTHER));
  assert.equal(fold.entities.node.get('tool/1')?.tail, node.tail);
  assert.equal(fold.entities.unresolved.get('unres/1')?.tail, entry.tail, 'a resolved entry stays');
  assert.ok(fold.entities.relation.has('rel/1'));
  assert.deepEqual([fold.round, fold.digest, fold.throughSeq, fold.inputDigest], [2, OTHER, 9, 'j']);
});

test('a tombstone removes, in every group, also what was never there', () => {
  const fold = folded();
  const gone = ['tool/1', 'tool/none'].map((id) => tombstone('node', id));
  const frames = [...gone, tombstone('relation', 'rel/1'), tombstone('unresolved', 'unres/1')];
  fold.apply(aRound(second(), frames));
  const { node, relation, unresolved } = fold.entities;
  assert.deepEqual([node.size, relation.size, unresolved.size], [0, 0, 0]);
  assert.ok(Object.values(fold.tally).every((count) => count === 0));
});

test('the counts follow every replacement, removal and resolution', () => {
  const fold = folded();
  assert.deepEqual(
    { ...fold.tally },
    { talks: 0, steps: 1, streams: 0, segments: 0, unresolved: 1, llm_calls: 0, subagents: 0, bash_runs: 1 },
  );
  const frames = [
    aNode('tool/1', { name: 'Read' }),
    aNode('call/1', { kind: 'llm.call' }),
    anUnresolved('unres/1', 'resolved'),
  ];
  const after = { ...fold.tally, steps: 2, llm_calls: 1, bash_runs: 0, unresolved: 0 };
  assert.deepEqual({ ...fold.tallyWith(frames) }, after);
  assert.equal(fold.tally.bash_runs, 1, 'asking folds nothing');
  fold.apply(aRound(second(), frames, OTHER));
  assert.deepEqual({ ...fold.tally }, after);
  fold.apply(aRound({ round: 3, previous: OTHER }, [tombstone('node', 'call/1'), anUnresolved('unres/1')]));
  assert.deepEqual({ ...fold.tally }, { ...after, steps: 1, llm_calls: 0, unresolved: 1 });
});

test('one id may stand in two groups of different rounds, and each group keeps its own', () => {
  const fold = folded([aNode('x')]);
  fold.apply(aRound(second(), [aRelation('x')]));
  assert.ok(fold.entities.node.has('x') && fold.entities.relation.has('x'));
});
