/**
 * What assembly knows of one session. The index is given; each stage fills in its own part and only that part,
 * and later stages read it. Numbers everywhere: entries, blocks, streams, runs and so on are places in columns.
 */
import type { Ref } from '../format/session-flow.js';
import { entriesThrough, type SessionIndex, seqOf } from '../format/session-index.js';
import { CanonicalRecords } from './canonical-records.js';
import { ChildAgents } from './child-agents.js';
import { Epochs } from './epochs.js';
import { ProviderCalls } from './provider-calls.js';
import { Segments } from './segments.js';
import { Streams } from './streams.js';
import { Talks } from './talks.js';
import { Tools } from './tools.js';
import { UnresolvedEntries } from './unresolved-entries.js';

export class SessionModel {
  readonly index: SessionIndex;
  readonly conversation: string;
  /** Highest landed sequence assembly may know of. Fixed before anything is read. */
  readonly watermark: number;
  /** Entries at or below the watermark: 0 to this. Those above do not exist for any stage. */
  readonly entries: number;

  readonly records: CanonicalRecords;
  readonly streams: Streams;
  readonly calls: ProviderCalls;
  readonly tools: Tools;
  readonly children: ChildAgents;
  readonly epochs: Epochs;
  readonly talks: Talks;
  readonly segments: Segments;
  readonly unresolved = new UnresolvedEntries();

  constructor(index: SessionIndex, conversation: string, watermark: number) {
    this.index = index;
    this.conversation = conversation;
    this.watermark = watermark;
    this.entries = entriesThrough(index, watermark);
    this.records = new CanonicalRecords(this);
    this.streams = new Streams(this);
    this.calls = new ProviderCalls(this);
    this.tools = new Tools(this);
    this.children = new ChildAgents(this);
    this.epochs = new Epochs(this);
    this.talks = new Talks(this);
    this.segments = new Segments(this);
  }

  /** The reference to an entry's record. */
  ref(entry: number): Ref {
    return { seq: seqOf(this.index, entry), row: this.index.row[entry]! };
  }

  /** The reference to a content block of a record. */
  blockRef(block: number): Ref {
    const entry = this.index.blockEntry[block]!;
    return { ...this.ref(entry), block: block - this.index.firstBlock[entry]! };
  }

  /** Name of an entry's stream, empty when it names none. */
  streamName(entry: number): string {
    return this.index.strings.stream.at(this.index.stream[entry]!);
  }
}
