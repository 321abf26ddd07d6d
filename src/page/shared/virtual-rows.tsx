/**
 * A long list of rows of any height, of which only those in sight are in the page. Rows are told apart by key: a row
 * that was measured keeps its height wherever it moves, and when rows come or go the first one in sight stays where it is.
 */
import { elementScroll, observeElementOffset, observeElementRect, Virtualizer } from '@tanstack/virtual-core';
import type { JSX } from 'preact';
import { useLayoutEffect, useMemo, useReducer, useRef, useState } from 'preact/hooks';

export interface VirtualRowsProps<R extends { readonly key: string }> {
  readonly rows: readonly R[];
  /** A guess at the height of a row that was not drawn yet, in px. */
  readonly estimate: (row: R) => number;
  readonly draw: (row: R) => JSX.Element;
  /** Brings a row into view; each asking is a new object. */
  readonly sought:
    | { readonly index: number; readonly align: 'start' | 'center' | 'auto' | 'end' }
    | undefined;
  /** What the list shows; another one begins at its top. */
  readonly of: string;
  readonly class?: string;
  readonly label: string;
}

/** Rows drawn beyond each edge, so that a step of the wheel meets none that is empty. */
const OVERSCAN = 6;

interface Anchor {
  readonly key: string;
  readonly into: number;
}

export function VirtualRows<R extends { readonly key: string }>(props: VirtualRowsProps<R>) {
  const { rows, estimate, draw, sought, of, label } = props;
  const scrolled = useRef<HTMLDivElement>(null);
  const [, redraw] = useReducer((n: number) => n + 1, 0);
  const shown = useRef({ rows, of });
  const anchor = useRef<Anchor | undefined>(undefined);
  // Other functions than before make the list lay out every row anew: tens of thousands, at each step of a wheel.
  const perRow = useMemo(() => {
    const guesses: number[] = [];
    return {
      // Asked for again and again for all that was not drawn yet.
      estimateSize: (index: number) => {
        guesses[index] ??= estimate(rows[index]!);
        return guesses[index];
      },
      getItemKey: (index: number) => rows[index]!.key,
    };
  }, [rows, estimate]);
  const options = {
    ...perRow,
    count: rows.length,
    getScrollElement: () => scrolled.current,
    overscan: OVERSCAN,
    scrollToFn: elementScroll,
    observeElementRect,
    observeElementOffset,
    onChange: () => redraw(undefined),
  };
  const [list] = useState(() => new Virtualizer<HTMLDivElement, HTMLElement>(options));
  if (shown.current.rows !== rows) {
    if (shown.current.of === of)
      anchor.current = firstInSight(list, shown.current.rows, scrolled.current?.scrollTop ?? 0);
    else anchor.current = rows.length === 0 ? undefined : { key: rows[0]!.key, into: 0 };
    shown.current = { rows, of };
  }
  list.setOptions(options);
  useLayoutEffect(() => list._didMount(), [list]);
  useLayoutEffect(() => list._willUpdate());
  useLayoutEffect(() => {
    const { current } = anchor;
    anchor.current = undefined;
    if (current === undefined) return;
    list.getVirtualItems();
    const index = rows.findIndex(({ key }) => key === current.key);
    const start = index === -1 ? undefined : list.measurementsCache[index]?.start;
    if (start !== undefined && start + current.into !== scrolled.current?.scrollTop)
      list.scrollToOffset(start + current.into);
  }, [rows, list]);
  useLayoutEffect(() => {
    if (sought !== undefined) list.scrollToIndex(sought.index, { align: sought.align });
  }, [sought, list]);

  const items = list.getVirtualItems();
  return (
    <section
      class={`virtual-rows ${props.class ?? ''}`}
      ref={scrolled}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable without a mouse
      tabIndex={0}
      aria-label={label}
    >
      <div class="virtual-height" style={{ height: `${list.getTotalSize()}px` }}>
        {/* biome-ignore lint/a11y/useSemanticElements: what is drawn of a list is a part of it, which no <ul> can say */}
        <div
          class="virtual-window"
          role="list"
          style={{ transform: `translateY(${items[0]?.start ?? 0}px)` }}
        >
          {items.map(({ key, index }) => {
            const row = rows[index];
            if (row === undefined) return null;
            return (
              // biome-ignore lint/a11y/useSemanticElements: as the list
              <div
                key={key}
                data-index={index}
                ref={list.measureElement}
                class="virtual-row"
                role="listitem"
                aria-posinset={index + 1}
                aria-setsize={rows.length}
              >
                {draw(row)}
              </div>
            );
          })}
        </div>
      </div>
    </section>
  );
}

/** `offset` is asked of the element: the list is told of a scroll with the next picture. */
function firstInSight<R extends { readonly key: string }>(
  list: Virtualizer<HTMLDivElement, HTMLElement>,
  rows: readonly R[],
  offset: number,
): Anchor | undefined {
  const item = list.getVirtualItemForOffset(offset);
  const row = item === undefined ? undefined : rows[item.index];
  return row === undefined ? undefined : { key: row.key, into: offset - item!.start };
}
