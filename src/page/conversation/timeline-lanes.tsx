import type { ReadonlySignal } from '@preact/signals';
import type { Stream } from '../../format/view-document.js';
import { type Clip, type ClipLayout, clipsIn } from '../model/clips.js';
import { isFailure } from '../model/filters.js';
import { countText } from '../model/quantity-text.js';
import type { Selection, SelectionEdge } from '../model/selection-edges.js';
import { lastIndex } from '../model/time-axis.js';
import { clipHint, clipText } from './clip-words.js';
import type { Window } from './scrolled-view.js';

export const LANE_PX = 27;

export interface LanesProps {
  readonly id: string;
  readonly layout: ClipLayout;
  readonly selection: Selection;
  readonly selected: string | null;
  /** Dims what does not touch the selection. */
  readonly fades: boolean;
  readonly window: ReadonlySignal<Window>;
  readonly onSelect: (id: string) => void;
  readonly onOpenStreams: (streams: readonly Stream[]) => void;
}

/** The lanes that are used, each with its clips in the window. Inside a list box that knows which one is selected. */
export function Lanes(props: LanesProps) {
  const { layout, selection } = props;
  const window = props.window.value;
  return (
    <>
      {layout.lanes.map(({ lane, title, count, clips }) => (
        // biome-ignore lint/a11y/useSemanticElements: a list box holds groups of options, and no field set
        <div
          key={lane}
          class={`lane lane-${lane}`}
          style={{ height: `${LANE_PX}px` }}
          role="group"
          aria-label={title}
        >
          <div class="lane-title" aria-hidden="true">
            <span class="lane-name">{title}</span> <span class="lane-count number">{countText(count)}</span>
          </div>
          <div class="lane-track">
            {clipsIn(clips, window.from, window.to).map((clip) => (
              <ClipBox key={clip.key} clip={clip} among={clips} {...props} />
            ))}
          </div>
        </div>
      ))}
      <Edges edges={selection.edges} layout={layout} window={window} />
    </>
  );
}

/** No two clips of a lane stand at one px. */
export function clipId(id: string, { lane, left }: Clip): string {
  return `${id}-${lane}-${Math.floor(left)}`;
}

function ClipBox({
  id,
  clip,
  among,
  selection,
  selected,
  fades,
  onSelect,
  onOpenStreams,
}: LanesProps & { readonly clip: Clip; readonly among: readonly Clip[] }) {
  const { lane, left, width, moments, streams } = clip;
  const picked = moments.find(({ node }) => node.id === selected);
  const shown = picked ?? moments[0]!;
  const isFaded = fades && selection.touched.size > 0 && !selection.touched.has(clip);
  const classes = [
    'clip',
    ...(picked === undefined ? [] : ['selected']),
    ...(isFaded ? ['faded'] : []),
    ...(moments.some(({ node }) => isFailure(node)) ? ['failed'] : []),
    ...(shown.isObserved ? [] : ['untimed']),
  ];
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: the list box around it has the focus, and names the selected one
    // biome-ignore lint/a11y/useKeyWithClickEvents: for the same reason
    <div
      id={clipId(id, clip)}
      role="option"
      aria-selected={picked !== undefined && lane !== 'nested'}
      aria-posinset={lastIndex(among, ({ left }) => left < clip.left) + 2}
      aria-setsize={among.length}
      aria-label={clipHint(clip, shown.node)}
      title={clipHint(clip, shown.node)}
      class={classes.join(' ')}
      style={{ left: `${left}px`, width: `${width}px` }}
      onClick={() => onSelect(shown.node.id)}
      onDblClick={lane === 'nested' ? () => onOpenStreams(streams) : undefined}
    >
      <span class="clip-text">{clipText(clip, shown.node)}</span>
      {moments.length > 1 && lane !== 'nested' ? (
        <span class="clip-more number">{moments.length}</span>
      ) : null}
    </div>
  );
}

/** Lines of the selection, drawn over the lanes in the window only. */
function Edges(props: { edges: readonly SelectionEdge[]; layout: ClipLayout; window: Window }) {
  const { edges, layout, window } = props;
  const lanes = layout.lanes.map(({ lane }) => lane);
  const width = window.to - window.from;
  const height = lanes.length * LANE_PX;
  const middle = ({ left, width }: Clip) => left + width / 2 - window.from;
  const row = ({ lane }: Clip) => (lanes.indexOf(lane) + 0.5) * LANE_PX;
  const shown = edges.filter(({ from, to }) => {
    const [a, b] = [middle(from), middle(to)];
    return Math.max(a, b) >= 0 && Math.min(a, b) <= width;
  });
  if (shown.length === 0) return null;
  return (
    <svg
      class="timeline-edges"
      aria-hidden="true"
      style={{ left: `${window.from}px` }}
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
    >
      <defs>
        <marker
          id="edge-end"
          viewBox="0 0 8 8"
          refX="7"
          refY="4"
          markerWidth="7"
          markerHeight="7"
          orient="auto"
        >
          <path d="M0 0 8 4 0 8Z" />
        </marker>
      </defs>
      {shown.map(({ from, to, line, type }) => {
        const [x1, y1, x2, y2] = [middle(from), row(from), middle(to), row(to)];
        // Two clips of one lane are joined by a bow under it, others by a curve from one lane to the other.
        const bend = y1 === y2 ? y1 + LANE_PX * 0.9 : (y1 + y2) / 2;
        return (
          <path
            key={`${from.key} ${to.key} ${line} ${type}`}
            class={`edge ${line}`}
            d={`M${x1} ${y1}C${x1} ${bend} ${x2} ${bend} ${x2} ${y2}`}
            marker-end={line === 'faint' ? undefined : 'url(#edge-end)'}
          />
        );
      })}
    </svg>
  );
}
