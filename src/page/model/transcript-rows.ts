/**
 * A stream as the rows of its transcript (view spec 9.2): talk after talk, each an input, a fold over what the agent
 * did, and a reply; a context reset where it landed; what stands outside every talk last, and where the chain stops.
 * Rows are data, so that only those in sight are drawn. Cost: what is open is walked, nothing else after the first time.
 */
import type { ViewNode } from '../../format/view-document.js';
import { chainStop } from './doubt.js';
import { type Filter, picksOut, shows, showsKind } from './filters.js';
import { byLanding, isStep, type Outline } from './outline.js';
import { RowList, RunMarks, type Transcript } from './row-list.js';
import { outsideTalks, partsOf } from './talk-parts.js';

/** The key of the fold over what a talk's agent did. */
export function workKey(talk: ViewNode): string {
  return `work:${talk.id}`;
}

export interface Wanted {
  readonly outline: Outline;
  readonly stream: string;
  readonly folds: ReadonlyMap<string, boolean>;
  readonly filter: Filter;
}

export function transcriptOf({ outline, stream, folds, filter }: Wanted): Transcript {
  const list = new RowList(!picksOut(filter));
  const entry = outline.streams.get(stream);
  if (entry !== undefined && entry.role !== 'main') list.add({ t: 'banner', key: 'banner', stream: entry });
  const passages = outline.passagesOf(stream);
  const talks = passages.filter(({ talk }) => talk !== undefined);
  const { resets, outside } = outsideTalks(passages);

  let next = 0;
  const reset = (before: ViewNode | undefined) => {
    for (; next < resets.length; next++) {
      const { boundary, summary } = resets[next]!;
      if (before !== undefined && byLanding(boundary, before) > 0) return;
      if (shows(filter, boundary) || (summary !== undefined && shows(filter, summary)))
        list.reset(boundary, summary);
    }
  };
  for (const passage of talks) {
    const talk = passage.talk!;
    const { opening, closing, behind, failed } = partsOf(passage);
    reset(talk);
    const shown = behind.filter((step) => shows(filter, step));
    const words = [opening, closing].some((node) => node !== undefined && shows(filter, node));
    if (picksOut(filter) && shown.length === 0 && !words) continue;
    list.quietUntil(talk.from ?? talk.at);
    list.add({ t: 'input', key: `input:${talk.id}`, talk, opening }, talk.id, opening?.id);
    const open = picksOut(filter) ? shown.length > 0 : (folds.get(workKey(talk)) ?? false);
    const { runs = 0, steps = 0, tools = 0, from = 0, to = 0 } = talk;
    const tally = {
      steps,
      runs,
      tools,
      ms: from > 0 ? to - from : 0,
      failed,
      shown: passage.steps.filter((step) => shows(filter, step)).length,
    };
    if (behind.length > 0) list.add({ t: 'work', key: workKey(talk), talk, open, tally });
    if (open) {
      const runMarks = new RunMarks(outline, list, (talk.runs ?? 0) > 1);
      for (const step of behind) {
        reset(step);
        if (!shows(filter, step)) {
          list.happened(step);
          continue;
        }
        runMarks.before(step);
        list.step(step, depthOf(outline, step));
      }
      if (!picksOut(filter)) list.add({ t: 'close', key: `close:${talk.id}`, talk });
    }
    list.last(talk.to ?? 0);
    if (talk.reply !== undefined && !filter.failed && showsKind(filter, closing?.kind ?? 'message.assistant'))
      list.add({ t: 'reply', key: `reply:${talk.id}`, talk, closing }, closing?.id);
  }

  const alone = talks.length === 0;
  if (!alone) reset(undefined);
  const loose = outside.flatMap((passage) => passage.steps).filter((step) => shows(filter, step));
  if (loose.length > 0 || (alone && passages.length > 0))
    list.add({ t: 'outside', key: 'outside', steps: loose.length, alone });
  for (const step of loose) {
    if (alone) reset(step);
    list.step(step, depthOf(outline, step));
  }
  reset(undefined);
  const problem = picksOut(filter) ? undefined : chainStop(outline.document);
  if (problem !== undefined)
    list.add({ t: 'stopped', key: 'stopped', round: outline.document.head.round, problem });
  if (list.rows.every(({ t }) => t === 'banner')) list.add({ t: 'nothing', key: 'nothing' });
  return list;
}

/** The steps of a stream as its transcript would show them with everything open. */
export function readingOrder(outline: Outline, stream: string, filter: Filter): readonly ViewNode[] {
  const everywhere = { get: () => true } as unknown as ReadonlyMap<string, boolean>;
  return transcriptOf({ outline, stream, folds: everywhere, filter }).rows.flatMap((row) => {
    if (row.t === 'input') return row.opening ?? row.talk;
    if (row.t === 'reply') return row.closing ?? [];
    if (row.t === 'reset') return row.boundary;
    return row.t === 'step' ? row.node : [];
  });
}

/** How many steps own a step. */
function depthOf(outline: Outline, step: ViewNode): number {
  let depth = 0;
  for (let at = outline.above.get(step); at !== undefined; at = outline.above.get(at))
    depth += Number(isStep(at));
  return depth;
}
