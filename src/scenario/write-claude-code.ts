/** A plan as the files Claude Code leaves behind, below `_source` of a root (scenario spec 5.1). */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { dataJson } from '../adapters/mock/data-json.js';
import { envelopeOf, lineOf } from './claude-code-lines.js';
import { scriptOf } from './fixed-words.js';
import { workflowScriptName } from './ids.js';
import type { Plan, PlannedRun, PlannedStream } from './plan.js';

/** Where Claude Code's files stand in a root. */
export const SOURCE_FOLDER = '_source';

/** Where the plugin that watches a workspace would write, below the source folder. */
const PLUGIN_FOLDER = 'plugins/data';

/** Files beside every session that are none: discovery must pass over them. */
const NOISE: readonly (readonly [name: string, content: string])[] = [
  ['not-a-uuid.jsonl', '{"type":"summary","summary":"not a session"}\n'],
  ['memory/notes.md', '# notes\n\nnot a session either\n'],
];

/** Writes every file of a plan whole and gives their paths. */
export function writeClaudeCode(root: string, plan: Plan): string[] {
  const paths: string[] = [];
  for (const [name, content] of filesOf(plan)) {
    const path = join(root, SOURCE_FOLDER, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
    paths.push(path);
  }
  return paths;
}

/** Makes the folders that are there in every root, whatever it was built from. */
export function makeSourceFolders(root: string): void {
  mkdirSync(join(root, SOURCE_FOLDER, PLUGIN_FOLDER), { recursive: true });
}

/** Names below the source folder, with `/`, and what each file holds. */
function* filesOf(plan: Plan): Generator<readonly [name: string, content: string]> {
  const { project, session, streams, runs } = plan;
  const folder = `${project}/${session}`;
  for (const stream of streams) {
    if (stream.lost) continue;
    const { id, label, tool, batch, changes } = stream;
    const content = transcriptOf(plan, stream);
    if (id === 'main') yield [`${folder}.jsonl`, content];
    else if (content !== '')
      yield [`${folder}/subagents/${batch && `workflows/${batch}/`}agent-${id}.jsonl`, content];
    if (label !== undefined && batch === '') {
      const meta = { agentType: 'general-purpose', description: label, spawnDepth: 1, toolUseId: tool };
      yield [`${folder}/subagents/agent-${id}.meta.json`, `${dataJson(meta)}\n`];
    }
    if (changes.length > 0)
      yield [
        `${PLUGIN_FOLDER}/asz-changes-inline/output/${session}/${id}.jsonl`,
        changes.map(({ json }) => `${json}\n`).join(''),
      ];
  }
  for (const run of runs) yield* filesOfRun(plan, run);
  for (const [name, content] of NOISE) yield [`${project}/${name}`, content];
}

function transcriptOf(plan: Plan, stream: PlannedStream): string {
  const envelope = envelopeOf(plan, stream);
  return stream.records
    .filter(({ lost }) => !lost)
    .map((record) => `${lineOf(record, envelope)}\n`)
    .join('');
}

function* filesOfRun(
  plan: Plan,
  { id, name, project, children }: PlannedRun,
): Generator<readonly [string, string]> {
  const folder = `${plan.project}/${plan.session}`;
  const envelope = envelopeOf(plan);
  const journal = children.flatMap((child) => {
    const line = { ...envelope, agentId: child, key: `v2:${child}` };
    return [
      dataJson({ ...line, type: 'started' }),
      dataJson({ ...line, type: 'result', result: { done: true } }),
    ];
  });
  yield [`${folder}/subagents/workflows/${id}/journal.jsonl`, journal.map((line) => `${line}\n`).join('')];
  const manifest = { agentCount: children.length, runId: id, status: 'completed', taskId: `task-${id}` };
  yield [`${folder}/workflows/${id}.json`, `${dataJson({ ...manifest, workflowName: name })}\n`];
  yield [`${project}/${plan.session}/workflows/scripts/${workflowScriptName(id)}`, `${scriptOf(name)}\n`];
}
