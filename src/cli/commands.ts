/**
 * The commands, as data. Each is one module of its own name, imported only when it is asked for, so that
 * `asz version` loads nothing it does not use.
 */
import type { Flag } from './arguments.js';
import type { CommandModule } from './context.js';

export interface Command {
  /** A subcommand is named with its command: `index cat`. */
  readonly name: string;
  /** Its arguments as the usage shows them. */
  readonly synopsis: string;
  readonly summary: string;
  /** What the help says beyond the summary. */
  readonly details?: readonly string[];
  readonly flags: readonly Flag[];
  readonly atMost: number;
  /** The error, with exit code 1, when arguments are missing. */
  readonly required?: { readonly atLeast: number; readonly message: string };
  /** Whether it reads the configuration; the others also know nothing of adapters. */
  readonly readsConfiguration: boolean;
  load(): Promise<CommandModule>;
}

const JSON_OUT: Flag = { name: 'json', kind: 'switch', summary: 'print JSON instead of text' };

const JOBS: Flag = {
  name: 'jobs',
  kind: 'count',
  value: 'N',
  summary: 'sessions worked on at once; default: one per processor',
};

const TERMS: Flag = {
  name: 'terms',
  kind: 'text',
  value: 'MODE',
  summary: 'whose words to print: unified (default), native, or both',
};

const ONCE: Flag = { name: 'once', kind: 'switch', summary: 'one pass, whatever the configuration says' };

const CONFIG: Flag = {
  name: 'config',
  kind: 'text',
  value: 'FILE',
  summary: 'configuration file; default: asz.yaml in the working directory, else the built-in defaults',
};

const SCENARIO_CLOCK: readonly Flag[] = [
  { name: 'scale', kind: 'text', value: 'FACTOR', summary: 'multiplies every duration; default: 1' },
  {
    name: 'interval',
    kind: 'text',
    value: 'DURATION',
    summary: "gap between steps; default: the scenario's",
  },
];

