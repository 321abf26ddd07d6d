/**
 * What a node of the tree says, in a few plain words behind its id, so that a reader who knows none of the terms
 * sees what happened: who asked what, which tool ran, what came back.
 */

import type { SdRecordRead } from '../format/session-data.js';
import type { Attributes, Node, Ref } from '../format/session-flow.js';
import type { LandedRecords } from '../io/landed-records.js';
import { shortened } from './print.js';

const LIMIT = 64;

export class NodeWords {
  readonly #records: LandedRecords;

  constructor(records: LandedRecords) {
    this.#records = records;
  }

  /** The words of a node; empty when there is nothing to add. Text that cannot be read is left out. */
  of(node: Node): string {
    const attrs = (node.attrs ?? {}) as Attributes;
    switch (node.kind) {
      case 'session':
        return quoted(attrs.title);
      case 'stream':
        return [ROLES[String(attrs.role)] ?? '', quoted(attrs.label)]
          .filter((words) => words !== '')
          .join(' ');
      case 'epoch':
        return attrs.reset === 'none' ? '' : 'after a context reset';
      case 'talk':
        return attrs.trigger === 'external' ? 'begun by a person or caller' : 'delegated by the parent agent';
      case 'run':
        return attrs.trigger === 'external' ? '' : 'resumed without new input';
      case 'segment':
        return 'a window of activity';
      case 'llm.call':
        return attrs.usage === 'unavailable' ? 'unfinished' : '';
      case 'tool':
      case 'agent.call':
        return `${String(attrs.name)} ${this.#input(node.ref)}${RESULTS[String(attrs.result_join)] ?? ''}`;
      case 'agent.output':
        return `returned: ${this.#text(node.ref)}`;
      default:
        return this.#text(node.ref);
    }
  }

  #input(ref: Ref | undefined): string {
    const part = this.#record(ref)?.parts[ref?.block ?? -1];
    return part?.data === undefined ? '' : shortened(JSON.stringify(part.data), LIMIT);
  }

  /** The text of the block a node refers to, or of the first block of its record that has any. */
  #text(ref: Ref | undefined): string {
    const parts = this.#record(ref)?.parts ?? [];
    const part = ref?.block === undefined ? parts.find(({ text }) => text !== '') : parts[ref.block];
    if (part === undefined || part.k === 'unknown') return '';
    return part.text === '' ? '' : quoted(part.text.replaceAll(/\s+/g, ' ').trim());
  }

  #record(ref: Ref | undefined): SdRecordRead | undefined {
    return ref === undefined ? undefined : this.#records.at(ref.seq, ref.row);
  }
}

const ROLES: Readonly<Record<string, string>> = {
  main: 'the conversation itself',
  child: 'a child agent',
  auxiliary: "a tool's own model calls",
};

const RESULTS: Readonly<Record<string, string>> = {
  unresolved: '  (no result)',
  exact_ambiguous: '  (several results)',
};

function quoted(text: unknown): string {
  return typeof text === 'string' && text !== '' ? `“${shortened(text, LIMIT)}”` : '';
}
