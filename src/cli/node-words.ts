/**
 * What a node of the tree says, in a few plain words behind its id, so that a reader who knows none of the terms
 * sees what happened: who asked what, which tool ran, what came back. And each term of the counts, explained.
 */
import { compactJson, scanJson } from '../format/json-scan.js';
import { dataSlices, type SdRecordRead } from '../format/session-data.js';
import type { Attributes, Node, Ref, Relation } from '../format/session-flow.js';
import type { LandedRecords } from '../io/landed-records.js';
import type { Tree } from '../rounds/display-order.js';
import type { Fold } from '../rounds/fold.js';
import { shortened } from './print.js';

const LIMIT = 64;
/** What was asked of a tool and what came back share a line. */
const INPUT_LIMIT = 56;
const RESULT_LIMIT = 40;

export class NodeWords {
  readonly #records: LandedRecords;
  readonly #tree: Tree;
  /** The streams a call started, and the number of talks in a window. */
  readonly #started = new Map<string, string[]>();
  readonly #talks = new Map<string, number>();

  constructor(records: LandedRecords, fold: Fold, tree: Tree) {
    this.#records = records;
    this.#tree = tree;
    for (const entity of fold.entities.relation.values()) {
      const { type, from, to } = entity.members<Relation>();
      if (type === 'starts') this.#started.set(from, [...(this.#started.get(from) ?? []), to]);
      if (type === 'in_segment') this.#talks.set(to, (this.#talks.get(to) ?? 0) + 1);
    }
  }

  /** The words of a node; empty when there is nothing to add. Text that cannot be read is left out. */
  of(node: Node): string {
    const attrs = (node.attrs ?? {}) as Attributes;
    switch (node.kind) {
      case 'session':
        return quoted(attrs.title);
      case 'stream':
        return joined(ROLES[String(attrs.role)] ?? '', quoted(attrs.label));
      case 'epoch':
        return attrs.reset === 'none' ? 'the context from the beginning' : 'a new context, after a reset';
      case 'talk':
        return this.#talk(node, attrs.trigger === 'external');
      case 'run':
        return attrs.trigger === 'external' ? 'the agent works on it' : 'the agent goes on by itself';
      case 'segment':
        return `a window of activity, talks in it: ${this.#talks.get(node.id) ?? 0}`;
      case 'llm.call':
        return joined(
          this.#record(node.ref)?.model ?? '',
          attrs.usage === 'unavailable' ? '(unfinished)' : '',
        );
      case 'thinking':
        return this.#text(node.ref) || '(its text was not recorded)';
      case 'tool':
        return `${String(attrs.name)}${this.#input(node.ref)}${this.#result(node, attrs)}`;
      case 'agent.call':
        return `${String(attrs.name)}${this.#input(node.ref)}${this.#starts(node.id)}`;
      case 'agent.output':
        return `returned: ${this.#text(node.ref)}`;
      default:
        return this.#text(node.ref) || (NOTES[node.kind] ?? '');
    }
  }

  /** What was asked: the input of the main stream's talk, the prompt a child begins with. */
  #talk(node: Node, external: boolean): string {
    if (!external) return joined('the parent agent asked:', this.#text(node.ref));
    for (const run of this.#tree.childrenOf(node.id))
      for (const step of this.#tree.childrenOf(run.id))
        if (step.kind === 'message.external') return joined('asked:', this.#text(step.ref));
    return 'begun from outside';
  }

  #input(ref: Ref | undefined): string {
    const line = ref?.block === undefined ? undefined : this.#records.lineAt(ref.seq, ref.row);
    const data = line === undefined ? undefined : dataSlices(line)[ref!.block!];
    const words = data === undefined ? '' : spoken(compactJson(data));
    return words === '' ? '' : ` ${shortened(words, INPUT_LIMIT)}`;
  }

  #result({ refs = [] }: Node, { result_join: join }: Attributes): string {
    if (join !== 'exact_unique') return RESULTS[String(join)] ?? '';
    const part = this.#part(refs[1]);
    if (part === undefined) return '';
    const words = part.text ? quoted(part.text, RESULT_LIMIT) : 'done';
    return part.failed === true ? `  → failed: ${words}` : `  → ${words}`;
  }

  #starts(call: string): string {
    const streams = this.#started.get(call) ?? [];
    return streams.length === 0 ? '' : `  → starts ${shortened(streams.join(', '), LIMIT)}`;
  }

