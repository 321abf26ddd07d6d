import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { EvidenceFile } from '../../../src/format/view-document.js';
import { rangesOf, uncitedRecords } from '../../../src/page/model/uncited-records.js';
import { outlined, step } from './made-document.js';

const file = (seq: number, rest: Partial<EvidenceFile> = {}): EvidenceFile => ({
  ...{
    file: `f${seq}`,
    format: 'sd',
    kind: 'transcript',
    seq,
    round: null,
    stream: 'main',
    run: null,
    lines: 7,
  },
  ...{ bytes: 0, digest: '', from_time: null, through_time: null, ...rest },
});

test('records of the stream that no node rests on, by any of its references', () => {
  const inner = step('tool', 0, {
    ref: { seq: 1, row: 2 },
    refs: [
      { seq: 1, row: 2 },
      { seq: 1, row: 4 },
    ],
  });
  const { document } = outlined({
    loose: [step('llm.call', 0, { ref: { seq: 1, row: 1 }, children: [inner] })],
    files: [file(1), file(2, { lines: 2 }), file(3, { stream: 'c' }), file(4, { kind: 'agent_meta' })],
  });
  assert.deepEqual(
    uncitedRecords(document, 'main').map(({ seq, rows }) => [seq, rows]),
    [[1, [3, 5]]],
  );
});

test('a file that states more lines than there can be is read on, and so are a thousand of them', () => {
  const files = Array.from({ length: 1000 }, (_, i) => file(i + 1, { lines: 1e300 }));
  const { document } = outlined({ files });
  assert.deepEqual(
    uncitedRecords(document, 'main').map(({ seq, rows }) => [seq, rows.length]),
    [[1, 1_000_000]],
  );
});

test('rows in a line', () => {
  assert.equal(rangesOf([1, 2, 3, 7, 9, 10]), '1–3, 7, 9–10');
  assert.equal(rangesOf([]), '');
});
