/** A call of a scenario file, with what it requests: a tool, an agent, a skill or a workflow (scenario spec 2.3). */
import { isPathSegment } from '../io/path-segment.js';
import { workflowRunId, workflowScriptName } from './ids.js';
import type {
  AgentRequest,
  Call,
  Child,
  FileChange,
  Request,
  SkillRequest,
  Step,
  ToolRequest,
  ToolResult,
  Usage,
  WorkflowRequest,
} from './scenario.js';
import type { Mapping } from './yaml-file.js';

const REQUESTS = ['tool', 'agent', 'skill', 'workflow'] as const;
const CALL_KEYS = ['thinking', 'text', ...REQUESTS, 'usage', 'finished', 'unnamed'] as const;

/** Parts of the language whose features are not built. */
const LATER = ['system_prompt', 'tools'] as const;
const CHILD_KEYS = ['steps', 'lost', 'run', ...LATER] as const;

export const RESULT_KEYS = ['text', 'after', 'failed', 'string', 'lost'] as const;

/** Reads the steps below a child; they are steps like any other. */
type StepsOf = (child: Mapping<'steps'>) => Step[];

/** The value of a step's `call`. */
export function readCall(step: Mapping<'call'>, stepsOf: StepsOf): Call {
  const call = step.mapping('call', CALL_KEYS)!;
  const requested = REQUESTS.filter((request) => call.has(request));
  if (requested.length > 1)
    step.refuse('a call requests at most one of tool, agent, skill, workflow', 'call');
  const thinking = call.text('thinking');
  const read: Call = {
    thinking: thinking === 'unavailable' ? '' : thinking,
    text: call.text('text'),
    request: requested[0] && readRequest(step.at, call, requested[0], stepsOf),
    usage: readUsage(call),
    finished: call.word('finished', ['last', 'every', 'none']) ?? 'last',
    unnamed: call.flag('unnamed') ?? false,
  };
  if (read.thinking === undefined && read.text === undefined && read.request === undefined)
    call.refuse('a call has thinking, text, or a request');
  return read;
}

function readRequest(
  at: string,
  call: Mapping<(typeof CALL_KEYS)[number]>,
  is: (typeof REQUESTS)[number],
  stepsOf: StepsOf,
): Request {
  switch (is) {
    case 'tool':
      return readTool(call);
    case 'agent':
      return readAgent(call, stepsOf);
    case 'skill':
      return readSkill(call, stepsOf);
    case 'workflow':
      return readWorkflow(at, call, stepsOf);
    default:
      return is satisfies never;
  }
}

function readTool(call: Mapping<'tool'>): ToolRequest {
  const later = ['execution'] as const;
  const tool = call.mapping('tool', ['id', 'name', 'input', 'result', 'changes', ...later])!;
  tool.refuseUnbuilt(later);
  const name = tool.needText('name', 'a tool has a name');
  const result = tool.has('result') ? readInnerResult(tool) : undefined;
  return {
    is: 'tool',
    id: tool.text('id'),
    name,
    input: tool.has('input') ? tool.named('input')!.fields() : {},
    result,
    changes: readChanges(tool, name, result),
  };
}

function readInnerResult(tool: Mapping<'result'>): ToolResult {
  if (!tool.isScalar('result')) return readToolResult(tool.mapping('result', RESULT_KEYS)!);
  return { text: tool.text('result') ?? '', afterMs: 0, failed: false, bareString: false, lost: false };
}

export function readToolResult(result: Mapping<(typeof RESULT_KEYS)[number]>): ToolResult {
  const afterMs = result.duration('after') ?? 0;
  if (afterMs < 0) result.refuse('after must not be negative', 'after');
  return {
    text: result.text('text') ?? '',
    afterMs,
    failed: result.flag('failed') ?? false,
    bareString: result.flag('string') ?? false,
    lost: result.flag('lost') ?? false,
  };
}

