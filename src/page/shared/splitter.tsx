/** A bar between two panels that moves by mouse and by keys; the browser keeps where it was put. */
import { type Signal, signal } from '@preact/signals';
import { keep, kept } from './kept.js';

export interface Split {
  /** Size of the panel that the bar belongs to, in px, or in hundredths of the window. */
  readonly size: Signal<number>;
  readonly key: string;
  readonly usual: number;
  readonly least: number;
}

export function aSplit(key: string, usual: number, least: number): Split {
  const remembered = Number(kept(key));
  return { size: signal(remembered >= least ? remembered : usual), key, usual, least };
}

const KEY_STEP_PX = 12;
const KEY_LEAP_PX = 48;
/** What a panel leaves of the window to the others. */
const MOST_OF_WINDOW = 0.7;

interface SplitterProps {
  readonly split: Split;
  readonly label: string;
  /** Which side of the bar the panel is on. */
  readonly panel: 'left' | 'right' | 'below';
}

export function Splitter({ split, label, panel }: SplitterProps) {
  const { size, key, usual, least } = split;
  const isAcross = panel === 'below';
  const most = () => Math.round((isAcross ? innerHeight : innerWidth) * MOST_OF_WINDOW);
  const put = (px: number | undefined) => {
    size.value =
      px === undefined ? usual : Math.min(Math.max(Math.round(px), least), Math.max(least, most()));
    keep(key, px === undefined ? undefined : String(size.value));
  };
  const grows = panel === 'left' ? 1 : -1;

  function onKeyDown(event: KeyboardEvent) {
    const by = event.shiftKey ? KEY_LEAP_PX : KEY_STEP_PX;
    const forward = isAcross ? 'ArrowDown' : 'ArrowRight';
    const back = isAcross ? 'ArrowUp' : 'ArrowLeft';
    if (event.key === forward) put(size.value + by * grows);
    else if (event.key === back) put(size.value - by * grows);
    else if (event.key === 'Home') put(undefined);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  function onPointerDown(event: PointerEvent) {
    const bar = event.currentTarget as HTMLElement;
    const from = isAcross ? event.clientY : event.clientX;
    const before = size.value;
    bar.setPointerCapture(event.pointerId);
    const move = (moved: PointerEvent) =>
      put(before + ((isAcross ? moved.clientY : moved.clientX) - from) * grows);
    bar.addEventListener('pointermove', move);
    bar.addEventListener('lostpointercapture', () => bar.removeEventListener('pointermove', move), {
      once: true,
    });
    event.preventDefault();
  }

  return (
    // biome-ignore lint/a11y/useSemanticElements: a rule cannot be moved
    <div
      class={`splitter ${panel}`}
      role="separator"
      tabIndex={0}
      aria-label={label}
      aria-orientation={isAcross ? 'horizontal' : 'vertical'}
      aria-valuenow={size.value}
      aria-valuemin={least}
      aria-valuemax={most()}
      title="Drag, or arrow keys; Home puts it back"
      onKeyDown={onKeyDown}
      onPointerDown={onPointerDown}
      onDblClick={() => put(undefined)}
    />
  );
}
