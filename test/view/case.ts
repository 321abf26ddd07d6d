/**
 * What a case of a document's rules is, and the roots that several of them need. A case is given the function under
 * test, so that it can be held against a wrong one as well (`wrong-choices.test.ts`).
 */
import type { SdPart, SdRecord } from '../../src/format/session-data.js';
import { type MadeRoot, madeRoot, step, talkNode, timed } from './made-root.js';

// biome-ignore lint/suspicious/noExplicitAny: a test looks into documents as they are
export type Viewed = (root: string, conversation: string, hide?: readonly string[]) => any;

export interface Case {
  readonly rule: string;
  readonly holds: (viewed: Viewed) => void;
}

type Rule = (
  words: string,
  holds: (view: (made: MadeRoot, hide?: readonly string[]) => ReturnType<Viewed>) => void,
) => void;

/** Gives what adds a rule to a list. */
export function rulesInto(cases: Case[]): Rule {
  return (words, holds) => {
    const held = (viewed: Viewed) => holds((made, hide = []) => viewed(madeRoot(made), 's', hide));
    cases.push({ rule: words, holds: held });
  };
}

/** One talk whose steps stand on the records of one file, a step a record. */
export function oneTalk(records: readonly Partial<SdRecord>[], kind = 'message.assistant'): MadeRoot {
  return {
    files: [{ records }],
    nodes: [talkNode(), ...records.map((_, i) => step(`step/${i + 1}`, i + 1, { kind }))],
  };
}

export const ids = (list: readonly { id: string }[]) => list.map(({ id }) => id);

/** A tool with a request in row 1 and what came back in the rows behind. */
export function aTool(
  results: readonly Partial<SdRecord>[],
  attrs: Record<string, string> = {},
  request: Partial<SdRecord> = {},
): MadeRoot {
  const call: SdPart = { k: 'call', id: 't1', name: 'Bash', data: '{}', state: 'available', bytes: 2 };
  const refs = [0, ...results.keys()].map((_, i) => ({ seq: 1, row: i + 1 }));
  return {
    files: [{ records: [{ ...timed(1), parts: [call], ...request }, ...results] }],
    nodes: [talkNode(), step('tool/t1', 1, { kind: 'tool', refs, attrs })],
  };
}

export const toolOf = (document: ReturnType<Viewed>) => document.talks[0].children[0];

export const change = (id: string, more: object = {}) =>
  JSON.stringify({
    schema: 'changes/1',
    id,
    captured_by: 'plugin',
    tool: 't1',
    time: '2026-01-01T10:00:05Z',
    changes: [],
    ...more,
  });
