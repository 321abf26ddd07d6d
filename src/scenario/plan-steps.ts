/** Steps as records: what each kind writes, where, when and under which id (scenario spec 3). */
import type { Outcome, Placement, StreamEvent } from '../adapters/mock/events.js';
import { contentsOf, notificationText, plainResult } from './fixed-words.js';
import { childStreamId, workflowRunId } from './ids.js';
import { Lane, type Pace, parentOf, StepFault, timeText } from './lane.js';
import type { PlannedChange, PlannedRecord, PlannedRun, PlannedStream } from './plan.js';
import { EDITING_TOOLS } from './read-call.js';
import type {
  AgentRequest,
  Call,
  Child,
  Request,
  SkillRequest,
  Step,
  ToolRequest,
  ToolResult,
  WorkflowRequest,
} from './scenario.js';
import { editRecord, pluginRecord } from './workspace-changes.js';
import { ScenarioError } from './yaml-file.js';

/** Between two fragments of a call, and from a launch to its acknowledgement. */
const FRAGMENT_MS = 100;
/** How much before its boundary a runtime stamps the summary it writes after it. Never scaled. */
const SUMMARY_MS = 400;

export interface Setting extends Pace {
  readonly session: string;
  readonly project: string;
  readonly cwd: string;
  readonly baseMs: number;
}

/** A step on its way to its records. */
interface Doing {
  readonly lane: Lane;
  /** `s3`, or `helper-s1` in a child. */
  readonly id: string;
  readonly lost: boolean;
}

export class StepPlanner {
  readonly streams: PlannedStream[] = [];
  readonly runs: PlannedRun[] = [];
  readonly #setting: Setting;
  readonly #main: Lane;
  readonly #childNames = new Set<string>();

