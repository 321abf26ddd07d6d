import type { ReadonlySignal } from '@preact/signals';
import type { Ms, Segment } from '../../format/view-document.js';
import { countOf } from '../model/quantity-text.js';
import { cellsIn, type SegmentCell } from '../model/segment-cells.js';
import { utcText } from '../model/time-text.js';
import { dateText } from '../shared/clock.js';
import type { Window } from './scrolled-view.js';

const ROW_PX = 18;

/** One cell for each segment, above the lanes; pressing one marks its time. */
export function SegmentStrip(props: {
  /** All of the document, which is how they are numbered. */
  readonly segments: readonly Segment[];
  readonly rows: readonly (readonly SegmentCell[])[];
  /** How many talks a segment holds, by its id. */
  readonly talksOf: (id: string) => number;
  readonly window: ReadonlySignal<Window>;
  readonly onMark: (from: Ms, to: Ms) => void;
}) {
  const { segments, rows, talksOf, onMark } = props;
  const nameOf = (cell: SegmentCell) => cellName(cell, segments, talksOf);
  const window = props.window.value;
  return (
    <div class="segment-strip" style={{ height: `${rows.length * ROW_PX}px` }}>
      {rows.flatMap((row, y) =>
        cellsIn(row, window.from, window.to).map((cell) => (
          <button
            key={`${y} ${cell.left}`}
            type="button"
            class="segment-cell"
            style={{ left: `${cell.left}px`, width: `${cell.width}px`, top: `${y * ROW_PX}px` }}
            title={cellHint(cell, nameOf(cell))}
            aria-label={cellHint(cell, nameOf(cell))}
            onClick={() => onMark(cell.segments[0]!.from, Math.max(...cell.segments.map(({ to }) => to)))}
          >
            <span class="segment-name">{nameOf(cell)}</span>
          </button>
        )),
      )}
    </div>
  );
}

function cellName(
  { segments: held }: SegmentCell,
  segments: readonly Segment[],
  talksOf: (id: string) => number,
): string {
  const [first] = held;
  if (held.length > 1) return countOf(held.length, 'segment');
  return `Segment ${segments.indexOf(first!) + 1} · ${countOf(talksOf(first!.id), 'talk')}`;
}

function cellHint(cell: SegmentCell, name: string): string {
  const from = cell.segments[0]!.from;
  const to = cell.segments.reduce((latest, segment) => Math.max(latest, segment.to), from);
  return `${name}, ${dateText(from)} to ${dateText(to)} (${utcText(from)} to ${utcText(to)})`;
}
