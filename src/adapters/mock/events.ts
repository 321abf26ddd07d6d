/**
 * Events of a session in the model's own words, and the record each becomes. A scenario plans events; this table
 * is where they turn into Session Data, as the dialect of a real agent would turn its lines.
 *
 *     { kind: 'input', id: 'u1', run: 'p1', time: '2026-01-02T09:00:00.000Z', text: 'run the build' }
 *     → {"ord":…,"id":"u1","run":"p1","from":"external","time":"…","trigger":"external","flags":["external_input"],"parts":[{"k":"text",…}]}
 *
 * Source: dialect spec 5; scenario spec 5.4.
 */
import { jsonStringForHtml } from '../../format/json-text.js';
import type { RawJson, SdDropped, SdPart, SdRecord, SdUsage } from '../../format/session-data.js';
import { splitMcpName } from '../mcp-name.js';
import { dataJson, type JsonValue } from './data-json.js';

/** A record before it has a place: landing gives it `ord`, `off`, `sha` and `bytes`. */
export type MockRecord = Omit<SdRecord, 'ord' | 'off' | 'sha' | 'bytes'>;

/** Where an event stands. Each is written as it is; an absent one is nowhere inferred. */
export interface Placement {
  readonly id?: string;
  readonly parent?: string;
  readonly run?: string;
  /** RFC 3339, written verbatim. */
  readonly time?: string;
}

/** What happens in a stream. */
export type StreamEvent =
  | { readonly kind: 'title'; readonly title: string }
  | (Placement & { readonly kind: 'input'; readonly text: string })
  | (Placement & { readonly kind: 'queued'; readonly mode: string; readonly text: string })
  | (Placement & { readonly kind: 'injection'; readonly text: string })
  | (Placement & { readonly kind: 'prompt_snapshot' } & PromptSnapshot)
  | (Placement & { readonly kind: 'fragment' } & Fragment)
  | (Placement & { readonly kind: 'result' } & Result)
  | (Placement & {
      readonly kind: 'notification';
      readonly tool?: string;
      readonly child?: string;
      readonly text: string;
    })
  | (Placement & { readonly kind: 'error'; readonly call: string; readonly text: string })
  /** `continues`: the last record of the context that was replaced. */
  | (Placement & { readonly kind: 'reset'; readonly continues: string })
  | (Placement & { readonly kind: 'summary'; readonly text: string })
  | (Placement & {
      readonly kind: 'system';
      readonly subtype: string;
      readonly fields?: Readonly<Record<string, JsonValue>>;
    });

/** A system prompt or tool schemas that the harness put into the context. */
export interface PromptSnapshot {
  readonly text?: string;
  readonly systemPrompt?: readonly string[];
  readonly tools?: readonly JsonValue[];
}

/** One piece of a provider call. `last`: the provider said why it stopped, so `usage` counts. */
export interface Fragment {
  readonly call: string;
  readonly last: boolean;
  readonly usage: SdUsage;
  readonly content:
    | { readonly reasoning: string }
    | { readonly text: string }
    | { readonly tool: string; readonly name: string; readonly input: JsonValue };
}

export interface Result {
  /** The call it answers. */
  readonly of: string;
  readonly text: string;
  readonly failed?: boolean;
  /** What the runtime says beside the text; a plain output when absent. */
  readonly outcome?: Outcome;
  /** A copy of a record that landed before: without what the runtime said beside it. */
  readonly replayed?: boolean;
  /** Of an editing tool: a `changes/1` record, in its own key order. */
  readonly changes?: RawJson;
}

export type Outcome =
  | { readonly is: 'launch'; readonly child: string; readonly label: string; readonly prompt: string }
  | { readonly is: 'fork'; readonly child: string }
  | { readonly is: 'workflow'; readonly run: string; readonly name: string }
  /** The runtime wrote a string where it writes an object elsewhere. */
  | { readonly is: 'bare_string' };

/** The model every fragment names: a scenario is about structure. */
export const MOCK_MODEL = 'claude-opus-5';

