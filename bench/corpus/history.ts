/**
 * One made-up session as Claude Code would have written it, in the parts that a collector would meet pass by pass.
 *
 * Its shapes are those of real history, whose measured shares stand at the constants: titles and other lines
 * without an id, calls of 1 to 9 fragments with tools in parallel, results that come late, blocks written again
 * before a reset, children started by a tool, in the background and by a workflow, nested ones, several of them in
 * one run, notifications, and times that step back. Nothing in it comes from anybody's history.
 */
import { Prose } from './prose.js';
import { Random } from './random.js';

export interface HistoryOptions {
  readonly seed: number;
  /** Units in all: lines of every file, and whole documents. Met within one talk. */
  readonly records: number;
  readonly children: number;
  /** About how many units one pass of the collector finds. */
  readonly recordsPerPass: number;
}

/** What a pass finds: by relative path, the lines appended, or the one document that now stands there. */
export type Pass = ReadonlyMap<string, PassFile>;

export interface PassFile {
  readonly growth: 'append' | 'snapshot';
  /** Without their newlines. */
  readonly lines: string[];
}

/** How often each shape was made, for tests and for whoever wonders what a corpus holds. */
export interface Shapes {
  records: number;
  withoutId: number;
  replayed: number;
  resets: number;
  calls: number;
  fragments: number;
  mostFragments: number;
  parallelTools: number;
  lateResults: number;
  unanswered: number;
  byTool: number;
  inBackground: number;
  byWorkflow: number;
  nested: number;
  sharedRuns: number;
  notifications: number;
  stepsBack: number;
  titles: number;
}

const PROJECT = '-home-robin-project';
const CWD = '/home/robin/project';
/** 12 records of 100 have no id; 28 of 100 lines of a main transcript. */
const WITHOUT_ID_PERCENT = 12;
/** Of all records, those of children: the rest stands in main. */
const CHILD_PERCENT = 60;
const CHILDREN_PER_NESTED = 10;
/** Groups of children, in turn. */
const GROUPS = [
  { by: 'tool', children: 2 },
  { by: 'background', children: 1 },
  { by: 'workflow', children: 3 },
  { by: 'tool', children: 1 },
  { by: 'background', children: 1 },
  { by: 'tool', children: 3 },
  { by: 'background', children: 1 },
  { by: 'workflow', children: 6 },
] as const;
const REPLAYED_RECORDS = 20;
/** One reset for so many records of main. */
const RECORDS_PER_RESET = 1500;
const START_MS = Date.UTC(2026, 2, 2, 9);

/** A transcript being written: the record that comes next hangs on the last. */
interface Transcript {
  readonly path: string;
  readonly agent: string;
  parent: string | null;
  run: string;
  /** Its last records with an id, as objects: what a reset writes again. Kept for main alone. */
  readonly recent: Line[];
}

type Line = Record<string, unknown>;

interface ToolUse {
  readonly id: string;
  readonly name: string;
  /** The fragment that holds it: its result's parent. */
  readonly record: string;
}

export class History {
  readonly session: string;
  /** Name of its project directory. */
  readonly project = PROJECT;
  readonly shapes: Shapes = {
    ...{ records: 0, withoutId: 0, replayed: 0, resets: 0, calls: 0, fragments: 0, mostFragments: 0 },
    ...{ parallelTools: 0, lateResults: 0, unanswered: 0, byTool: 0, inBackground: 0, byWorkflow: 0 },
    ...{ nested: 0, sharedRuns: 0, notifications: 0, stepsBack: 0, titles: 0 },
  };

  readonly #options: HistoryOptions;
  readonly #random: Random;
  readonly #prose: Prose;
  readonly #main: Transcript;
  #pass = new Map<string, PassFile>();
  #timeMs = START_MS;
  #children = 0;
  #groups = 0;
  #sinceReset = 0;
  /** What happens in one of the next talks: a child goes on and reports, a result comes late. */
  readonly #later: (() => void)[] = [];

  constructor(options: HistoryOptions) {
    this.#options = options;
    this.#random = new Random(options.seed);
    this.#prose = new Prose(this.#random);
    this.session = this.#random.uuid();
    this.#main = this.#transcript(`${PROJECT}/${this.session}.jsonl`, '');
  }

