import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Entity } from '../../src/format/entity.js';
import type { Header } from '../../src/format/session-flow.js';
import type { SessionIndex } from '../../src/format/session-index.js';
import { Fold } from '../../src/rounds/fold.js';
import {
  factsOf,
  filesWithin,
  inputDigest,
  PARSER,
  POLICY,
  roundHeader,
  type Window,
} from '../../src/rounds/round-header.js';
import { nodeEntity } from '../entities.js';
import { type AFile, anIndex, data, main, text, user } from '../stages/index-builder.js';
import { chainOf } from '../vectors/in-memory.js';
import { aNode, aRound } from './round-builder.js';

const FILES = [{ sha256: 'a'.repeat(64) }, { sha256: 'b'.repeat(64) }];
const NO_FILE = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';
const TWO_FILES = 'a1a2a520582c8a6e68286dd02be67eb040c0e8e7cd58c3cd0fe663d27c8d8f4b';

test('the input digest has its check values, in either order of the files', () => {
  assert.equal(inputDigest('', []), NO_FILE);
  assert.equal(inputDigest('', FILES), TWO_FILES);
  assert.equal(inputDigest('', FILES.toReversed()), TWO_FILES);
  assert.equal(
    inputDigest(TWO_FILES, []),
    '23ce69df84b3ca1d9da6987f14c1e56f8ea9d24afbd2ac86a96605b31601a7f3',
  );
});

test('the input digest of two rounds is not that of one over the same files', () =>
  assert.notEqual(inputDigest(inputDigest('', FILES.slice(0, 1)), FILES.slice(1)), TWO_FILES));

test('parser and policy are this build’s, and no setting changes them', () =>
  assert.deepEqual([PARSER, POLICY], ['v1', 'v1+idle=10m0s']));

const at = (seq: number, ...files: AFile['records'][number][]): AFile => ({ ...main(...files), seq });

test('the files of a window are those of its sequences, gaps or not', () => {
  const index = anIndex(at(2), at(3), at(7), at(9));
  const within = (from: number, through: number) => filesWithin(index, from, through).map(({ seq }) => seq);
  assert.deepEqual(within(1, 9), [2, 3, 7, 9]);
  assert.deepEqual(within(3, 8), [3, 7]);
  assert.deepEqual(within(4, 6), []);
  assert.deepEqual(within(10, 9), []);
  assert.deepEqual(within(10, 20), []);
});

const time = (clock: string) => `2026-03-01T${clock}Z`;
const header = (window: [number, number], ...files: AFile[]) =>
  headerWith(new Fold('c'), anIndex(...files), { fromSeq: window[0], throughSeq: window[1] }, []);

/** The header of a round with these frames. */
function headerWith(fold: Fold, index: SessionIndex, window: Window, frames: readonly Entity[]): Header {
  return roundHeader(fold, index, window, factsOf(fold, index, window.throughSeq, frames));
}

test('the times of a round are those of its window: of all kinds, and of duplicates', () => {
  const files = [
    at(1, { id: 'x', time: time('08:00:00') }),
    at(2, { id: 'y', time: time('10:00:00') }, { id: 'x', time: time('09:30:00.5') }, { time: 'none' }),
    { kind: 'changes', stream: 'main', records: [{ time: '2026-03-01T12:00:00+01:00' }] },
    { kind: 'provider_body', records: [{ time: time('11:30:00') }] },
    at(5, {}),
    at(6, { time: time('07:00:00') }),
  ];
  const range = (from: number, through: number) => {
    const { from_time, through_time } = header([from, through], ...files);
    return [from_time, through_time];
  };
  assert.deepEqual(range(2, 3), [time('09:30:00.5'), time('11:00:00')]);
  assert.deepEqual(range(1, 6), [time('07:00:00'), time('11:30:00')]);
  assert.deepEqual(range(5, 5), [undefined, undefined]);
  assert.deepEqual(range(7, 6), [undefined, undefined]);
});

test('workspace changes are counted up to the window’s end, the first of each name, duplicates’ too', () => {
  const change = (id: string, additions: number, deletions: number, by = 'x') =>
    data({ schema: 'changes/1', id, captured_by: by, changes: [{ additions, deletions }] });
  const files = [
    at(1, { id: 'r', parts: [change('a', 1, 2), text(), change('a', 100, 100)] }),
    at(2, { id: 'r', parts: [change('a', 100, 100, 'y')] }),
    { kind: 'changes', stream: 'main', records: [{ parts: [change('b', 10, 0), data({})] }] },
    at(4, { parts: [change('c', 1000, 0), change('a', 1, 2)] }),
  ];
  const counts = (from: number, through: number) => {
    const { changes, lines_added, lines_removed } = header([from, through], ...files);
    return [changes, lines_added, lines_removed];
  };
  assert.deepEqual(counts(1, 1), [1, 1, 2]);
  assert.deepEqual(counts(2, 3), [3, 111, 102]);
  assert.deepEqual(counts(5, 4), [4, 1111, 102]);
});

test('the session’s own times and title come from the round’s session node, else from the fold’s', () => {
  const session = (title: string) =>
    nodeEntity({ id: 'session/s', kind: 'session', attrs: { from_time: 'f', through_time: 't', title } });
  const fold = new Fold('s');
  fold.apply(aRound({}, [session('old')], 'd'.repeat(64)));
  const index = anIndex(main(user('u1', 'p1')));
  const made = (frames: readonly Entity[]) => headerWith(fold, index, { fromSeq: 2, throughSeq: 1 }, frames);
  const { title, session_from_time, session_through_time, round, previous } = made([aNode('tool/1')]);
  assert.deepEqual([title, session_from_time, session_through_time], ['old', 'f', 't']);
  assert.deepEqual([round, previous], [2, 'd'.repeat(64)]);
  assert.equal(made([aNode('tool/1'), session('new')]).title, 'new');
  assert.equal(made([nodeEntity({ id: 'session/s', kind: 'session' })]).title, undefined);
});

test('line counts that no double can add up make a round that still reads', async () => {
  const change = (id: string, additions: number) =>
    data({
      schema: 'changes/1',
      id,
      captured_by: 'x',
      changes: [
        { additions, deletions: -additions },
        { additions, deletions: -additions },
      ],
    });
  for (const huge of [2 ** 53, 2 ** 62, 9e18]) {
    const { fold } = await chainOf(anIndex(main({ parts: [change('a', huge), change('b', huge)] })));
    assert.deepEqual(
      [fold.header?.changes, fold.header?.lines_added, fold.header?.lines_removed],
      [2, Number.MAX_SAFE_INTEGER, -Number.MAX_SAFE_INTEGER],
    );
  }
});