/** Tools whose own result says what they did to one file; whatever another did, a plugin saw. */
export const EDITING_TOOLS: readonly string[] = ['Edit', 'Write', 'NotebookEdit'];

function readChanges(tool: Mapping<'changes'>, name: string, result: ToolResult | undefined): FileChange[] {
  const changes = tool.mappings('changes', ['path', 'before', 'after']).map((change): FileChange => {
    const path = change.needText('path', 'a change has a path');
    if (path.startsWith('/') || path.split('/').includes('..'))
      change.refuse('path is relative to the project', 'path');
    const [before, after] = [change.content('before'), change.content('after')];
    if (before === undefined && after === undefined)
      change.refuse('a change has a before, an after, or both');
    if (name === 'Edit' && (before === undefined || after === undefined))
      change.refuse('an Edit has a before and an after');
    return { path, before, after };
  });
  if (changes.length > 0 && result === undefined)
    tool.refuse('changes are known when a result is', 'changes');
  if (changes.length > 1 && EDITING_TOOLS.includes(name)) tool.refuse(`${name} makes one change`, 'changes');
  return changes;
}

function readAgent(call: Mapping<'agent'>, stepsOf: StepsOf): AgentRequest {
  const agent = call.mapping('agent', ['name', 'prompt', 'after', 'notify', ...CHILD_KEYS])!;
  const name = agent.needText('name', 'an agent has a name');
  const afterMs = agent.duration('after') ?? 0;
  if (afterMs < 0) agent.refuse('after must not be negative', 'after');
  const [prompt, notify] = [agent.text('prompt'), agent.flag('notify') ?? false];
  return { is: 'agent', name, prompt, afterMs, notify, ...readChild(agent, stepsOf) };
}

function readSkill(call: Mapping<'skill'>, stepsOf: StepsOf): SkillRequest {
  const skill = call.mapping('skill', ['name', 'agent', ...CHILD_KEYS])!;
  const rule = 'a skill has a name and an agent';
  const [name, agent] = [skill.needText('name', rule), skill.needText('agent', rule)];
  return { is: 'skill', name, agent, ...readChild(skill, stepsOf) };
}

function readWorkflow(at: string, call: Mapping<'workflow'>, stepsOf: StepsOf): WorkflowRequest {
  const workflow = call.mapping('workflow', ['name', 'children', 'script_project'])!;
  const rule = 'a workflow has a name and children';
  const name = workflow.needText('name', rule);
  if (!isPathSegment(workflowScriptName(workflowRunId(name))))
    workflow.refuse('name is too long to name files; use at most 90 letters', 'name');
  const children = workflow.mappings('children', ['name', 'prompt', ...CHILD_KEYS]).map((child, i) => ({
    name: child.needText('name', `${at}: workflow child ${i} has a name`),
    prompt: child.text('prompt'),
    ...readChild(child, stepsOf),
  }));
  if (children.length === 0) workflow.refuse(rule);
  const scriptProject = workflow.text('script_project');
  if (scriptProject !== undefined && !isPathSegment(scriptProject))
    workflow.refuse('script_project cannot name a directory', 'script_project');
  return { is: 'workflow', name, children, scriptProject };
}

function readChild(child: Mapping<(typeof CHILD_KEYS)[number]>, stepsOf: StepsOf): Child {
  child.refuseUnbuilt(LATER);
  return {
    steps: stepsOf(child),
    lost: child.flag('lost') ?? false,
    inRunOfParent: child.word('run', ['parent']) !== undefined,
  };
}

/** A count of 0 counts as not given. */
function readUsage(call: Mapping<'usage'>): Usage {
  const usage = call.mapping('usage', ['in', 'out', 'cache_read', 'cache_write']);
  return {
    in: usage?.count('in') || 2,
    out: usage?.count('out') || 40,
    cache_read: usage?.count('cache_read') || 900,
    cache_write: usage?.count('cache_write') || 100,
  };
}
