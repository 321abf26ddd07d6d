/** A document as long sessions make it: hundreds of talks, child streams, texts as long as documents carry them. */
import type { Stream, ViewDocument, ViewNode } from '../../src/format/view-document.js';

const WORDS = 'the agent reads what was asked and writes a line about it then runs the test once more'.split(
  ' ',
);
const MINUTE = 60_000;
const CALLS_A_TALK = 12;

/** A document of about as many bytes of JSON, the same one each time. */
export function largeDocument(bytes: number): { readonly document: ViewDocument; readonly text: string } {
  let row = 0;
  let seed = 1;
  const random = (below: number) => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed % below;
  };
  const words = (length: number) => {
    let text = '';
    while (text.length < length) text += `${WORDS[random(WORDS.length)]}${random(12) === 0 ? '\n' : ' '}`;
    return text;
  };
  const at = () => 1_700_000_000_000 + row * 3_000;
  const node = (kind: string, stream: string, more: Partial<ViewNode> = {}): ViewNode => {
    row++;
    return { id: `${kind}/1/${row}`, kind, stream, at: at(), ref: { seq: 1, row }, ...more };
  };
  const tool = (stream: string): ViewNode => {
    const [text, result] = [JSON.stringify({ command: words(80), description: words(30) }), words(1_500)];
    return node('tool', stream, {
      ...{ name: 'Bash', text, bytes: text.length, state: 'available', failed: random(20) === 0, result },
      ...{
        refs: [
          { seq: 1, row },
          { seq: 1, row: row + 1 },
        ],
        result_state: 'available',
        result_bytes: 4_000,
      },
      ...{ request_to_result_ms: 1_200, request_to_result_join: 'exact_unique' },
    });
  };
  const call = (stream: string): ViewNode => {
    const usage = {
      in: random(90),
      out: random(900),
      cache_read: random(90_000),
      cache_write: random(3_000),
    };
    const said = words(400);
    const children = [
      node('thinking', stream, { state: 'available', text: words(500) }),
      node('message.assistant', stream, { text: said, bytes: said.length, state: 'available' }),
      tool(stream),
    ];
    return node('llm.call', stream, { ref: children[0]!.ref!, usage, children, attrs: { fragments: 3 } });
  };
  const talk = (stream: string, index: number): ViewNode => {
    const label = `${index}: ${words(300)}`;
    const input = node('message.external', stream, { text: label, bytes: label.length, state: 'available' });
    const calls = Array.from({ length: CALLS_A_TALK }, () => call(stream));
    const reply = words(600);
    const end = node('message.assistant', stream, { text: reply, bytes: reply.length, state: 'available' });
    const run = {
      id: `run/${stream}/${index}`,
      kind: 'run',
      stream,
      at: input.at,
      ref: input.ref!,
      children: [input, ...calls, end],
    };
    return {
      ...{ id: `talk/${stream}/${index}`, kind: 'talk', stream, at: input.at, ref: input.ref!, label, reply },
      ...{
        runs: 1,
        steps: 2 + CALLS_A_TALK * 4,
        tools: CALLS_A_TALK,
        from: input.at,
        to: end.at,
        children: [run],
      },
      ...(stream === 'main' ? { segment: 'segment/1' } : { child: true }),
    };
  };

  const talks: ViewNode[] = [];
  const streams: Stream[] = [stream('main', '')];
  let length = 0;
  for (let index = 0; length < bytes; index++) {
    const name = index % 10 === 9 ? `child${index}` : 'main';
    if (name !== 'main') streams.push(stream(name, 'main'));
    const made = talk(name, index);
    talks.push(made);
    length += JSON.stringify(made).length;
  }
  const [from, to] = [talks[0]!.from!, talks.at(-1)!.to!];
  const document: ViewDocument = {
    ...{ format: 'asz.view', version: '1.0', conversation: 'large', sessions: ['large'] },
    ...{ head: { round: 1, digest: 'a'.repeat(64) }, parser: 'v1', policy: 'v1+idle=10m0s' },
    summary: {
      ...{ title: 'A long session', state: 'verified', problems: [], talks: talks.length, steps: row },
      ...{ streams: streams.length, segments: 1, rounds: 1, unresolved: 0, changes: 0, from, to },
      ...{ kinds: {}, relation_types: {}, quality: {}, withheld: {} },
    },
    ...{
      rounds: [],
      files: [],
      streams,
      segments: [{ id: 'segment/1', talks: talks.length, from, to: to + MINUTE }],
    },
    ...{ talks, loose: [], relations: [], unresolved: [], workspace_changes: [] },
  };
  return { document, text: JSON.stringify(document) };
}

function stream(name: string, parent: string): Stream {
  return {
    ...{ id: `stream/${name}`, name, role: parent === '' ? 'main' : 'child', label: '', parent, records: 0 },
    ...{ steps: 0, talk: '', named_by: '', opened_by: [] },
  };
}
