/**
 * The part of a long timeline that is on the screen: where it is scrolled to, how wide it is, and the window around it
 * that is worth having in the DOM. When the axis changes, for a zoom or a new round, the time at hand stays where it is.
 */
import { type ReadonlySignal, useComputed, useSignal } from '@preact/signals';
import type { RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { Ms } from '../../format/view-document.js';
import type { TimeAxis } from '../model/time-axis.js';

/** The window moves by so much at once, so that most scroll events change nothing but the scroll. */
const BLOCK_PX = 512;

export interface Window {
  readonly from: number;
  readonly to: number;
}

export interface ScrolledView {
  readonly scroller: RefObject<HTMLDivElement | null>;
  /** Px of the axis at the left edge, and how many are in view. */
  readonly left: ReadonlySignal<number>;
  readonly width: ReadonlySignal<number>;
  /** What to draw, with something to spare on both sides. */
  readonly window: ReadonlySignal<Window>;
  readonly onScroll: (event: Event) => void;
  /** Px of the axis at the left edge at this moment: `left` is told of a scroll with the next picture. */
  now(): number;
  /** Scrolls so that a place of the axis is at the left edge. */
  goTo(x: number): void;
  /** Keeps a time at its distance from the left edge while the axis changes with the next drawing. */
  hold(at: Ms, px: number): void;
}

/**
 * @param besides px of the scroller that its axis does not have, for titles
 * @param follows goes to the end whenever the axis grows
 */
export function useScrolledView(axis: TimeAxis, besides: number, follows: boolean): ScrolledView {
  const scroller = useRef<HTMLDivElement>(null);
  const left = useSignal(0);
  const width = useSignal(1024);
  const block = useComputed(() => Math.floor(left.value / BLOCK_PX));
  const blocks = useComputed(() => Math.ceil(width.value / BLOCK_PX));
  const window = useComputed(() => {
    const from = (block.value - 1) * BLOCK_PX;
    return { from, to: from + (blocks.value + 3) * BLOCK_PX };
  });
  const held = useRef<{ readonly at: Ms; readonly px: number } | undefined>(undefined);
  const before = useRef<TimeAxis | undefined>(undefined);
  const was = useRef(0);
  // Asked while the old axis is still drawn: another one may be too short for it.
  if (before.current !== axis) was.current = scroller.current?.scrollLeft ?? 0;

  const goTo = (x: number) => {
    const element = scroller.current!;
    element.scrollLeft = x;
    left.value = element.scrollLeft;
  };
  useLayoutEffect(() => {
    const element = scroller.current!;
    const measure = () => {
      width.value = Math.max(1, element.clientWidth - besides);
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  useLayoutEffect(() => {
    const old = before.current;
    before.current = axis;
    const kept = held.current;
    held.current = undefined;
    if (kept !== undefined) goTo(axis.xOf(kept.at) - kept.px);
    else if (follows) goTo(axis.width);
    else if (old !== undefined && old !== axis) goTo(axis.xOf(old.atOf(was.current)));
  }, [axis, follows]);
  return {
    ...{ scroller, left, width, window, goTo },
    now: () => scroller.current!.scrollLeft,
    // What is told may be of a timeline that is not shown any more.
    onScroll: ({ currentTarget }) => {
      left.value = (currentTarget as HTMLElement).scrollLeft;
    },
    hold: (at, px) => {
      held.current = { at, px };
    },
  };
}
