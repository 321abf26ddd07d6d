/**
 * What other programs may use of asz. Everything behind it can change; these names stay. The command line is
 * another door to the same rooms: whatever a command does is one of these calls and a page of printing.
 */

// Session Data, the evidence (docs/format-sd.md).

/** What is written, key by key in the order of the bytes; and what is read, with every absent value filled in. */
export type {
  SdClosing,
  SdHeader,
  SdHeaderRead,
  SdPart,
  SdPartRead,
  SdRecord,
  SdRecordRead,
} from './format/session-data.js';
/** A line of a landed file each, written and read back; `FormatError` names the rule that a line breaks. */
export {
  isClosing,
  readClosing,
  readHeader,
  readRecord,
  writeClosing,
  writeHeader,
  writeRecord,
} from './format/session-data.js';
/** Reads a whole landed file in one pass and checks both of its digests. */
export { type LandedSummary, type LandedVisitor, readLandedFile } from './io/landed-file.js';
/** The records of a session by landed position, as the references of rounds name them. */
export { LandedRecords } from './io/landed-records.js';
/** Builds a landed file and publishes it whole, or not at all. */
export { LandedWriter, type PublishedFile } from './io/landed-writer.js';

// Session Flow, the conversation (docs/format-sf.md).

/** Entities from what they say, serialised once and compared as bytes; and their lines in a round. */
export { Entity, EntityWriter } from './format/entity.js';
/** The bytes of a round as a round; refuses whatever a correct writer never makes. */
export { type Round, readRound } from './format/round-reader.js';
/** The shapes of the frames. */
export type { Header, Node, Ref, Relation, Unresolved } from './format/session-flow.js';
/** The other two lines of a round. */
export { commitLine, headerLine } from './format/session-flow.js';
/** The containment tree of a fold, in the order people read it. */
export { type Tree, treeOf } from './rounds/display-order.js';
/** The conversation as of a round; refuses a round that does not follow. */
export { Fold } from './rounds/fold.js';
/** Folds a chain from its directory; the second stops at the first thing wrong between two rounds. */
export { foldChain, foldChainStrictly } from './rounds/read-chain.js';
/** Frames in, the bytes of a round out, digested on the way. */
export { RoundSerializer } from './rounds/serializer.js';

// The index, derived and disposable (docs/format-index.md).

/** The lines of `asz index cat`, and their reader. */
export { IndexLinesReader, indexEntryLine, indexHeaderLine } from './format/index-lines.js';
/** An index from records, or from the lines of `asz index cat`. */
export { IndexBuilder, type SessionIndex } from './format/session-index.js';
/** The index of a session from disk, or `undefined`; and one that is built again when it must be. */
export { loadIndex, openIndex } from './io/index-store.js';

// The work.

/** What an agent's adapter gives (docs/adapters.md). */
export type { Adapter, CollectingAdapter, Discovery, Source, SourceUnit } from './adapters/adapter.js';
/** The adapters there are, and the one of a name or of a landed dialect. */
export { ADAPTERS, adapterNamed, adapterOfDialect } from './adapters/registry.js';
/** One pass of the collector: lands from every source, then parses what moved. */
export { collectPass, type PassOptions, type PassReport, type PassSource } from './collector/pass.js';
/** Where everything lies in a storage root, and what is there. */
export {
  listConversations,
  listLandedFiles,
  listSessions,
  roundsFolder,
  sessionFolder,
} from './io/storage-root.js';
/** What a collector remembers between its passes. */
export { CollectorMemory } from './landing/collect-root.js';
/** A storage root cut anew into another, its chains built again. */
export { type RepackOptions, type RepackReport, repackRoot } from './repack/repack-root.js';
/** What became of one session in it. */
export type { RepackedSession } from './repack/repack-session.js';
/** The next round of a chain, built and not published; touches no file. */
export { type BuiltRound, type NextRound, nextRound, type RoundOptions } from './rounds/next-round.js';
/** Parses a session until its chain has reached the index, under the chain's lock. */
export { type ParseOptions, type ParseReport, parseOnce, parseSession } from './rounds/parse-session.js';
/** What is wrong with a chain, held against its landed files: findings, not exceptions. Repairs nothing. */
export { type ChainReport, verifyChain } from './rounds/verify-chain.js';
/** What is wrong with a session's landed files, and their digests. Repairs nothing. */
export { type LandedReport, verifyLanded } from './rounds/verify-landed.js';
/** Index entries in, entities out: the eight stages, to be put in front of a sink with `stream.pipeline`. */
export { type Assembly, type AssemblyOptions, assemble } from './stages/pipeline.js';
/** A conversation as one document: built from rounds and landed files, then written in pieces of JSON. */
export { documentBytes } from './view/document.js';
export { buildView, type View } from './view/view.js';

// Times and errors.

/** Every error asz throws on purpose; `code` is for programs, `message` for people. */
export {
  AszError,
  ChainError,
  ConfigError,
  FormatError,
  LockedError,
  StorageError,
  UsageError,
} from './format/errors.js';
/** Instants exact to the nanosecond. */
export { formatTime, type Instant, parseTime } from './format/time.js';
export type { ViewDocument, ViewState } from './format/view-document.js';
