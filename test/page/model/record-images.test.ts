/** Pictures in landed records. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { imagesOf } from '../../../src/page/model/record-images.js';

const PNG = 'iVBORw0KGgoAAAAN';

test('pictures of media parts and of blocks in a result, in their order', () => {
  const record = {
    parts: [
      { k: 'text', text: 'see' },
      { k: 'media', media: 'image/png', data: PNG },
      { k: 'result', data: [{ type: 'image', source: { media_type: 'image/gif', data: 'R0lGODlh' } }] },
    ],
  };
  assert.deepEqual(imagesOf(JSON.stringify(record)), [
    { type: 'image/png', data: PNG },
    { type: 'image/gif', data: 'R0lGODlh' },
  ]);
});

test('what a browser might run, or what is not what it says, is no picture', () => {
  const parts = [
    { media: 'image/svg+xml', data: 'PHN2Zz48L3N2Zz4=' },
    { media: 'image/png', data: 'PHN2Zz48L3N2Zz4=' },
    { media: 'image/png', data: `${PNG}"><script>` },
    { media: 'image/png', data: `${PNG}A` },
    { media: 'image/png\n', data: PNG },
    { media: 'toString', data: PNG },
    { media: 'image/png', data: [PNG] },
    { media: 'image/png', data: '' },
  ];
  assert.deepEqual(imagesOf(JSON.stringify({ parts })), []);
  assert.deepEqual(imagesOf('{"media":"image/png"'), []);
});
