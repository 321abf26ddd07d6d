/** What a selected step touches on its timeline, and how well that is known. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Edge, ViewNode } from '../../../src/format/view-document.js';
import { layClips } from '../../../src/page/model/clips.js';
import { momentsOf } from '../../../src/page/model/moments.js';
import { lineOf, selectionOf } from '../../../src/page/model/selection-edges.js';
import { axisWidth, timeAxis } from '../../../src/page/model/time-axis.js';
import { outlined, starts, step, stream, talk } from './made-document.js';

const T = 1_772_442_842_310;
const edge = (other: ViewNode, dir: 'in' | 'out', quality: string): Edge => {
  return { type: 'reports', other: other.id, dir, quality };
};

function select(roots: readonly ViewNode[], id: string | null, names: readonly string[] = []) {
  const outline = outlined({ talks: [talk(roots)], streams: names.map((name) => stream(name, roots)) });
  const moments = momentsOf(outline.stepsOf('main'));
  const axis = timeAxis(
    moments.map(({ at }) => at),
    axisWidth(moments.length, 1),
    new Set(),
  );
  const layout = layClips(moments, axis, outline.startedBy);
  const { edges, touched } = selectionOf(outline, layout, id);
  const first = (clip: (typeof edges)[number]['from']) => `${clip.lane} ${clip.moments[0]!.node.id}`;
  return {
    edges: edges.map(({ from, to, line, type }) => [first(from), first(to), line, type]),
    touched: [...touched].map(first),
  };
}

test('a line is as strong as the relation is known', () => {
  assert.deepEqual(['exact_unique', 'strong_inference', 'weak_inference', 'something new'].map(lineOf), [
    'solid',
    'dashed',
    'dotted',
    'dotted',
  ]);
});

test('relations go from their source to their target, whichever end is selected', () => {
  const notice = step('runtime.notification', T + 9000);
  const other = step('tool', T + 6000);
  const call = step('agent.call', T, {
    edges: [edge(notice, 'in', 'strong_inference'), edge(other, 'out', 'exact_unique')],
  });
  const { edges, touched } = select([call, other, notice, step('tool', T + 20_000)], call.id);
  assert.deepEqual(edges, [
    [`agents ${notice.id}`, `agents ${call.id}`, 'dashed', 'reports'],
    [`agents ${call.id}`, `tools ${other.id}`, 'solid', 'reports'],
  ]);
  assert.deepEqual(touched, [`agents ${call.id}`, `agents ${notice.id}`, `tools ${other.id}`]);
});

test('a call touches what it produced, and what it produced touches the call but not its other products', () => {
  const products = [step('message.assistant', T + 4000), step('tool', T + 8000)];
  const call = step('llm.call', T, { children: products });
  assert.deepEqual(
    select([call], call.id).edges.map(([, to, line]) => [to, line]),
    [
      [`messages ${products[0]!.id}`, 'faint'],
      [`tools ${products[1]!.id}`, 'faint'],
    ],
  );
  assert.deepEqual(select([call], products[1]!.id), {
    edges: [[`model ${call.id}`, `tools ${products[1]!.id}`, 'faint', 'contains']],
    touched: [`tools ${products[1]!.id}`, `model ${call.id}`],
  });
});

test('the streams that a call started are one end', () => {
  const call = step('agent.call', T, { edges: [starts('a'), starts('b')] });
  assert.deepEqual(select([call], call.id, ['a', 'b']).edges, [
    [`agents ${call.id}`, `nested ${call.id}`, 'solid', 'starts'],
  ]);
});

test('a step that tells of a child is joined to the clip of that child', () => {
  const call = step('agent.call', T, { edges: [starts('a')] });
  const notice = step('runtime.notification', T + 9000, {
    edges: [{ type: 'reports', other: 'stream/a', dir: 'out', quality: 'strong_inference' }],
  });
  assert.deepEqual(select([call, notice], notice.id, ['a']).edges, [
    [`agents ${notice.id}`, `nested ${call.id}`, 'dashed', 'reports'],
  ]);
});

test('nothing is touched by nothing, by a talk, by what is not there, or by an end elsewhere', () => {
  const call = step('tool', T, { edges: [edge(step('tool', T), 'out', 'exact_unique')] });
  for (const id of [null, 'talk/1', 'gone']) assert.deepEqual(select([call], id), { edges: [], touched: [] });
  assert.deepEqual(select([call], call.id), { edges: [], touched: [`tools ${call.id}`] });
});

test('a step with more relations than lines can tell apart draws the first of them', () => {
  const ends = Array.from({ length: 5000 }, (_, i) => step('tool', T + i * 1000));
  const call = step('agent.call', T, { edges: ends.map((end) => edge(end, 'out', 'exact_unique')) });
  assert.equal(select([call, ...ends], call.id).edges.length, 200);
});