  /** The text of the block a node refers to, or of the first block of its record that has any. */
  #text(ref: Ref | undefined): string {
    const parts = this.#record(ref)?.parts ?? [];
    const part = ref?.block === undefined ? parts.find(({ text }) => text) : parts[ref.block];
    if (part === undefined || part.k === 'unknown' || !part.text) return '';
    // Claude Code wraps the news of a background task in tags, ids first and the sentence for people last.
    return quoted(/<summary>(.+?)<\/summary>/s.exec(part.text)?.[1] ?? part.text);
  }

  #part(ref: Ref | undefined): PartRead | undefined {
    return ref?.block === undefined ? undefined : this.#record(ref)?.parts[ref.block];
  }

  #record(ref: Ref | undefined): SdRecordRead | undefined {
    return ref === undefined ? undefined : this.#records.at(ref.seq, ref.row);
  }
}

type PartRead = SdRecordRead['parts'][number];

const ROLES: Readonly<Record<string, string>> = {
  main: 'the conversation itself',
  child: 'a child agent',
  auxiliary: "a tool's own model calls",
};

const RESULTS: Readonly<Record<string, string>> = {
  unresolved: '  (no result)',
  exact_ambiguous: '  (several results)',
};

/** For steps whose record holds no text of its own. */
const NOTES: Readonly<Record<string, string>> = {
  'error.api': 'the provider or the client reported an error',
  'turn.duration': 'the client noted how long it took',
  'control.command': 'a command given to the client',
  'control.notice': 'a notice of the client',
  'epoch.boundary': 'the context was reset here',
  'agent.launch_ack': 'a child agent was started',
};

/** What a word of the counts means, in a few words for somebody who meets it for the first time. */
export const MEANINGS: Readonly<Record<string, string>> = {
  session: 'all that is recorded under one session id',
  stream: 'what one agent did, in order',
  epoch: 'what happened between two resets of the context',
  segment: 'a window of activity, ended by a pause of over ten minutes',
  talk: 'an exchange, from its input to the end of the work on it',
  run: 'one go of the agent within a talk',
  'llm.call': 'one answer of the model',
  'message.assistant': 'text the model wrote',
  'message.synthetic': "text the client wrote in the model's name",
  thinking: 'the model reasoning',
  tool: 'a tool call, with what came back',
  'agent.call': 'a tool call that started another agent',
  'agent.launch_ack': 'the word that an agent was started',
  'agent.output': 'what a child agent handed back',
  'message.external': 'what a person or caller said',
  'context.injection': 'what the client added for the model to read',
  'runtime.notification': 'the news that something in the background ended',
  'epoch.boundary': 'a reset of the context',
  'epoch.summary': 'what was carried over a reset',
  'error.api': 'an error of the provider',
  'turn.duration': 'how long a turn took',
  'control.command': 'a command given to the client',
  'control.notice': 'a notice of the client',
  starts: 'this call started that stream',
  reports: 'this notification is about that stream',
  ends_with: 'this stream ended with that',
  result_of: 'this came back as the result of that call',
  follows: 'this epoch came after that one',
  summarizes: 'this summary belongs to that reset',
  in_segment: 'this talk lies in that window',
  exact_unique: 'an identifier says so, and only one fits',
  exact_ambiguous: 'an identifier says so, but several fit',
  strong_inference: 'no identifier says so, the records imply it',
  weak_inference: 'a guess from circumstances',
  unresolved: 'not found',
  conflict: 'the records contradict each other',
};

/** Input as words: what JSON has to quote and bracket at the top is left out, and the rest stands as it landed. */
function spoken(json: string): string {
  if (!json.startsWith('{')) return oneLine(json);
  return oneLine(Array.from(membersIn(json), ([key, value]) => `${key}: ${unquoted(value)}`).join(', '));
}

/** The members of an object without white space between tokens, in their order and with every repeat. */
function* membersIn(json: string): Generator<readonly [string, string]> {
  for (let at = 1; json[at] === '"'; ) {
    const key = scanJson(json, {}, at);
    const value = scanJson(json, {}, key.end + 1);
    yield [unquoted(json.slice(key.start, key.end)), json.slice(value.start, value.end)];
    at = value.end + 1;
  }
}

function unquoted(json: string): string {
  return json.startsWith('"') ? (JSON.parse(json) as string) : json;
}

function quoted(text: unknown, limit = LIMIT): string {
  const line = typeof text === 'string' ? oneLine(text) : '';
  return line === '' ? '' : `“${shortened(line, limit)}”`;
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}

function joined(...words: readonly string[]): string {
  return words.filter((word) => word !== '').join(' ');
}