/** The record of an event. Only in the main stream is input known to come from outside. */
export function recordOf(event: StreamEvent, stream: string): MockRecord {
  switch (event.kind) {
    case 'title':
      return {
        label: event.title,
        from: 'runtime',
        parts: [data({ aiTitle: event.title, type: 'ai-title' })],
      };
    case 'input':
      return {
        ...placed(event),
        from: 'external',
        ...(stream === 'main' ? { trigger: 'external', flags: ['external_input'] } : {}),
        parts: [text(event.text)],
      };
    case 'queued':
      return {
        ...placed(event),
        from: 'runtime',
        flags: [event.mode === 'prompt' ? 'external_input' : 'injected'],
        parts: [text(event.text)],
      };
    case 'injection':
      return { ...placed(event), from: 'runtime', flags: ['injected'], parts: [text(event.text)] };
    case 'prompt_snapshot':
      return { ...placed(event), ...snapshotOf(event) };
    case 'fragment':
      return { ...placed(event), ...fragmentOf(event) };
    case 'result':
      return { ...placed(event), ...resultOf(event) };
    case 'notification':
      return {
        ...placed(event),
        ...(event.tool === undefined ? {} : { tool: event.tool }),
        ...(event.child === undefined ? {} : { child: event.child }),
        from: 'external',
        trigger: 'notification',
        parts: [text(event.text)],
      };
    case 'error':
      return {
        ...placed(event),
        call: event.call,
        from: 'agent',
        flags: ['synthetic'],
        usage: {},
        model: '<synthetic>',
        parts: [text(event.text)],
      };
    case 'reset':
      return { ...placed(event), ...resetOf(event.continues) };
    case 'summary':
      return { ...placed(event), from: 'external', flags: ['reset_summary'], parts: [text(event.text)] };
    case 'system':
      return {
        ...placed(event),
        from: 'runtime',
        flags: [SYSTEM_FLAGS.get(event.subtype) ?? 'notice'],
        parts: [data({ type: 'system', subtype: event.subtype, ...event.fields })],
      };
    default:
      return never(event);
  }
}

/** The sidecar of a child that no batch started. It never says which stream started it. */
export function sidecarRecord(child: string, label: string, tool: string): MockRecord {
  const document = { agentType: 'general-purpose', description: label, spawnDepth: 1, toolUseId: tool };
  return { child, label, from: 'runtime', parts: [data(document)] };
}

/** A line of a run's journal: a child started, or what it returned. */
export function journalRecord(batch: string, child: string, type: 'started' | 'result'): MockRecord {
  const line = { agentId: child, key: `v2:${child}`, type };
  if (type === 'started') return { child, batch, from: 'runtime', parts: [data(line)] };
  return {
    child,
    batch,
    from: 'runtime',
    flags: ['child_result'],
    parts: [data({ ...line, result: { done: true } })],
  };
}

export function manifestRecord(batch: string, name: string, agents: number): MockRecord {
  const document = {
    agentCount: agents,
    runId: batch,
    status: 'completed',
    taskId: `task-${batch}`,
    workflowName: name,
  };
  return { batch, label: name, from: 'runtime', parts: [data(document)] };
}

/** A program is no data, so it lands whole as one string, spelled as built values are (dialect spec 1.11). */
export function scriptRecord(program: string): MockRecord {
  return {
    from: 'runtime',
    parts: [
      {
        k: 'unknown',
        text: 'the source is a program, not data',
        data: jsonStringForHtml(program),
        state: 'available',
        bytes: Buffer.byteLength(program),
      },
    ],
  };
}

const SYSTEM_FLAGS: ReadonlyMap<string, string> = new Map([
  ['api_error', 'error'],
  ['turn_duration', 'turn_duration'],
  ['local_command', 'command'],
]);

const SIGNATURE: SdDropped = {
  what: 'reasoning signature',
  bytes: 3,
  why: 'a provider verifies it; a reader cannot read it',
};

