/** A planned record as the line Claude Code writes for it (scenario spec 5.2). */

import { lineDiff } from '../adapters/claude-code/line-diff.js';
import type { JsonValue } from '../adapters/mock/data-json.js';
import { dataJson } from '../adapters/mock/data-json.js';
import { type Fragment, MOCK_MODEL, type Outcome, type Result } from '../adapters/mock/events.js';
import type { Plan, PlannedEdit, PlannedRecord, PlannedStream } from './plan.js';
import { HEADLESS, type Usage } from './scenario.js';

type Members = Readonly<Record<string, JsonValue>>;

/** What every line of a file says beside its own. */
export function envelopeOf({ session, cwd, entrypoint }: Plan, stream?: PlannedStream): Members {
  const isChild = stream !== undefined && stream.id !== 'main';
  return {
    ...{ sessionId: session, version: '2.1.245', userType: 'external', entrypoint, cwd, gitBranch: 'main' },
    isSidechain: isChild,
    ...(isChild ? { agentId: stream.id } : {}),
  };
}

/** A line, without its newline: the envelope where the record says nothing itself. */
export function lineOf(record: PlannedRecord, envelope: Members): string {
  const isHeadless = envelope.entrypoint === HEADLESS;
  return dataJson({
    ...envelope,
    ...placeOf(record),
    ...membersOf(record, envelope.isSidechain === true, isHeadless),
  });
}

function placeOf({ event }: PlannedRecord): Members {
  if (event.kind === 'title') return {};
  const run = event.run ? { promptId: event.run } : {};
  return { uuid: event.id ?? '', parentUuid: event.parent || null, timestamp: event.time ?? '', ...run };
}

function membersOf(record: PlannedRecord, isChild: boolean, isHeadless: boolean): Members {
  const { event } = record;
  switch (event.kind) {
    case 'title':
      return { type: 'ai-title', aiTitle: event.title };
    case 'input':
      if (isChild) return userMessage(event.text);
      if (isHeadless)
        return { ...userMessage(event.text), promptSource: 'sdk', permissionMode: 'bypassPermissions' };
      return { ...userMessage([textBlock(event.text)]), origin: { kind: 'human' }, permissionMode: 'auto' };
    case 'queued':
      return attachment({ type: 'queued_command', commandMode: event.mode, content: event.text });
    case 'injection':
      return attachment({ type: record.attachment ?? '', content: event.text });
    case 'fragment':
      return assistantMessage(record, event.call, MOCK_MODEL, event.usage as Usage, blockOf(event));
    case 'error':
      return assistantMessage(record, event.call, '<synthetic>', NO_USAGE, textBlock(event.text));
    case 'result':
      return resultMembers(event, record);
    case 'notification':
      return {
        ...{ ...userMessage(event.text), origin: { kind: 'task-notification' } },
        ...(isHeadless ? { promptSource: 'sdk' } : {}),
      };
    case 'reset':
      return {
        ...{ type: 'system', subtype: 'compact_boundary', logicalParentUuid: event.continues },
        compactMetadata: { trigger: 'auto', preservedMessages: { allUuids: [event.continues] } },
      };
    case 'summary':
      return { ...userMessage([textBlock(event.text)]), isCompactSummary: true };
    case 'system':
      return { type: 'system', subtype: event.subtype, ...event.fields };
    case 'prompt_snapshot':
      throw new TypeError('a scenario plans no prompt snapshot');
    default:
      return event satisfies never;
  }
}

function userMessage(content: JsonValue): Members {
  return { type: 'user', message: { role: 'user', content } };
}

function textBlock(text: string): Members {
  return { type: 'text', text };
}

function attachment(content: Members): Members {
  return { type: 'attachment', attachment: content };
}

const NO_USAGE: Usage = { in: 0, out: 0, cache_read: 0, cache_write: 0 };

/** `call` is empty when the output names none. */
function assistantMessage(
  { request, stopReason }: PlannedRecord,
  call: string,
  model: string,
  usage: Usage,
  block: Members,
): Members {
  return {
    type: 'assistant',
    ...(request === undefined ? {} : { requestId: request }),
    message: {
      ...{ type: 'message', role: 'assistant', model, stop_reason: stopReason ?? null, content: [block] },
      ...(call === '' ? {} : { id: call }),
      usage: {
        input_tokens: usage.in,
        cache_creation_input_tokens: usage.cache_write,
        cache_read_input_tokens: usage.cache_read,
        output_tokens: usage.out,
        ...{
          service_tier: 'standard',
          speed: 'standard',
          iterations: [{ type: 'message' }],
          server_tool_use: {},
        },
      },
    },
  };
}

function blockOf({ content }: Fragment): Members {
  if ('text' in content) return textBlock(content.text);
  if ('reasoning' in content) return { type: 'thinking', thinking: content.reasoning, signature: 'sig' };
  return { type: 'tool_use', id: content.tool, name: content.name, input: content.input };
}

function resultMembers(
  result: Result & { readonly parent?: string },
  { copied, edit }: PlannedRecord,
): Members {
  const { of, text, failed, outcome, parent } = result;
  const block = {
    type: 'tool_result',
    tool_use_id: of,
    content: text,
    ...(failed ? { is_error: true } : {}),
  };
  return {
    ...{ ...userMessage([block]), sourceToolAssistantUUID: parent ?? '' },
    ...(copied ? {} : { toolUseResult: edit === undefined ? enrichment(text, outcome) : editResult(edit) }),
  };
}

/** What the runtime says beside the text. */
function enrichment(text: string, outcome: Outcome | undefined): JsonValue {
  switch (outcome?.is) {
    case undefined:
      return { stdout: text, stderr: '' };
    case 'launch': {
      const { child, label, prompt } = outcome;
      return { agentId: child, isAsync: true, status: 'async_launched', prompt, description: label };
    }
    case 'fork':
      return { agentId: outcome.child, status: 'forked' };
    case 'workflow': {
      const { run, name } = outcome;
      const transcriptDir = `subagents/workflows/${run}`;
      return { runId: run, status: 'async_launched', transcriptDir, workflowName: name };
    }
    case 'bare_string':
      return 'a bare string, not an object';
    default:
      return outcome satisfies never;
  }
}

/** An editing tool's own words: the patch, and the file as it was. `path` is absolute here. */
function editResult({ tool, path, before, after }: PlannedEdit): Members {
  const hunks = lineDiff(before ?? '', after ?? '') ?? [];
  return {
    filePath: path,
    structuredPatch: hunks.map((hunk) => ({
      ...{ oldStart: hunk.old_start, oldLines: hunk.old_lines },
      ...{ newStart: hunk.new_start, newLines: hunk.new_lines, lines: hunk.lines },
    })),
    ...{ originalFile: before ?? null, userModified: false },
    ...(tool === 'Edit'
      ? { oldString: before ?? '', newString: after ?? '', replaceAll: false }
      : { type: before === undefined ? 'create' : 'update', content: after ?? '' }),
  };
}
