import { useLayoutEffect } from 'preact/hooks';
import type { Clip } from '../model/clips.js';
import type { ScrolledView } from './scrolled-view.js';

/** Brings the selected clip into view, once for each selection: a reader may scroll away from it. */
export function useSelectedInView(view: ScrolledView, clip: Clip | undefined, selected: string | null): void {
  useLayoutEffect(() => {
    if (clip === undefined) return;
    const { now, width, goTo, scroller } = view;
    const left = now();
    const isInView = clip.left >= left && clip.left + clip.width <= left + width.value;
    if (!isInView) goTo(clip.left - width.value / 2);
    scroller
      .current!.querySelector(`[aria-selected=true]`)
      ?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [selected]);
}
