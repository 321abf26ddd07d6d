import { useLayoutEffect, useRef } from 'preact/hooks';
import type { ScrolledView } from './scrolled-view.js';

/** So many px of a wheel zoom by the factor e. */
const PX_PER_ZOOM = 480;

/**
 * With Ctrl the wheel zooms at the pointer, which is also what a pinch on a touchpad sends. Without, it goes along
 * time where the lanes leave nothing to scroll up or down.
 */
export function useWheel(
  { scroller }: ScrolledView,
  titles: number,
  zoom: number,
  zoomTo: (zoom: number, px: number) => void,
): void {
  const now = useRef({ zoom, zoomTo });
  now.current = { zoom, zoomTo };
  useLayoutEffect(() => {
    const element = scroller.current!;
    const onWheel = (event: WheelEvent) => {
      if (event.ctrlKey) {
        const px = event.clientX - element.getBoundingClientRect().left - titles;
        now.current.zoomTo(now.current.zoom * Math.exp(-event.deltaY / PX_PER_ZOOM), Math.max(0, px));
      } else {
        const isFlat = element.scrollHeight <= element.clientHeight;
        if (!isFlat || event.shiftKey || Math.abs(event.deltaX) >= Math.abs(event.deltaY)) return;
        element.scrollLeft += event.deltaY;
      }
      event.preventDefault();
    };
    // Listened to by hand: a listener of the view's own may not prevent the browser's zoom.
    element.addEventListener('wheel', onWheel, { passive: false });
    return () => element.removeEventListener('wheel', onWheel);
  }, []);
}
