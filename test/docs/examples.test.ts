/** The examples on the format pages are bytes of golden files, and say so in the comment above them. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { indexEntryLine, indexHeaderLine } from '../../src/format/index-lines.js';
import { entriesThrough, IndexBuilder } from '../../src/format/session-index.js';
import { indexLandedFile } from '../../src/io/index-store.js';
import { listLandedFiles, sessionFolder } from '../../src/io/storage-root.js';
import { REPOSITORY } from '../shared.js';

const EXAMPLE = /<!-- (test\/golden\/\S+|asz index cat replay --through 1) -->\n```json\n([\s\S]*?)```/g;

const examples = ['sd', 'sf', 'index'].flatMap((format) =>
  [...readFileSync(join(REPOSITORY, `docs/format-${format}.md`), 'utf8').matchAll(EXAMPLE)].map(
    ([, source, text]) => ({ page: `format-${format}.md`, source: source!, text: text! }),
  ),
);

test('every format page has an example', () => {
  assert.deepEqual([...new Set(examples.map(({ page }) => page))].length, 3);
});

for (const { page, source, text } of examples)
  test(`docs/${page} shows ${source} as it is`, () => {
    const lines = text.trimEnd().split('\n');
    const there = source.startsWith('asz ')
      ? replayThrough1()
      : readFileSync(join(REPOSITORY, source), 'utf8').split('\n');
    // An excerpt leaves lines out; it changes none and keeps their order.
    assert.deepEqual(
      lines,
      there.filter((line) => lines.includes(line)),
    );
  });

/** What `asz index cat replay --through 1` prints over the golden root. */
function replayThrough1(): string[] {
  const root = join(REPOSITORY, 'test/golden/replay');
  const builder = new IndexBuilder('replay');
  for (const file of listLandedFiles(sessionFolder(root, 'replay'))) indexLandedFile(builder, root, file);
  const index = builder.finish();
  const entries = Array.from({ length: entriesThrough(index, 1) }, (_, entry) =>
    indexEntryLine(index, entry),
  );
  return [indexHeaderLine(index, 1), ...entries];
}
