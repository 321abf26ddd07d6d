/** The lookups of the page over documents as the project makes them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ViewDocument, ViewNode } from '../../../src/format/view-document.js';
import { byLanding, outlineOf } from '../../../src/page/model/outline.js';
import { goldenDocuments } from './golden-documents.js';

for (const { name, document } of goldenDocuments()) {
  const outline = outlineOf(document);
  const streams = ['', ...outline.streams.keys()];

  test(`${name}: every step is read once, on its stream, in landed order`, () => {
    const steps = streams.flatMap((stream) => outline.stepsOf(stream));
    assert.equal(steps.length, document.summary.steps);
    assert.equal(new Set(steps).size, steps.length);
    for (const { steps } of streams.flatMap((stream) => outline.passagesOf(stream))) {
      assert.deepEqual(steps, steps.toSorted(byLanding));
    }
  });

  test(`${name}: every stream hangs somewhere, and leads back to the step that started it`, () => {
    const hung = ['', ...outline.streams.keys()].flatMap((stream) => outline.childrenOf(stream));
    assert.deepEqual(new Set(hung), new Set(document.streams));
    for (const stream of document.streams) {
      for (const { step } of stream.opened_by) {
        assert.ok(outline.startedBy(outline.nodes.get(step)!).includes(stream));
      }
    }
  });
}

test('the talk of a node is found from any depth, and outside every talk there is none', () => {
  const step: ViewNode = { id: 's', kind: 'tool', at: 0 };
  const talk: ViewNode = {
    id: 't',
    kind: 'talk',
    at: 0,
    children: [{ id: 'r', kind: 'run', at: 0, children: [step] }],
  };
  const boundary: ViewNode = { id: 'b', kind: 'epoch.boundary', at: 0 };
  const outline = outlineOf({ talks: [talk], loose: [boundary], streams: [] } as unknown as ViewDocument);
  assert.equal(outline.talkOf(step), talk);
  assert.equal(outline.talkOf(talk), talk);
  assert.equal(outline.talkOf(boundary), undefined);
  assert.deepEqual(
    outline.passagesOf('').map(({ talk: held }) => held),
    [talk, undefined],
  );
});

test('streams that lead round in a circle, or to one that is not there, hang from the top', () => {
  const stream = (name: string, parent: string) => ({ id: `stream/${name}`, name, parent });
  const streams = [
    stream('main', ''),
    stream('a', 'b'),
    stream('b', 'a'),
    stream('c', 'c'),
    stream('d', 'gone'),
  ];
  const outline = outlineOf({
    talks: [],
    loose: [],
    streams: [...streams, stream('e', 'a')],
  } as unknown as ViewDocument);
  const names = (parent: string) => outline.childrenOf(parent).map(({ name }) => name);
  assert.deepEqual(names(''), ['main', 'a', 'b', 'c', 'd', 'e']);
  assert.deepEqual(names('a'), []);
});
