/**
 * Every entity is written by its owner. Here is which part of the model speaks for which kind of owner, and in
 * which order owners of a kind are gone through. Only where two of them write one id does the order matter: of
 * nodes the later one stays, of unresolved entries the first reason (assembly spec, "Remaining steps").
 */
import { TRIGGER_NOTIFICATION } from '../format/index-entry.js';
import { compareCodePoints } from '../format/json-text.js';
import type { StringTable } from '../format/string-table.js';
import type { OwnerKind } from './changed.js';
import { emitDelegationStep, emitOutput } from './delegation.js';
import type { EntitySink } from './entity-sink.js';
import { emitRecordSteps } from './record-steps.js';
import type { SessionModel } from './session-model.js';

export interface OwnerRules {
  /** All owners of the kind, in order. */
  all(model: SessionModel): Iterable<number>;
  /**
   * Those of them that may write an id which another one writes too; left out for a kind of few owners, where any
   * may. To name too many costs time and nothing else.
   */
  sharing?(model: SessionModel): Iterable<number>;
  /** Negative when `a` comes before `b` in that order. */
  compare(model: SessionModel, a: number, b: number): number;
  /** Writes the entities of an owner; nothing for one that is no more. */
  emit(model: SessionModel, owner: number, sink: EntitySink): void;
}

const byStreamName: OwnerRules['compare'] = ({ streams }, a, b) => streams.order[a]! - streams.order[b]!;
const byNumber: OwnerRules['compare'] = (_, a, b) => a - b;

/** Ids are made of these strings, so two are one id only when a `/` in one of them has become a `_`. */
function* unlessIdsAreTexts(strings: StringTable, owners: () => Iterable<number>): Generator<number> {
  if (strings.holdsSlash()) yield* owners();
}

/** The rules of each kind. The kinds stand in the order of `OWNER_KINDS`. */
export const OWNERS: Readonly<Record<OwnerKind, OwnerRules>> = {
  session: {
    all: () => [0],
    compare: byNumber,
    emit: (model, _, sink) => model.streams.emitSession(sink),
  },
  stream: {
    all: (model) => model.streams.inOrder(),
    compare: byStreamName,
    emit: (model, stream, sink) => model.streams.emit(stream, sink),
  },
  epoch: {
    all: (model) => model.epochs.inOrder(),
    compare: (model, a, b) => model.epochs.compare(a, b),
    emit: (model, place, sink) => model.epochs.emit(place, sink),
  },
  talk: {
    all: (model) => model.talks.inOrder(),
    compare: (model, a, b) => model.talks.compare(a, b),
    emit: (model, place, sink) => model.talks.emit(place, sink),
  },
  run: {
    all: (model) => model.talks.runsInOrder(),
    compare: (model, a, b) => model.talks.compareRuns(a, b),
    emit: (model, place, sink) => model.talks.emitRun(place, sink),
  },
  segment: {
    all: (model) => model.segments.inOrder(),
    compare: byNumber,
    emit: (model, opening, sink) => model.segments.emit(opening, sink),
  },
  call: {
    all: (model) => model.calls.inOrder(),
    sharing: (model) => unlessIdsAreTexts(model.index.strings.call, () => model.calls.inOrder()),
    compare: ({ index: { strings } }, a, b) => compareCodePoints(strings.call.at(a), strings.call.at(b)),
    emit: (model, call, sink) => model.calls.emit(call, sink),
  },
  tool: {
    all: (model) => model.tools.inOrder(),
    sharing: (model) => unlessIdsAreTexts(model.index.strings.tool, () => model.tools.inOrder()),
    compare: ({ index: { strings } }, a, b) => compareCodePoints(strings.tool.at(a), strings.tool.at(b)),
    emit: (model, tool, sink) => model.tools.emit(tool, sink),
  },
  child: {
    all: (model) => model.children.inOrder(),
    compare: byStreamName,
    emit: (model, child, sink) => model.children.emit(child, sink),
  },
  output: {
    all: (model) => model.streams.inOrder(),
    compare: byStreamName,
    emit: emitOutput,
  },
  entry: {
    all: (model) => numbersTo(model.entries),
    sharing: notifications,
    compare: byNumber,
    emit: emitEntry,
  },
};

/** The steps a record gives by itself. */
function emitEntry(model: SessionModel, entry: number, sink: EntitySink): void {
  if (!model.records.isCanonical(entry)) return;
  model.calls.emitLoose(entry, sink);
  model.epochs.emitStep(entry, sink);
  emitDelegationStep(model, entry, sink);
  emitRecordSteps(model, entry, sink);
}

/** Every step of a record has its position in its id; but two notifications may miss the same child. */
function* notifications({ entries, index }: SessionModel): Generator<number> {
  for (let entry = 0; entry < entries; entry++)
    if (index.trigger[entry] === TRIGGER_NOTIFICATION) yield entry;
}

function* numbersTo(count: number): Generator<number> {
  for (let number = 0; number < count; number++) yield number;
}
