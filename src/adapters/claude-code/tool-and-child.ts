/** Which tool call and which child a record names outside its content (dialect spec 3.6). */
import type { SourceUnit } from '../adapter.js';
import { type JsonObject, objectAt, textAt } from './json-object.js';
import { isAgentId } from './source-names.js';

export interface ToolAndChild {
  readonly tool: string;
  readonly child: string;
}

export function toolAndChild(record: JsonObject, source: SourceUnit['source']): ToolAndChild {
  const { tool, child } = stated(record, source);
  if (tool !== '' && child !== '') return { tool, child };
  const content = objectAt(record, 'message')?.content;
  // Lists of blocks are never searched: a child's words could quote a notification.
  if (typeof content !== 'string' || !content.includes('<task-notification>')) return { tool, child };
  return { tool: tool || notifiedTool(content), child: child || notifiedChild(content) };
}

function stated(record: JsonObject, { kind, stream }: SourceUnit['source']): ToolAndChild {
  if (kind === 'agent_meta')
    return { tool: textAt(record, 'toolUseId'), child: textAt(record, 'agentId') || stream };
  if (kind === 'journal') return { tool: '', child: textAt(record, 'agentId') };
  const result = objectAt(record, 'toolUseResult') ?? {};
  return { tool: textAt(result, 'toolUseId'), child: textAt(result, 'agentId') };
}

function notifiedTool(content: string): string {
  return between(content, '<tool-use-id>', '</tool-use-id>', 0)?.text ?? '';
}

/** A task id of another shape is a shell command's, a monitor's or a workflow's. */
function notifiedChild(content: string): string {
  for (let at = 0; ; ) {
    const found = between(content, '<task-id>', '</task-id>', at);
    if (found === undefined || found.text === '') return '';
    if (isAgentId(found.text)) return found.text;
    at = found.end;
  }
}

function between(text: string, open: string, close: string, from: number) {
  const start = text.indexOf(open, from);
  if (start < 0) return undefined;
  const end = text.indexOf(close, start + open.length);
  if (end < 0) return undefined;
  return { text: text.slice(start + open.length, end).trim(), end: end + close.length };
}
