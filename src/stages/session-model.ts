/**
 * What assembly knows of one session. The index is given; each stage fills in its own part and only that part,
 * and later stages read it. Numbers everywhere: entries, blocks, streams, runs and so on are places in columns.
 *
 * The model only grows: from checkpoint to checkpoint it takes in more of the landed evidence, and `changed` says
 * what that changed. One checkpoint at the watermark is a full assembly.
 */

import type { Ref } from '../format/session-flow.js';
import { entriesThrough, type SessionIndex, seqOf } from '../format/session-index.js';
import { CanonicalRecords } from './canonical-records.js';
import { Changed } from './changed.js';
import { ChildAgents } from './child-agents.js';
import { Epochs } from './epochs.js';
import { type Page, pagesOf } from './page.js';
import { ProviderCalls } from './provider-calls.js';
import { Segments } from './segments.js';
import { Streams } from './streams.js';
import { Talks } from './talks.js';
import { Tools } from './tools.js';

export class SessionModel {
  readonly index: SessionIndex;
  readonly conversation: string;
  /**
   * Entries at or below the checkpoint: 0 to this. Those above do not exist for any stage: no page has brought
   * them, and every lookup holds only what pages brought.
   */
  entries = 0;

  readonly changed = new Changed();
  readonly records: CanonicalRecords;
  readonly streams: Streams;
  readonly calls: ProviderCalls;
  readonly tools: Tools;
  readonly children: ChildAgents;
  readonly epochs: Epochs;
  readonly talks: Talks;
  readonly segments: Segments;

  constructor(index: SessionIndex, conversation: string) {
    this.index = index;
    this.conversation = conversation;
    this.records = new CanonicalRecords(this);
    this.streams = new Streams(this);
    this.calls = new ProviderCalls(this);
    this.tools = new Tools(this);
    this.children = new ChildAgents(this);
    this.epochs = new Epochs(this);
    this.talks = new Talks(this);
    this.segments = new Segments(this);
  }

  /** The pages from the checkpoint before to the next one, at a landed sequence. A new record is a new owner. */
  *advance(throughSeq: number, pageEntries?: number): Generator<Page> {
    const from = this.entries;
    this.entries = Math.max(from, entriesThrough(this.index, throughSeq));
    for (let entry = from; entry < this.entries; entry++) this.changed.mark('entry', entry);
    yield* pagesOf(from, this.entries, pageEntries);
  }

  /** The reference to an entry's record. */
  ref(entry: number): Ref {
    return { seq: seqOf(this.index, entry), row: this.index.row[entry]! };
  }

  /** The reference to a content block of a record. */
  blockRef(block: number): Ref {
    const entry = this.index.blockEntry[block]!;
    return {
      seq: seqOf(this.index, entry),
      row: this.index.row[entry]!,
      block: block - this.index.firstBlock[entry]!,
    };
  }

  /** Name of an entry's stream, empty when it names none. */
  streamName(entry: number): string {
    return this.index.strings.stream.at(this.index.stream[entry]!);
  }
}