function snapshotOf({ text: words, systemPrompt, tools }: PromptSnapshot): MockRecord {
  const attachment = {
    type: 'prompt_snapshot',
    reminderFold: false,
    ...(words === undefined ? {} : { text: words }),
    ...(systemPrompt === undefined ? {} : { systemPrompt }),
    ...(tools === undefined ? {} : { tools }),
  };
  return {
    from: 'runtime',
    flags: [
      'injected',
      ...(systemPrompt === undefined ? [] : ['system_prompt']),
      ...(tools === undefined ? [] : ['tool_schemas']),
    ],
    parts: [data(attachment)],
  };
}

function fragmentOf({ call, last, usage, content }: Fragment): MockRecord {
  return {
    call,
    from: 'agent',
    ...(last ? { flags: ['finished'] } : {}),
    usage,
    model: MOCK_MODEL,
    parts: [contentPart(content)],
    ...('reasoning' in content ? { dropped: [SIGNATURE] } : {}),
  };
}

function contentPart(content: Fragment['content']): SdPart {
  if ('text' in content) return text(content.text);
  if ('reasoning' in content)
    return content.reasoning === ''
      ? { k: 'reasoning', state: 'unavailable' }
      : { ...text(content.reasoning), k: 'reasoning' };
  const input = dataJson(content.input);
  const mcp = splitMcpName(content.name);
  return {
    k: 'call',
    data: input,
    id: content.tool,
    name: content.name,
    ...(mcp === undefined ? {} : { server: mcp.server, server_tool: mcp.tool }),
    state: 'available',
    bytes: Buffer.byteLength(input),
  };
}

function resultOf({ of, text: words, failed, outcome, replayed, changes }: Result): MockRecord {
  const part: SdPart = {
    ...text(words),
    k: 'result',
    ...(replayed ? {} : { data: beside(words, outcome) }),
    of,
    ...(failed === undefined ? {} : { failed }),
  };
  return {
    ...named(outcome),
    from: 'external',
    parts: changes === undefined ? [part] : [part, dataPart(changes)],
  };
}

/** What the record names, which a replayed copy names too. */
function named(outcome: Outcome | undefined): MockRecord {
  switch (outcome?.is) {
    case 'launch':
      return { child: outcome.child, flags: ['launch_ack'] };
    case 'fork':
      return { child: outcome.child };
    case 'workflow':
      return { batch: outcome.run, flags: ['launch_ack'] };
    default:
      return {};
  }
}

function beside(words: string, outcome: Outcome | undefined): RawJson {
  switch (outcome?.is) {
    case undefined:
      return dataJson({ stderr: '', stdout: words });
    case 'launch': {
      const { child, label, prompt } = outcome;
      const status = 'async_launched';
      return dataJson({ agentId: child, description: label, isAsync: true, prompt, status });
    }
    case 'fork':
      return dataJson({ agentId: outcome.child, status: 'forked' });
    case 'workflow': {
      const { run, name } = outcome;
      const transcriptDir = `subagents/workflows/${run}`;
      return dataJson({ runId: run, status: 'async_launched', transcriptDir, workflowName: name });
    }
    case 'bare_string':
      return dataJson('a bare string, not an object');
    default:
      return never(outcome);
  }
}

function resetOf(continues: string): MockRecord {
  const line = {
    type: 'system',
    subtype: 'compact_boundary',
    logicalParentUuid: continues,
    compactMetadata: { trigger: 'auto', preservedMessages: { allUuids: [continues] } },
  };
  return { continues, from: 'runtime', flags: ['context_reset'], parts: [data(line)] };
}

function placed({ id, parent, run, time }: Placement): Placement {
  return {
    ...(id === undefined ? {} : { id }),
    ...(parent === undefined ? {} : { parent }),
    ...(run === undefined ? {} : { run }),
    ...(time === undefined ? {} : { time }),
  };
}

function text(words: string): SdPart {
  return { k: 'text', text: words, state: 'available', bytes: Buffer.byteLength(words) };
}

function data(value: JsonValue): SdPart {
  return dataPart(dataJson(value));
}

/** JSON that has its spelling already. */
export function dataPart(json: RawJson): SdPart {
  return { k: 'data', data: json, state: 'available', bytes: Buffer.byteLength(json) };
}

function never(value: never): never {
  throw new TypeError(`no record for ${JSON.stringify(value)}`);
}
