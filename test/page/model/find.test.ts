import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FindIndex, hitFrom } from '../../../src/page/model/find.js';
import { outlined, step, stream, talkOfRun } from './made-document.js';

const input = step('message.external', 0, { text: 'Where is the Straße?' });
const tool = step('tool', 0, {
  name: 'Bash',
  text: '{"command":"echo \\"hi\\"\\nls","timeout":1.50}',
  result: 'no such file',
  attrs: { mcp_server: 'maps', nested: { deep: ['route 66'] } },
});
const thought = step('thinking', 0, {
  dropped: [{ what: 'reasoning signature', bytes: 3, why: 'unreadable' }],
});
const queued = step('message.external', 0, { text: '{"type":"queued_command","prompt":"wait \\u00e9"}' });
const talk = talkOfRun([input, tool, thought, queued], {
  label: 'Where is the Straße?',
  reply: 'Nobody said this elsewhere',
});
const inChild = step('message.assistant', 0, { text: 'file file', stream: 'c' });
const outline = outlined({
  talks: [talk],
  loose: [inChild],
  streams: [stream('main', [], 'main'), { ...stream('c'), label: 'Look at files' }],
});
const find = (words: string) => new FindIndex(outline).find(words).hits.map(({ id }) => id);

for (const [what, words, ids] of [
  ['words of an input, once though the talk has them too', 'STRASSE'.replace('SS', 'ß'), [input.id]],
  ['a tool by its name', 'bash', [tool.id]],
  ['a result', 'no such', [tool.id]],
  ['an argument as it reads, not as JSON spells it', 'echo "hi"\nls', [tool.id]],
  ['a number as it is spelled', '1.50', [tool.id]],
  ['an attribute at any depth', 'ROUTE 66', [tool.id]],
  ['why a text is not there', 'reasoning signature', [thought.id]],
  ['a message sent while the agent worked', 'wait é', [queued.id]],
  ['a reply that no step says', 'nobody said', [talk.id]],
  ['a kind', 'thinking', [thought.id]],
  ['all streams, a name among them', 'file', [tool.id, 'stream/c', inChild.id]],
  ['nothing for blanks', '  ', []],
  ['nothing across two texts', 'bash echo', []],
] as const)
  test(`find: ${what}`, () => assert.deepEqual(find(words), ids));

test('matches are counted, and hits go round at the ends', () => {
  const found = new FindIndex(outline).find('file');
  assert.equal(found.matches, 4);
  assert.equal(hitFrom(found, -1, 1), 0);
  assert.equal(hitFrom(found, 2, 1), 0);
  assert.equal(hitFrom(found, 0, -1), 2);
  assert.equal(hitFrom({ hits: [], matches: 0 }, -1, 1), -1);
});

test('reading in pieces finds the same', () => {
  const many = outlined({
    loose: Array.from({ length: 1700 }, (_, i) => step('tool', 0, { name: `n${i}n` })),
  });
  const index = new FindIndex(many);
  let pieces = 1;
  while (!index.readOn()) pieces++;
  assert.equal(pieces, 4);
  assert.equal(index.find('n1699n').hits.length, 1);
});