export const COMMANDS: readonly Command[] = [
  {
    name: 'sources',
    synopsis: '',
    summary: 'list what could be collected; lands nothing',
    flags: [JSON_OUT, CONFIG],
    atMost: 0,
    readsConfiguration: true,
    load: () => import('./sources.js'),
  },
  {
    name: 'collect',
    synopsis: '',
    summary: 'land what agents wrote and parse what moved, once or on an interval',
    flags: [ONCE, JOBS, JSON_OUT, CONFIG],
    atMost: 0,
    readsConfiguration: true,
    load: () => import('./collect.js'),
  },
  {
    name: 'index',
    synopsis: '[SESSION]',
    summary: 'say what the index holds',
    details: ['It reads; collecting and parsing are what builds an index.'],
    flags: [JSON_OUT, CONFIG],
    atMost: 1,
    readsConfiguration: true,
    load: () => import('./index-summary.js'),
  },
  {
    name: 'index cat',
    synopsis: 'SESSION',
    summary: "write a session's index entries as JSON lines",
    details: ['The lines are what asz assemble reads. A session named cat is shown by asz index -- cat.'],
    flags: [
      { name: 'through', kind: 'count', value: 'SEQ', summary: 'end after this landed sequence' },
      CONFIG,
    ],
    atMost: 1,
    required: { atLeast: 1, message: 'usage: asz index cat SESSION [--through SEQ]' },
    readsConfiguration: true,
    load: () => import('./index-cat.js'),
  },
  {
    name: 'show',
    synopsis: 'SESSION ID',
    summary: 'print the landed record behind a record id or tool-use id',
    flags: [JSON_OUT, CONFIG],
    atMost: 2,
    required: {
      atLeast: 2,
      message: 'usage: asz show SESSION ID   (a record uuid or a tool_use id)',
    },
    readsConfiguration: true,
    load: () => import('./show.js'),
  },
  {
    name: 'parse',
    synopsis: '[SESSION]',
    summary: 'assemble landed evidence into rounds, every session or one',
    flags: [JOBS, JSON_OUT, CONFIG],
    atMost: 1,
    readsConfiguration: true,
    load: () => import('./parse.js'),
  },
  {
    name: 'assemble',
    synopsis: '',
    summary: 'turn index lines on standard input into one round on standard output',
    details: ['Touches no storage root: asz index cat s1 | asz assemble --conversation s1 > r000001.sf'],
    flags: [
      { name: 'conversation', kind: 'text', value: 'ID', summary: 'the conversation of the round; required' },
      {
        name: 'previous',
        kind: 'list',
        value: 'FILE',
        summary: 'an earlier round; repeat for each, in their order, or quote a pattern',
      },
    ],
    atMost: 0,
    readsConfiguration: false,
    load: () => import('./assemble.js'),
  },
  {
    name: 'conversation',
    synopsis: 'ID',
    summary: 'fold a chain and print its structure, or the whole conversation as one document',
    details: [
      'The document is built from a broken chain too, with what is wrong written into it; asz verify says the same.',
    ],
    flags: [
      { name: 'fold', kind: 'switch', summary: 'print what the fold holds, one entity a line, as JSON' },
      TERMS,
      { name: 'json', kind: 'switch', summary: 'print the asz.view document as JSON' },
      { name: 'yaml', kind: 'switch', summary: 'print the asz.view document as YAML' },
      {
        name: 'html',
        kind: 'text',
        value: 'FILE',
        summary: 'write the page with the document in it as one file, which opens without a server',
      },
      { name: 'force', kind: 'switch', summary: 'let that file be replaced when it is there already' },
      {
        name: 'hide',
        kind: 'list',
        value: 'NAME',
        summary: 'leave out of the document the words of system_prompt or tool_schemas; repeat for both',
      },
      CONFIG,
    ],
    atMost: 1,
    required: { atLeast: 1, message: 'usage: asz conversation [-json|-yaml] CONVERSATION' },
    readsConfiguration: true,
    load: () => import('./conversation.js'),
  },
  {
    name: 'conversations',
    synopsis: '',
    summary: 'list the conversations of the root',
    details: [
      'It reads one line of each chain and checks nothing; asz verify does. Times are UTC; a dash is a count',
      'that the round does not have.',
    ],
    flags: [JSON_OUT, CONFIG],
    atMost: 0,
    readsConfiguration: true,
    load: () => import('./conversations.js'),
  },
  {
    name: 'view',
    synopsis: '[ADDR]',
    summary: 'serve the root to a browser and to programs; only reads',
    details: ['ADDR is host:port, 127.0.0.1:8787 unless given. docs/server.md lists what it answers.'],
    flags: [CONFIG],
    atMost: 1,
    readsConfiguration: true,
    load: () => import('./view.js'),
  },
  {
    name: 'server',
    synopsis: '[ADDR]',
    summary: 'collect, parse and serve in one process',
    flags: [ONCE, JOBS, CONFIG],
    atMost: 1,
    readsConfiguration: true,
    load: () => import('./server.js'),
  },
  {
    name: 'verify',
    synopsis: '[SESSION]',
    summary: 'check landed files and chains; changes nothing',
    flags: [JOBS, JSON_OUT, CONFIG],
    atMost: 1,
    readsConfiguration: true,
    load: () => import('./verify.js'),
  },
  {
    name: 'repack',
    synopsis: 'DEST [SESSION]',
    summary: 're-cut landed files into another root and build its chains',
    flags: [JOBS, JSON_OUT, CONFIG],
    atMost: 2,
    required: { atLeast: 1, message: 'usage: asz repack [-config FILE] DEST [SESSION]' },
    readsConfiguration: true,
    load: () => import('./repack.js'),
  },
  {
    name: 'push',
    synopsis: '',
    summary: 'send what was not sent before to an OTLP receiver, one pass',
    details: ['The receiver is export.otlp.endpoint in asz.yaml; docs/push.md says what it gets.'],
    flags: [CONFIG],
    atMost: 0,
    readsConfiguration: true,
    load: () => import('./push.js'),
  },
  {
    name: 'receive',
    synopsis: '[ADDR]',
    summary: 'listen for what asz push sends, and put it into a storage root',
    details: ['ADDR is host:port of this machine, 127.0.0.1:4318 unless given.'],
    flags: [
      {
        name: 'into',
        kind: 'text',
        value: 'ROOT',
        summary: 'the storage root; made when it is not there; required',
      },
    ],
    atMost: 1,
    readsConfiguration: false,
    load: () => import('./receive.js'),
  },
  {
    name: 'scenario build',
    synopsis: 'FILE...',
    summary: 'turn scenarios into the files their sessions would leave behind',
    details: ['A folder stands for the scenarios in it. docs/scenarios.md explains the language.'],
    flags: [
      {
        name: 'format',
        kind: 'text',
        value: 'FORMAT',
        summary: "claude-code: the agent's files; sd: landed files",
      },
      {
        name: 'out',
        kind: 'text',
        value: 'DIR',
        summary: 'the storage root to build; required, as is --format',
      },
      {
        name: 'at',
        kind: 'text',
        value: 'TIME',
        summary: 'when the first step happens, RFC 3339; default: now',
      },
      ...SCENARIO_CLOCK,
      {
        name: 'repeat',
        kind: 'count',
        value: 'N',
        summary: 'sessions per scenario, end to end on the clock',
      },
      {
        name: 'through',
        kind: 'text',
        value: 'CHECKPOINT',
        summary: 'end after the step with this checkpoint',
      },
      { name: 'every', kind: 'text', value: 'DURATION', summary: 'a session per period; not built yet' },
      {
        name: 'remove',
        kind: 'text',
        value: 'POLICY',
        summary: 'what happens once a session is sent; not built yet',
      },
    ],
    atMost: Number.POSITIVE_INFINITY,
    readsConfiguration: false,
    load: () => import('./scenario-build.js'),
  },
  {
    name: 'scenario check',
    synopsis: 'FILE',
    summary: 'run a scenario as a test, against its expectation and every property',
    details: ['The expectation is NAME.expect.yaml beside NAME.yaml. Exits 1 when anything differs.'],
    flags: [
      { name: 'format', kind: 'text', value: 'FORMAT', summary: 'claude-code, sd, or all (default)' },
      { name: 'expect', kind: 'text', value: 'FILE', summary: 'another expectation' },
      {
        name: 'without',
        kind: 'text',
        value: 'WORDS',
        summary: 'pass over what is asserted of view, push, or both',
      },
      {
        name: 'out',
        kind: 'text',
        value: 'DIR',
        summary: 'where to work; default: a folder kept only on failure',
      },
      {
        name: 'at',
        kind: 'text',
        value: 'TIME',
        summary: 'when the first step happens; default: 2026-01-01T00:00:00Z',
      },
      ...SCENARIO_CLOCK,
      { name: 'remove', kind: 'text', value: 'POLICY', summary: 'refused: it is for scenario build' },
    ],
    atMost: 1,
    readsConfiguration: false,
    load: () => import('./scenario-check.js'),
  },
  {
    name: 'glossary',
    synopsis: '',
    summary: "the runtime's words for the model's names",
    flags: [JSON_OUT],
    atMost: 0,
    readsConfiguration: false,
    load: () => import('./glossary.js'),
  },
  {
    name: 'version',
    synopsis: '',
    summary: 'print the version on one line',
    flags: [JSON_OUT],
    atMost: 0,
    readsConfiguration: false,
    load: () => import('./version.js'),
  },
  {
    name: 'help',
    synopsis: '[COMMAND]',
    summary: 'print the commands, or the flags of one',
    flags: [],
    atMost: 2,
    readsConfiguration: false,
    load: () => import('./help.js'),
  },
];

/** Flags that every command which reads the configuration accepts; one without a use for them ignores them. */
export const ACCEPTED_EVERYWHERE: readonly Flag[] = [
  ONCE,
  TERMS,
  JSON_OUT,
  { name: 'yaml', kind: 'switch', summary: '' },
  CONFIG,
];

/** The command of this name, or `undefined`. */
export function commandNamed(name: string): Command | undefined {
  return COMMANDS.find((command) => command.name === name);
}