  constructor(setting: Setting) {
    this.#setting = setting;
    this.#main = this.#lane(
      { id: 'main', label: undefined, tool: '', batch: '', lost: false },
      setting.baseMs,
    );
  }

  get lastMs(): number {
    const times = this.streams.flatMap(({ records }) =>
      records.map(({ event }) => ('time' in event && event.time ? Date.parse(event.time) : 0)),
    );
    return times.reduce((latest, ms) => Math.max(latest, ms), this.#setting.baseMs);
  }

  title(title: string): void {
    this.#main.append({ event: { kind: 'title', title }, lost: false, copied: false });
  }

  /** A step of the main stream, by its number from 1. */
  step(step: Step, number: number): void {
    this.#step(step, { lane: this.#main, id: `s${number}`, lost: step.lost });
  }

  #step(step: Step, doing: Doing): void {
    try {
      this.#records(step, doing);
    } catch (cause) {
      if (!(cause instanceof StepFault)) throw cause;
      throw new ScenarioError(`${step.where}: ${cause.message}`, { cause });
    }
  }

  #records(step: Step, doing: Doing): void {
    const { lane, id, lost } = doing;
    switch (step.kind) {
      case 'input':
        lane.run = `${id}-cycle`;
        this.#single(step, doing, 'input', {
          ...{ kind: 'input', text: step.text, run: lane.run },
          // A person's message begins anew; in a child it follows what was there.
          ...(lane === this.#main ? { parent: '' } : {}),
        });
        break;
      case 'queued':
        this.#single(step, doing, 'queued', { kind: 'queued', mode: step.mode, text: step.text });
        break;
      case 'inject':
        this.#single(
          step,
          doing,
          'inject',
          { kind: 'injection', text: step.text },
          { attachment: step.type },
        );
        break;
      case 'system': {
        const { subtype, fields } = step;
        this.#single(step, doing, `sys-${subtype}`, { kind: 'system', subtype, fields });
        break;
      }
      case 'error':
        this.#single(
          step,
          doing,
          'synthetic',
          { kind: 'error', call: `${id}-synthetic-call`, text: step.text },
          { request: `${id}-req` },
        );
        break;
      case 'result':
        this.#single(step, doing, 'result', this.#result(lane, step.of, step.result), {
          lost: lost || step.result.lost,
        });
        break;
      case 'reset':
        this.#reset(step.afterMs, step.summary, doing);
        break;
      case 'replay':
        this.#replay(step.records);
        break;
      case 'call':
        this.#call(step, step.call, doing);
        break;
      default:
        step satisfies never;
    }
  }

  #single(step: Step, { lane, id, lost }: Doing, suffix: string, event: StreamEvent, beside = {}): void {
    const ms = lane.tick(step.afterMs) - lane.scaled(step.backdatedMs);
    const { parent, ...place } = { ...lane.after(`${id}-${suffix}`, ms), ...event };
    lane.add({ ...place, ...parentOf(parent ?? '') } as StreamEvent & Placement, { lost, ...beside });
  }

  #result(lane: Lane, of: string, { text, failed, bareString }: ToolResult, outcome?: Outcome) {
    return {
      ...{ kind: 'result' as const, of, text },
      ...(lane.run === '' ? {} : { run: lane.run }),
      ...(failed ? { failed } : {}),
      ...(bareString ? { outcome: { is: 'bare_string' as const } } : {}),
      ...(outcome === undefined ? {} : { outcome }),
    };
  }

  #reset(afterMs: number, summary: string, { lane, id, lost }: Doing): void {
    const ms = lane.tick(afterMs);
    const boundary = `${id}-boundary`;
    lane.add({ kind: 'reset', id: boundary, time: timeText(ms), continues: lane.last }, { lost });
    lane.run = `${id}-cycle-compact`;
    const place = lane.after(`${id}-summary`, ms - SUMMARY_MS, { run: lane.run });
    lane.add({ kind: 'summary', ...place, text: summary }, { lost });
  }

  /** The runtime writes its newest records again, their run rewritten, without what it once said beside them. */
  #replay(count: number): void {
    const { records } = this.#main.stream;
    const first = records[0]?.event.kind === 'title' ? 1 : 0;
    for (const record of records.slice(Math.max(first, records.length - count)))
      this.#main.append(copyOf(record));
  }

  #call(step: Step, call: Call, doing: Doing): void {
    const { lane, id, lost } = doing;
    const tool = (call.request?.is === 'tool' && call.request.id) || `${id}-tool`;
    const contents = contentsOf(call, tool);
    const { usage, finished, unnamed, request } = call;
    const begun = lane.tick(step.afterMs);
    for (const [i, content] of contents.entries()) {
      lane.ms = begun + lane.scaled(i * FRAGMENT_MS);
      const last = finished === 'every' || (finished === 'last' && i === contents.length - 1);
      lane.add(
        {
          ...{ kind: 'fragment', ...lane.after(`${id}-call-f${i + 1}`, lane.ms) },
          ...{ call: unnamed ? '' : `${id}-call`, last, usage, content },
        },
        { lost, request: `${id}-req`, ...(last ? { stopReason: request ? 'tool_use' : 'end_turn' } : {}) },
      );
    }
    if (request !== undefined) this.#request(request, tool, doing);
  }

  #request(request: Request, tool: string, doing: Doing): void {
    switch (request.is) {
      case 'tool':
        this.#tool(request, tool, doing);
        break;
      case 'agent':
        this.#agent(request, tool, doing);
        break;
      case 'skill':
        this.#skill(request, tool, doing);
        break;
      case 'workflow':
        this.#workflow(request, tool, doing);
        break;
      default:
        request satisfies never;
    }
  }

  #tool({ name, result, changes }: ToolRequest, tool: string, { lane, id, lost }: Doing): void {
    if (result === undefined) return;
    const ms = lane.tick(result.afterMs);
    const place = lane.after(`${id}-result`, ms);
    const about = { ...this.#setting, stream: lane.name, tool, name, ms, failed: result.failed };
    const own = EDITING_TOOLS.includes(name) ? changes[0] : undefined;
    const event = { ...place, ...this.#result(lane, tool, result) };
    const beside = { lost: lost || result.lost };
    if (own === undefined) lane.add(event, beside);
    else {
      const edit = { ...own, tool: name, path: `${this.#setting.cwd}/${own.path}` };
      lane.add({ ...event, changes: editRecord(about, own) }, { ...beside, edit });
    }
    if (own !== undefined || changes.length === 0 || lost) return;
    const seen: PlannedChange = { id: tool, time: timeText(ms), json: pluginRecord(about, changes) };
    lane.stream.changes.push(seen);
  }

  #agent(agent: AgentRequest, tool: string, { lane, id, lost }: Doing): void {
    const { name, prompt, notify } = agent;
    const ack = lane.tick(FRAGMENT_MS);
    const child = this.#child(
      agent,
      { name, label: name, tool, batch: '' },
      ack + lane.scaled(agent.afterMs || this.#setting.intervalMs),
    );
    const outcome: Outcome = { is: 'launch', child: child.name, label: name, prompt: prompt ?? '' };
    const event = this.#result(lane, tool, plainResult('launched'), outcome);
    lane.add({ ...lane.after(`${id}-ack`, ack), ...event }, { lost });
    this.#childSteps(child, agent, name, prompt, lane.run);
    if (!notify) return;
    lane.ms = Math.max(lane.ms, child.ms);
    const ms = lane.tick();
    lane.run = `${id}-cycle-notification`;
    const text = notificationText(child.name, tool);
    const notice = { kind: 'notification' as const, ...lane.after(`${id}-notice`, ms, { run: lane.run }) };
    lane.add({ ...notice, tool, child: child.name, text }, { lost });
  }

  #skill(skill: SkillRequest, tool: string, { lane, id, lost }: Doing): void {
    const { name, agent } = skill;
    const ms = lane.tick();
    const child = this.#child(
      skill,
      { name: agent, label: agent, tool, batch: '' },
      ms + lane.scaled(this.#setting.intervalMs),
    );
    const event = this.#result(lane, tool, plainResult('forked'), { is: 'fork', child: child.name });
    lane.add({ ...lane.after(`${id}-result`, ms), ...event }, { lost });
    this.#childSteps(child, skill, agent, `run the skill ${name}`, lane.run);
  }

  /** Children run one after another, as the vectors have it; the parent waits for the last. */
  #workflow(
    { name, children, scriptProject }: WorkflowRequest,
    tool: string,
    { lane, id, lost }: Doing,
  ): void {
    const run: PlannedRun = {
      id: workflowRunId(name),
      name,
      project: scriptProject ?? this.#setting.project,
      children: [],
    };
    this.#noteRun(run);
    const ms = lane.tick();
    const event = this.#result(lane, tool, plainResult('workflow launched'), {
      is: 'workflow',
      run: run.id,
      name,
    });
    lane.add({ ...lane.after(`${id}-result`, ms), ...event }, { lost });
    for (const one of children) {
      const begins = lane.ms + lane.scaled(this.#setting.intervalMs);
      const child = this.#child(
        one,
        { name: `${name}/${one.name}`, label: one.name, tool, batch: run.id },
        begins,
      );
      run.children.push(child.name);
      this.#childSteps(child, one, one.name, one.prompt ?? `do ${one.name}`, lane.run);
      lane.ms = Math.max(lane.ms, child.ms);
    }
  }

  #child(
    { lost }: Child,
    { name, label, tool, batch }: { name: string; label: string; tool: string; batch: string },
    ms: number,
  ): Lane {
    const stream = childStreamId(name);
    if (this.#childNames.has(label) || this.streams.some(({ id }) => id === stream))
      throw new StepFault(
        `two children are named ${JSON.stringify(label)}; their records would be one another's copies`,
      );
    this.#childNames.add(label);
    return this.#lane({ id: stream, label, tool, batch, lost }, ms);
  }

  #childSteps(
    child: Lane,
    { steps, inRunOfParent }: Child,
    name: string,
    prompt: string | undefined,
    parentRun: string,
  ): void {
    if (prompt !== undefined) {
      child.run = inRunOfParent ? parentRun : `${child.name}-cycle`;
      const place = child.after(`${child.name}-prompt`, child.begin(), { run: child.run });
      child.add({ kind: 'input', ...place, text: prompt });
    }
    for (const [i, step] of steps.entries())
      this.#step(step, { lane: child, id: `${name}-s${i + 1}`, lost: step.lost });
  }

  #lane(stream: Omit<PlannedStream, 'records' | 'changes'>, ms: number): Lane {
    const planned: PlannedStream = { ...stream, records: [], changes: [] };
    this.streams.push(planned);
    return new Lane(planned, ms, this.#setting);
  }

  #noteRun(run: PlannedRun): void {
    const same = this.runs.find(({ id }) => id.toLowerCase() === run.id.toLowerCase());
    if (same !== undefined) {
      const [a, b] = [JSON.stringify(same.name), JSON.stringify(run.name)];
      throw new StepFault(`workflows ${a} and ${b} use the same run id ignoring letter case: "${run.id}"`);
    }
    this.runs.push(run);
  }
}

function copyOf(original: PlannedRecord): PlannedRecord {
  const { edit: _, ...record } = original;
  const { event } = record;
  const run = 'run' in event && event.run ? { run: 'replayed-cycle' } : {};
  if (event.kind !== 'result') return { ...record, event: { ...event, ...run }, lost: false, copied: true };
  const { changes: __, ...result } = event;
  return { ...record, event: { ...result, ...run, replayed: true }, lost: false, copied: true };
}
