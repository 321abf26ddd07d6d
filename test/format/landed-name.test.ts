import assert from 'node:assert/strict';
import { test } from 'node:test';
import { kindOfPrefix, landedKind, landedName, readLandedName } from '../../src/format/landed-name.js';

const STAMP = '20260301T090000.000000000Z';

test('a name carries prefix, stamp and a sequence of at least six digits', () => {
  assert.equal(landedName('meta', STAMP, 7), `meta-${STAMP}-000007.sd`);
  assert.equal(landedName('meta', STAMP, 12345678), `meta-${STAMP}-12345678.sd`);
  assert.deepEqual(readLandedName(`meta-${STAMP}-12345678.sd`), { prefix: 'meta', seq: 12345678 });
});

for (const name of [
  `meta-${STAMP}-00007.sd`,
  `meta-${STAMP}-000007.sdx`,
  'meta.cursor',
  '000007.sd',
  'meta-+000007.sd',
  '',
])
  test(`${name || 'nothing'} is no landed name`, () => assert.equal(readLandedName(name), undefined));

test('the sequence is told by the end of the name alone', () => {
  assert.deepEqual(readLandedName('provider_body-x-y-000001.sd'), { prefix: 'provider_body', seq: 1 });
  assert.deepEqual(readLandedName('-000001.sd'), { prefix: '', seq: 1 });
});

test('a sequence beyond what a number holds is refused', () => {
  assert.equal(readLandedName('x-9007199254740991.sd')?.seq, Number.MAX_SAFE_INTEGER);
  assert.throws(() => readLandedName('x-9007199254740992.sd'), {
    code: 'FORMAT',
    message: /x-9007199254740992\.sd/,
  });
});

test('three prefixes are shorter than their kind; an unknown prefix stands for itself', () => {
  assert.deepEqual(
    ['agent_meta', 'workflow_manifest', 'workflow_script', 'provider_body'].map(
      (kind) => landedKind(kind).prefix,
    ),
    ['meta', 'manifest', 'script', 'provider_body'],
  );
  assert.equal(kindOfPrefix('manifest'), 'workflow_manifest');
  assert.equal(kindOfPrefix('other'), 'other');
  assert.throws(() => landedKind('other'), { code: 'FORMAT' });
});
