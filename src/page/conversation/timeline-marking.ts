/** Marking a part of a timeline with the pointer; a short press is none and goes to what is under it. */
import { useRef, useState } from 'preact/hooks';
import type { Ms } from '../../format/view-document.js';
import type { TimeAxis } from '../model/time-axis.js';
import type { ScrolledView } from './scrolled-view.js';

/** A shorter drag is a press. */
const LEAST_DRAG_PX = 5;

export interface Range {
  readonly from: Ms;
  readonly to: Ms;
}

export function useMarking({ now, scroller }: ScrolledView, axis: TimeAxis, titles: number) {
  const [range, mark] = useState<Range | undefined>(undefined);
  const begun = useRef<number | undefined>(undefined);
  const isDragging = useRef(false);
  const xAt = ({ clientX }: PointerEvent) =>
    clientX - scroller.current!.getBoundingClientRect().left - titles + now();
  const end = () => {
    begun.current = undefined;
    isDragging.current = false;
  };
  return {
    range,
    mark,
    pointers: {
      onPointerDown(event: PointerEvent) {
        const target = event.target as Element;
        // A finger scrolls; what is a button is pressed.
        if (event.button !== 0 || event.pointerType === 'touch' || target.closest('button, .lane-title'))
          return;
        if (target.closest('.lane-track, .timeline-lanes')) begun.current = xAt(event);
      },
      onPointerMove(event: PointerEvent) {
        const from = begun.current;
        if (from === undefined) return;
        const to = xAt(event);
        if (!isDragging.current && Math.abs(to - from) < LEAST_DRAG_PX) return;
        if (!isDragging.current) scroller.current!.setPointerCapture(event.pointerId);
        isDragging.current = true;
        mark({ from: axis.atOf(Math.min(from, to)), to: axis.atOf(Math.max(from, to)) });
      },
      onPointerUp: end,
      onPointerCancel: end,
    },
  };
}
