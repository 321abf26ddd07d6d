/** Whoever counts the same things gets the same number, on every golden document. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countsOf, startedText } from '../../../src/page/model/counts.js';
import { isFailure } from '../../../src/page/model/filters.js';
import { outlineOf } from '../../../src/page/model/outline.js';
import { soundDocument } from '../../../src/page/model/sound-document.js';
import { partsOf } from '../../../src/page/model/talk-parts.js';
import { usageOf } from '../../../src/page/model/usage.js';
import { goldenDocuments } from './golden-documents.js';
import { outlined, step, stream, talk } from './made-document.js';

const sum = (numbers: readonly number[]) => numbers.reduce((all, number) => all + number, 0);

for (const { name, document: json } of goldenDocuments())
  test(`${name}: talks, tools, failures and calls are the same wherever they are counted`, () => {
    const document = soundDocument(json);
    const outline = outlineOf(document);
    const counts = countsOf(outline);
    const { summary, talks, streams, segments } = document;
    const kind = (word: string) => summary.kinds[word] ?? 0;
    const names = [...new Set([...streams.map(({ name }) => name)])];
    const passages = names.flatMap((name) => outline.passagesOf(name));
    const outside = passages.filter(({ talk }) => talk === undefined).flatMap(({ steps }) => steps);
    const outsideTools = outside.filter(({ kind }) => kind === 'tool' || kind === 'agent.call');
    assert.equal(counts.talks + counts.childTalks, summary.talks);
    assert.equal(counts.tools, kind('tool') + kind('agent.call'));
    assert.equal(counts.tools, sum(talks.map(({ tools = 0 }) => tools)) + outsideTools.length);
    assert.equal(
      counts.failures,
      sum(passages.filter(({ talk }) => talk !== undefined).map((held) => partsOf(held).failed)) +
        outside.filter(isFailure).length,
    );
    assert.equal(usageOf(outline).total.calls + counts.synthetic, kind('llm.call'));
    assert.equal(sum(names.map((name) => outline.stepsOf(name).length)), summary.steps);
    assert.ok(sum(segments.map(({ id }) => counts.talksOfSegment(id))) <= counts.talks);
  });

test('a child agent is a stream of that role; an auxiliary one is none, and a child agent’s talk is not the person’s', () => {
  const [child, other] = [stream('a'), stream('b', [], 'auxiliary')];
  const counts = countsOf(
    outlined({
      streams: [stream('main', [], 'main'), child, other],
      talks: [
        talk([step('tool', 1, { failed: true })], { segment: 'segment/1' }),
        talk([step('agent.call', 2)], { stream: 'a', child: true, segment: 'segment/1' }),
      ],
      loose: [step('error.api', 3)],
    }),
  );
  const { talks, childTalks, childAgents, auxiliaries, tools, agentCalls, failures } = counts;
  assert.deepEqual([talks, childTalks, childAgents, auxiliaries], [1, 1, 1, 1]);
  assert.deepEqual([tools, agentCalls, failures, counts.talksOfSegment('segment/1')], [2, 1, 2, 1]);
  assert.deepEqual([startedText([child]), startedText([child, other])], ['1 child agent', '2 streams']);
});
