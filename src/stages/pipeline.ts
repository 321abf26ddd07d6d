/**
 * The pipeline of assembly: index entries in, entities out. The order of the stages is forced, each depends on
 * those before it (seeds, "The pipeline").
 */
import { Readable, type Transform } from 'node:stream';
import type { SessionIndex } from '../format/session-index.js';
import { SessionModel } from './session-model.js';
import { barrier, streaming } from './stage.js';
import { Steps } from './steps.js';

export interface Assembly {
  /** The streams in order, for `stream.pipeline`: pages of entries, eight stages, steps. Put a sink behind. */
  readonly streams: readonly [NodeJS.ReadableStream, ...Transform[]];
  readonly model: SessionModel;
  /** The last of the streams; its `counts` are known when it has ended. */
  readonly steps: Steps;
}

export interface AssemblyOptions {
  readonly conversation: string;
  /** Highest landed sequence assembly may know of. */
  readonly watermark: number;
  /** Entries per page; only the tests set it. */
  readonly pageEntries?: number;
}

/** Builds the streams of one assembly of a whole session. Nothing flows until they are piped. */
export function assemble(index: SessionIndex, options: AssemblyOptions): Assembly {
  const model = new SessionModel(index, options.conversation);
  const steps = new Steps(model);
  const pages = model.advance(options.watermark, options.pageEntries);
  return { model, steps, streams: [streamOf(pages), ...stagesOf(model), steps] };
}

/** The eight stages over a model, in their order. */
export function stagesOf(model: SessionModel): Transform[] {
  return [
    streaming(model.records), //  1  the first copy of every record
    barrier(model.streams), //    2  streams, their order and roles, the session's title and times
    streaming(model.calls), //    3  fragments of one provider call
    streaming(model.tools), //    4  a request and its result
    barrier(model.children), //   5  the call that started a child stream
    streaming(model.epochs), //   6  context epochs, cut at explicit resets
    barrier(model.talks), //      7  talks and runs, the container of every record
    streaming(model.segments), // 8  activity windows of the main stream
  ];
}

/** A generator of pages as a stream. */
export function streamOf<T>(items: Iterable<T> | AsyncIterable<T>): Readable {
  return Readable.from(items, { objectMode: true, highWaterMark: 4 });
}
