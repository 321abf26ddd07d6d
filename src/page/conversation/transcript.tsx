/** The stream in view, talk after talk; only the rows in sight are drawn. */
import { computed } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { ViewNode } from '../../format/view-document.js';
import { excerptOf } from '../model/clipped.js';
import type { Row } from '../model/row-list.js';
import { transcriptOf } from '../model/transcript-rows.js';
import { VirtualRows } from '../shared/virtual-rows.js';
import { RowCard } from './row-card.js';
import { filter, folds, outline, sought, stream } from './state.js';

const transcript = computed(() =>
  transcriptOf({ outline: outline.value, stream: stream.value, folds: folds.value, filter: filter.value }),
);

/** The row that is to be brought into view, looked up when it is asked for: rows move, an asking does not. */
const soughtRow = computed(() => {
  const wanted = sought.value;
  if (wanted === undefined) return undefined;
  const now = transcript.peek();
  const index = now.at(wanted.id);
  if (index === undefined) return undefined;
  return { index, align: heightOf(now.rows[index]!) > TALL_PX ? ('start' as const) : ('center' as const) };
});

export function Transcript() {
  const wanted = soughtRow.value;
  // Where all is one column, the reader may be below the transcript.
  useEffect(() => {
    if (wanted !== undefined) document.getElementById('view')?.scrollIntoView({ block: 'nearest' });
  }, [wanted]);
  return (
    <VirtualRows
      rows={transcript.value.rows}
      of={stream.value}
      estimate={heightOf}
      draw={draw}
      sought={wanted}
      label="Transcript"
      class="transcript"
    />
  );
}

const draw = (row: Row) => <RowCard row={row} />;

/** The middle of a tall row is not where one begins to read it. */
const TALL_PX = 240;
const LINE_PX = 19;
const UNITS_A_LINE = 110;

/** About how high a row will be: the better the guess, the steadier the bar of the scroll. */
function heightOf(row: Row): number {
  if (row.t === 'input') return 62 + textHeight(row.talk.label, 'message.external');
  if (row.t === 'reply') return 62 + textHeight(row.talk.reply, 'message.assistant');
  if (row.t === 'reset') return 90 + textHeight(row.summary?.text, 'epoch.summary');
  if (row.t === 'banner' || row.t === 'outside') return 110;
  return row.t === 'step' ? stepHeight(row.node) : 34;
}

/** Rows come and go with every fold, and then all are guessed again. */
const heights = new WeakMap<ViewNode, number>();

function stepHeight(node: ViewNode): number {
  const { kind, text, result } = node;
  const height =
    heights.get(node) ??
    (kind === 'llm.call'
      ? 30
      : 46 + textHeight(text, kind) + (result === undefined ? 0 : 50 + textHeight(result, 'result')));
  heights.set(node, height);
  return height;
}

function textHeight(text: string | undefined, kind: string): number {
  if (text === undefined) return 0;
  const excerpt = excerptOf(text, kind, false);
  const lines = excerpt.text
    .split('\n')
    .reduce((sum, line) => sum + Math.ceil(Math.max(line.length, 1) / UNITS_A_LINE), 0);
  return lines * LINE_PX;
}
