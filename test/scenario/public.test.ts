/** The public scenarios hold as their authors say, and every word of their expectations counts. */
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { isMap, isScalar, isSeq, type Node, parseDocument, type Scalar } from 'yaml';
import { FORMATS } from '../../src/scenario/build.js';
import { PARTS } from '../../src/scenario/check/properties.js';
import { needsShared, sharedData } from '../shared.js';
import { type Checked, checkTexts, type Texts, textsOf } from './checking.js';

const folder = () => join(sharedData()!, 'scenarios');
const withExpectation = () =>
  readdirSync(folder())
    .filter((name) => name.endsWith('.expect.yaml'))
    .map((name) => join(folder(), name.replace('.expect.yaml', '.yaml')));

test(
  'every public scenario with an expectation holds, in both formats at every checkpoint',
  needsShared,
  async () => {
    const paths = withExpectation();
    assert.equal(paths.length, 14);
    for (const path of paths) {
      const { ok, lines, held } = await checkTexts(textsOf(path));
      assert.ok(ok, `${path}\n${lines.join('\n')}`);
      assert.ok(held >= 24, `${path}: ${held} checks`);
      assert.deepEqual(
        lines.filter((line) => line.endsWith('not checked')),
        [],
      );
    }
  },
);

test(
  'without the page and the export they hold too, and it is said what is not checked',
  needsShared,
  async () => {
    for (const path of withExpectation()) {
      const texts = textsOf(path);
      const { ok, lines } = await checkTexts(texts, FORMATS, true, PARTS);
      assert.ok(ok, `${path}\n${lines.join('\n')}`);
      const unchecked = lines.filter((line) => line.endsWith(': not checked')).length;
      const views = texts.expectation!.match(/^ *view:/gm)?.length ?? 0;
      assert.equal(unchecked, FORMATS.length * (views + 2), path);
    }
  },
);

test('changing any number or word of an expectation makes its check fail', needsShared, async () => {
  const survivors: string[] = [];
  let changes = 0;
  for (const path of withExpectation()) {
    const texts = textsOf(path);
    for (const { expectation, what } of changedExpectations(texts.expectation!)) {
      changes++;
      if (await holds({ ...texts, expectation })) survivors.push(`${path}: ${what}`);
    }
  }
  assert.deepEqual(survivors, []);
  assert.ok(changes > 200, `${changes} changes`);
  console.log(`${changes} changed expectations, all refused or failed`);
});

/** Whether a check with a changed expectation still holds. One that is refused does not. */
async function holds(texts: Texts): Promise<boolean> {
  let checked: Checked;
  try {
    checked = await checkTexts(texts, ['sd'], false);
  } catch (cause) {
    assert.match((cause as Error).message, /^scenario: /);
    return false;
  }
  return checked.ok;
}

/** Every expectation with one scalar of it changed, keys included. */
function changedExpectations(text: string): { expectation: string; what: string }[] {
  const plain = text.replaceAll(/^#.*\n/gm, '');
  return scalarsOf(parseDocument(plain).contents as Node).flatMap((scalar) => {
    const [from, to] = scalar.range!;
    const written = plain.slice(from, to);
    return changesOf(written).map((changed) => ({
      expectation: plain.slice(0, from) + changed + plain.slice(to),
      what: `${written} → ${changed}`,
    }));
  });
}

function scalarsOf(node: Node | null): Scalar[] {
  if (isScalar(node)) return [node];
  if (isSeq(node)) return node.items.flatMap((item) => scalarsOf(item as Node));
  if (!isMap(node)) return [];
  return node.items.flatMap(({ key, value }) => [...scalarsOf(key as Node), ...scalarsOf(value as Node)]);
}

/** Other words and other numbers in place of one. */
function changesOf(written: string): string[] {
  if (written === 'true') return ['false'];
  if (written === 'false') return ['true'];
  if (/^\d+$/.test(written)) return [String(Number(written) + 1), ...(written === '0' ? [] : ['0'])];
  const withOtherNumber = written.replace(/\d+(?=\D*$)/, (digits) => String(Number(digits) + 1));
  return [`${written}x`, ...(withOtherNumber === written ? [] : [withOtherNumber])];
}
