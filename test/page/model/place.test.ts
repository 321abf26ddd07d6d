/** The state that an address holds. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { placeOf, searchOf } from '../../../src/page/model/place.js';

test('a place goes into an address and comes back, whatever its ids are', () => {
  const place = {
    ...{ talk: 'talk/main/a b&c=d', step: 'tool/ü\u2028#', stream: 'a/b?' },
    ...({ panel: 'proof', dock: 'context', tab: 'evidence' } as const),
  };
  assert.deepEqual(placeOf(searchOf(place, '')), place);
});

test('what is not said is not there, and what is not ours stays', () => {
  const place = {
    ...{ talk: undefined, step: undefined, stream: undefined },
    ...{ panel: undefined, dock: undefined, tab: undefined },
  };
  assert.equal(searchOf(place, '?talk=x&step=y&stream=z'), '');
  assert.equal(searchOf({ ...place, step: 's' }, '?hide=system_prompt&talk=x'), '?hide=system_prompt&step=s');
  assert.deepEqual(placeOf('?talk=&other=1&panel=toString&dock=Timeline&tab=x'), place);
});
