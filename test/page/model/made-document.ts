/** Documents made in tests of the page: small ones by hand, and ones that no project would make. */
import type { Stream, ViewDocument, ViewNode } from '../../../src/format/view-document.js';
import { type Outline, outlineOf } from '../../../src/page/model/outline.js';

let made = 0;

/** A step on the main stream that landed after every step made before it. */
export function step(kind: string, at: number, more: Partial<ViewNode> = {}): ViewNode {
  made++;
  return { id: `step/${made}`, kind, stream: 'main', at, ref: { seq: 1, row: made }, ...more };
}

export function talk(children: readonly ViewNode[], more: Partial<ViewNode> = {}): ViewNode {
  made++;
  return {
    id: `talk/${made}`,
    kind: 'talk',
    stream: 'main',
    at: 0,
    ref: { seq: 1, row: made },
    children,
    ...more,
  };
}

/** A talk of one run, which begins with the record of its first step. */
export function talkOfRun(steps: readonly ViewNode[], more: Partial<ViewNode> = {}): ViewNode {
  const first = steps[0]?.ref;
  return talk([step('run', 0, { children: steps })], { runs: 1, ...(first && { ref: first }), ...more });
}

/** A child stream that these steps started. */
export function stream(name: string, origins: readonly ViewNode[] = [], role = 'child'): Stream {
  return {
    ...{
      id: `stream/${name}`,
      name,
      role,
      label: '',
      parent: '',
      records: 0,
      steps: 0,
      talk: '',
      named_by: '',
    },
    opened_by: origins.map(({ id }) => ({ step: id, stream: 'main', talk: '', quality: 'exact_unique' })),
  };
}

/** The edge of a step that started a stream. */
export function starts(name: string, quality = 'exact_unique') {
  return { type: 'starts', other: `stream/${name}`, dir: 'out', quality } as const;
}

export function outlined(parts: Partial<ViewDocument>): Outline {
  return outlineOf({
    talks: [],
    loose: [],
    streams: [stream('main', [], 'main')],
    segments: [],
    rounds: [],
    head: { round: 0, digest: '' },
    summary: { problems: [] },
    ...parts,
  } as unknown as ViewDocument);
}

/** A whole document with one talk of these steps, of which a foreign one may say anything. */
export function wholeDocument(steps: readonly object[], children: readonly Stream[] = []): object {
  const nodes = steps.map((node, i) => {
    return { id: `step/${i}`, parent: 'talk/1', stream: 'main', ref: { seq: 1, row: i + 2 }, ...node };
  });
  const root = {
    id: 'talk/1',
    kind: 'talk',
    stream: 'main',
    at: 0,
    ref: { seq: 1, row: 1 },
    children: nodes,
  };
  return {
    ...{ format: 'asz.view', version: '1.0', conversation: 'made', sessions: ['made'], parser: 'v1' },
    ...{ policy: 'v1+idle=10m0s', head: { round: 1, digest: 'ab' }, talks: [root], loose: [], segments: [] },
    summary: { title: 'made', state: 'verified', problems: [], talks: 1, steps: steps.length, streams: 1 },
    streams: [stream('main', [], 'main'), ...children],
    ...{ rounds: [], files: [], relations: [], unresolved: [], workspace_changes: [], tool_executions: [] },
  };
}