  /** The passes in order. Only the current one is held in memory, so it has to be used before the next is asked for. */
  *passes(): Generator<Pass> {
    const { records, recordsPerPass } = this.#options;
    let passEnd = recordsPerPass;
    while (this.shapes.records < records) {
      this.#talk();
      if (this.shapes.records < passEnd) continue;
      yield this.#pass;
      this.#pass = new Map();
      passEnd = this.shapes.records + recordsPerPass;
    }
    for (const work of this.#later.splice(0)) work();
    yield this.#pass;
  }

  /** A person asks, calls follow, and between them everything that happens between calls. */
  #talk(): void {
    this.#timeMs += this.#random.between(20_000, this.#random.chance(10) ? 7_200_000 : 240_000);
    if (this.#sinceReset > Math.min(RECORDS_PER_RESET, this.#options.records / 8)) this.#reset();
    this.#main.run = this.#random.uuid();
    this.#add(this.#main, 'user', {
      promptId: this.#main.run,
      origin: { kind: 'human' },
      message: { role: 'user', content: [{ type: 'text', text: this.#prose.text(this.#size(300)) }] },
    });
    if (this.#random.chance(50)) this.#attachment();
    const due = this.#later.splice(0, this.#random.between(0, this.#later.length));
    const calls = this.#random.between(2, 7);
    for (let call = 0; call < calls; call++) {
      this.#call(this.#main, call === calls - 1);
      if (this.#childrenOwed() > 0 && this.#random.chance(70)) this.#delegate();
      due.shift()?.();
      this.#bookkeeping();
    }
    for (const work of due) work();
    if (this.#random.chance(8)) this.#system('api_error', { error: { status: 529 } });
    if (this.#random.chance(8))
      this.#system('local_command', { content: '<command-name>/context</command-name>' });
    this.#system('turn_duration', { durationMs: this.#random.between(1000, 400_000) });
    this.#title();
  }

  /** One call of the model: fragments that share its id, then the results of its tools, not always in their order. */
  #call(transcript: Transcript, last: boolean): void {
    const fragments = last ? 1 : this.#random.chance(35) ? 1 : this.#fragments();
    const message = `msg_01${this.#random.hex(22)}`;
    const request = `req_01${this.#random.hex(22)}`;
    const usage = {
      input_tokens: this.#random.between(2, 9),
      cache_creation_input_tokens: this.#random.between(0, 9000),
      cache_read_input_tokens: this.#random.between(0, 160_000),
      output_tokens: this.#random.between(10, 3000),
    };
    const tools: ToolUse[] = [];
    for (let fragment = 0; fragment < fragments; fragment++) {
      const block = last ? this.#textBlock() : this.#block(fragment, fragments);
      // Main stamps the reason on every fragment, a child only on the last.
      const stamped = transcript.agent === '' || fragment === fragments - 1;
      const record = this.#add(transcript, 'assistant', {
        requestId: request,
        message: {
          ...{ id: message, type: 'message', role: 'assistant', model: 'claude-opus-5', content: [block] },
          stop_reason: stamped ? (last ? 'end_turn' : 'tool_use') : null,
          usage,
        },
      });
      if (block.type === 'tool_use')
        tools.push({ id: block.id as string, name: block.name as string, record });
    }
    this.shapes.calls++;
    this.shapes.fragments += fragments;
    this.shapes.mostFragments = Math.max(this.shapes.mostFragments, fragments);
    if (tools.length > 1) this.shapes.parallelTools++;
    if (tools.length > 1 && this.#random.chance(30)) tools.reverse();
    for (const tool of tools) this.#result(transcript, tool);
  }

  /** Half of all have two, a few up to nine; with the single ones about 2.1 on average. */
  #fragments(): number {
    let fragments = 2;
    while (fragments < 9 && this.#random.chance(38)) fragments++;
    return fragments;
  }

  #block(fragment: number, fragments: number): Line {
    if (fragment === 0 && fragments > 1)
      return this.#random.chance(60)
        ? { type: 'thinking', thinking: '', signature: this.#random.hex(this.#size(400)) }
        : this.#textBlock();
    const name = this.#random.pick(['Bash', 'Read', 'Grep', 'Edit', 'mcp__docs__search']);
    const input =
      name === 'Bash'
        ? { command: this.#prose.line(this.#size(160)), description: this.#prose.line(30) }
        : name === 'Edit'
          ? this.#edit()
          : { file_path: `${CWD}/src/${this.#random.hex(6)}.ts`, limit: this.#random.between(1, 400) };
    return { type: 'tool_use', id: `toolu_01${this.#random.hex(22)}`, name, input };
  }

  #edit(): Line {
    const old_string = this.#prose.text(this.#size(120));
    return {
      ...{ file_path: `${CWD}/src/${this.#random.hex(2)}.ts`, old_string },
      new_string: `${old_string}\n${this.#prose.line(40)}`,
    };
  }

  #textBlock(): Line {
    return { type: 'text', text: this.#prose.text(this.#size(480)) };
  }

  /** In 2 of 100 cases it comes talks later, in 1 of 200 never. */
  #result(transcript: Transcript, tool: ToolUse): void {
    const write = () => {
      const text = this.#prose.text(this.#size(1400));
      const result = { tool_use_id: tool.id, type: 'tool_result', content: text };
      const failed = this.#random.chance(7);
      this.#add(transcript, 'user', {
        parentUuid: tool.record,
        promptId: transcript.run,
        message: { role: 'user', content: [failed ? { ...result, is_error: true } : result] },
        toolUseResult: failed ? `Error: ${text}` : this.#enrichment(tool.name, text),
      });
    };
    if (transcript.agent === '' && this.#random.chance(2)) {
      this.shapes.lateResults++;
      this.#later.push(write);
    } else if (this.#random.chance(0.5)) this.shapes.unanswered++;
    else write();
  }

  #enrichment(name: string, text: string): Line {
    if (name === 'Bash') return { stdout: text, stderr: '', interrupted: false };
    if (name !== 'Edit') return { mode: 'content', numFiles: this.#random.between(1, 40) };
    const lines = [` ${this.#prose.line(40)}`, `-${this.#prose.line(40)}`, `+${this.#prose.line(40)}`];
    return {
      filePath: `${CWD}/src/${this.#random.hex(2)}.ts`,
      ...{ oldString: 'a', newString: 'b', originalFile: null, userModified: false },
      structuredPatch: [{ oldStart: 1, oldLines: 2, newStart: 1, newLines: 2, lines }],
    };
  }

  #childrenOwed(): number {
    const { children, records } = this.#options;
    const owed = Math.ceil((children * this.shapes.records) / records) - this.#children;
    return Math.min(owed, children - this.#children);
  }

  /** Starts the next group of children once all of it is due. */
  #delegate(): void {
    const group = GROUPS[this.#groups % GROUPS.length]!;
    if (this.#childrenOwed() < Math.min(group.children, this.#options.children - this.#children)) return;
    this.#groups++;
    if (group.by === 'tool') this.#childrenByTool(this.#main, group.children);
    else if (group.by === 'background') this.#background();
    else this.#workflow(group.children);
  }

  /** Children of calls that follow each other; where there are several, they share one run id. */
  #childrenByTool(transcript: Transcript, count: number): void {
    const shared = count > 1 ? this.#random.uuid() : undefined;
    if (shared !== undefined) this.shapes.sharedRuns++;
    const tools = Array.from({ length: count }, () => this.#launchCall(transcript, 'Agent', {}));
    for (const tool of tools) {
      const child = this.#child(`subagents`, { tool: tool.id, run: shared, by: transcript.agent });
      this.#childWork(child, this.#childLength(), true);
      if (transcript.agent === '') this.shapes.byTool++;
      const content = [{ type: 'text', text: this.#prose.text(this.#size(600)) }];
      this.#add(transcript, 'user', {
        parentUuid: tool.record,
        promptId: transcript.run,
        message: { role: 'user', content: [{ tool_use_id: tool.id, type: 'tool_result', content }] },
        toolUseResult: { status: 'completed', agentId: child.agent, content, totalTokens: 4000 },
      });
    }
  }

  /** A launch that is acknowledged at once; the child goes on beside and is reported later. */
  #background(): void {
    const tool = this.#launchCall(this.#main, 'Agent', { run_in_background: true });
    const child = this.#child('subagents', { tool: tool.id, run: undefined, by: '' });
    this.shapes.inBackground++;
    this.#add(this.#main, 'user', {
      parentUuid: tool.record,
      promptId: this.#main.run,
      message: {
        role: 'user',
        content: [{ tool_use_id: tool.id, type: 'tool_result', content: 'Async agent launched.' }],
      },
      toolUseResult: { isAsync: true, status: 'async_launched', agentId: child.agent },
    });
    const length = this.#childLength();
    this.#childWork(child, length >> 1, false);
    this.#later.push(() => {
      this.#childWork(child, length >> 1, true);
      this.#notification(tool.id, child.agent);
    });
  }

  /** A run with its own journal, manifest and script; children are known to it alone. */
  #workflow(count: number): void {
    const run = `wf_${this.#random.hex(8)}-${this.#random.hex(3)}`;
    const below = `${PROJECT}/${this.session}`;
    const folder = `subagents/workflows/${run}`;
    const journal = `${below}/${folder}/journal.jsonl`;
    const tool = this.#launchCall(this.#main, 'Workflow', { name: 'weekly' });
    this.#add(this.#main, 'user', {
      parentUuid: tool.record,
      promptId: this.#main.run,
      message: {
        role: 'user',
        content: [{ tool_use_id: tool.id, type: 'tool_result', content: `Workflow launched: ${run}` }],
      },
      toolUseResult: { status: 'async_launched', runId: run, workflowName: 'weekly' },
    });
    this.#document(`${below}/workflows/scripts/weekly-${run}.js`, `return await agent('${run}');`);
    const manifest = (status: string) =>
      JSON.stringify({ runId: run, workflowName: 'weekly', status, agentCount: 3 }, null, 2);
    this.#document(`${below}/workflows/${run}.json`, manifest('running'));
    for (let i = 0; i < count; i++) {
      const child = this.#child(folder, { tool: undefined, run: undefined, by: '' });
      const key = `v2:${this.#random.hex(16)}`;
      this.shapes.byWorkflow++;
      this.#append(journal, { type: 'started', key, agentId: child.agent });
      this.#childWork(child, this.#childLength(), true);
      const result = this.#prose.text(this.#size(500));
      // One in ten never gets a result.
      if (!this.#random.chance(10))
        this.#append(journal, { type: 'result', key, agentId: child.agent, result });
    }
    this.#later.push(() => {
      this.#document(`${below}/workflows/${run}.json`, manifest('completed'));
      this.#notification(tool.id, `w${this.#random.hex(8)}`);
    });
  }

  #launchCall(transcript: Transcript, name: string, more: Line): ToolUse {
    const id = `toolu_01${this.#random.hex(22)}`;
    const input = { description: this.#prose.line(30), prompt: this.#prose.text(this.#size(400)), ...more };
    const record = this.#add(transcript, 'assistant', {
      requestId: `req_01${this.#random.hex(22)}`,
      message: {
        ...{ id: `msg_01${this.#random.hex(22)}`, type: 'message', role: 'assistant' },
        ...{ model: 'claude-opus-5', content: [{ type: 'tool_use', id, name, input }] },
        ...{ stop_reason: 'tool_use', usage: { input_tokens: 4, output_tokens: 90 } },
      },
    });
    this.shapes.calls++;
    this.shapes.fragments++;
    return { id, name, record };
  }

  #notification(tool: string, task: string): void {
    this.shapes.notifications++;
    this.#main.run = this.#random.uuid();
    const words = `<task-notification>\n<task-id>${task}</task-id>\n<tool-use-id>${tool}</tool-use-id>\n<status>completed</status>\n</task-notification>`;
    this.#add(this.#main, 'user', {
      promptId: this.#main.run,
      origin: { kind: 'task-notification' },
      message: { role: 'user', content: words },
    });
    this.#call(this.#main, true);
  }

  #child(
    folder: string,
    { tool, run, by }: { tool: string | undefined; run: string | undefined; by: string },
  ): Transcript {
    this.#children++;
    const agent = `a${this.#random.hex(16)}`;
    const below = `${PROJECT}/${this.session}/${folder}`;
    const child = this.#transcript(`${below}/agent-${agent}.jsonl`, agent);
    child.run = run ?? this.#random.uuid();
    this.#add(child, 'user', {
      promptId: child.run,
      message: { role: 'user', content: this.#prose.text(this.#size(400)) },
    });
    // The spawner and the call that spawned are known to the sidecar; some clients wrote none.
    if (!this.#random.chance(30)) {
      const sidecar = { agentType: 'general-purpose', description: this.#prose.line(30), toolUseId: tool };
      this.#document(
        `${below}/agent-${agent}.meta.json`,
        JSON.stringify(by === '' ? sidecar : { ...sidecar, parentAgentId: by }),
      );
    }
    return child;
  }

  /** So long that the children together come to their share. */
  #childLength(): number {
    const { records, children } = this.#options;
    const mean = Math.max(4, (records * CHILD_PERCENT) / 100 / Math.max(1, children));
    return this.#random.between(Math.ceil(mean * 0.2), Math.ceil(mean * 1.7));
  }

  #childWork(child: Transcript, length: number, ends: boolean): void {
    const end = this.shapes.records + length;
    while (this.shapes.records < end - 1) {
      this.#call(child, false);
      const nests = this.shapes.nested * CHILDREN_PER_NESTED < this.#children && this.#random.chance(20);
      if (!nests || child.path.includes('/workflows/')) continue;
      this.shapes.nested++;
      this.#childrenByTool(child, 1);
    }
    if (ends) this.#call(child, true);
  }

  /** The last records once more, worse than they were, then the boundary and its summary, whose time is earlier. */
  #reset(): void {
    this.#sinceReset = 0;
    this.shapes.resets++;
    const run = this.#random.uuid();
    for (const line of this.#main.recent) {
      const { toolUseResult: _, ...rest } = line;
      this.#append(this.#main.path, { ...rest, ...('promptId' in line ? { promptId: run } : {}) });
      this.shapes.replayed++;
    }
    const summaryTime = this.#timeMs;
    this.#timeMs += 30_000;
    const before = this.#main.parent;
    this.#main.parent = null;
    const boundary = this.#system('compact_boundary', { logicalParentUuid: before });
    this.#main.run = run;
    this.#add(this.#main, 'user', {
      parentUuid: boundary,
      promptId: run,
      isCompactSummary: true,
      timestamp: new Date(summaryTime).toISOString(),
      message: { role: 'user', content: this.#prose.text(this.#size(9000)) },
    });
  }

  #attachment(): void {
    const queued = this.#random.chance(10);
    const attachment = queued
      ? { type: 'queued_command', commandMode: 'prompt', prompt: this.#prose.text(60) }
      : { type: 'task_reminder', content: this.#prose.text(this.#size(500)) };
    this.#add(this.#main, 'attachment', queued ? { attachment, origin: { kind: 'human' } } : { attachment });
  }

  #system(subtype: string, more: Line): string {
    return this.#add(this.#main, 'system', { subtype, level: 'info', ...more });
  }

  #title(): void {
    this.shapes.titles++;
    this.#append(this.#main.path, {
      ...{ type: 'ai-title', aiTitle: this.#prose.line(40), sessionId: this.session },
    });
  }

  /** Lines without an id, as many as their share asks for. */
  #bookkeeping(): void {
    const { shapes } = this;
    while (shapes.withoutId * 100 < shapes.records * WITHOUT_ID_PERCENT) {
      const kind = this.#random.between(0, 2);
      if (kind === 0) this.#title();
      else if (kind === 1)
        this.#append(this.#main.path, {
          ...{ type: 'queue-operation', operation: 'enqueue', timestamp: this.#time() },
          ...{ sessionId: this.session, content: this.#prose.text(this.#size(200)) },
        });
      else {
        const snapshot = { messageId: this.#random.uuid(), trackedFileBackups: {}, timestamp: this.#time() };
        const lines = this.#prose.text(this.#size(500));
        this.#append(this.#main.path, { type: 'file-history-snapshot', snapshot, note: lines });
      }
    }
  }

  /** Adds a record with an id behind the last one, and gives that id. */
  #add(transcript: Transcript, type: string, members: Line): string {
    const uuid = this.#random.uuid();
    const line = {
      ...{ parentUuid: transcript.parent, isSidechain: transcript.agent !== '' },
      ...(transcript.agent === '' ? {} : { agentId: transcript.agent }),
      ...{ cwd: CWD, sessionId: this.session, version: '2.1.250', gitBranch: 'main', type },
      ...{ uuid, timestamp: this.#time() },
      ...members,
    };
    transcript.parent = uuid;
    if (transcript === this.#main) {
      this.#sinceReset++;
      transcript.recent.push(line);
      if (transcript.recent.length > REPLAYED_RECORDS) transcript.recent.shift();
    }
    this.#append(transcript.path, line);
    return uuid;
  }

  #append(path: string, line: Line): void {
    this.shapes.records++;
    if (!('uuid' in line)) this.shapes.withoutId++;
    this.#file(path, 'append').lines.push(JSON.stringify(line));
  }

  /** A document that stands there from now on; two in one pass are one, as a collector would find it. */
  #document(path: string, text: string): void {
    const { lines } = this.#file(path, 'snapshot');
    if (lines.length === 0) {
      this.shapes.records++;
      this.shapes.withoutId++;
    }
    lines[0] = text;
  }

  #file(path: string, growth: PassFile['growth']): PassFile {
    const file = this.#pass.get(path) ?? { growth, lines: [] };
    this.#pass.set(path, file);
    return file;
  }

  #transcript(path: string, agent: string): Transcript {
    return { path, agent, parent: null, run: '', recent: [] };
  }

  /** Goes on by up to four seconds, and in 1 of 200 cases back. */
  #time(): string {
    if (this.#random.chance(0.5)) {
      this.shapes.stepsBack++;
      this.#timeMs -= this.#random.between(1, 5000);
    } else this.#timeMs += this.#random.between(5, 4000);
    return new Date(this.#timeMs).toISOString();
  }

  /** Characters with a long tail: mostly around `typical`, now and then many times as much. */
  #size(typical: number): number {
    const spread = this.#random.chance(5) ? typical * 12 : typical;
    return this.#random.between(spread >> 2, spread * 2);
  }
}
