/** The words that are the same in every scenario: what requests say, and what a runtime answers (scenario spec 3.2). */
import type { Call, Fields, Request, ToolResult } from './scenario.js';

/** The contents of a call's fragments, in their order. */
export function contentsOf({ thinking, text, request }: Call, tool: string) {
  return [
    ...(thinking === undefined ? [] : [{ reasoning: thinking }]),
    ...(text === undefined ? [] : [{ text }]),
    ...(request === undefined ? [] : [{ tool, ...requestOf(request) }]),
  ];
}

/** The tool and the input that a request is written with. */
function requestOf(request: Request): { readonly name: string; readonly input: Fields } {
  switch (request.is) {
    case 'tool':
      return { name: request.name, input: request.input };
    case 'agent':
      return { name: 'Agent', input: { description: request.name, prompt: request.prompt ?? '' } };
    case 'skill':
      return { name: 'Skill', input: { skill: request.name } };
    case 'workflow':
      return { name: 'Workflow', input: { script: 'export const meta = {}' } };
    default:
      return request satisfies never;
  }
}

export function plainResult(text: string): ToolResult {
  return { text, afterMs: 0, failed: false, bareString: false, lost: false };
}

/** What the runtime says when a child has finished. */
export function notificationText(child: string, tool: string): string {
  return [
    '<task-notification>',
    `<task-id>${child}</task-id>`,
    `<tool-use-id>${tool}</tool-use-id>`,
    '<status>completed</status>',
    '</task-notification>',
  ].join('\n');
}

/** The program of a workflow: nothing but its name. */
export function scriptOf(name: string): string {
  return `export const meta = {\n  name: '${name}',\n}`;
}
