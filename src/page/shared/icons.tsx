/** Pictures in a line of text, drawn with its colour. They say nothing to a screen reader: the words beside them do. */
import type { ComponentChildren, JSX } from 'preact';

function icon(drawing: ComponentChildren): () => JSX.Element {
  return () => (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      {drawing}
    </svg>
  );
}

export const SunIcon = icon(
  <>
    <circle cx="12" cy="12" r="4" />
    <path d="M12 2v2m0 16v2M4.9 4.9l1.4 1.4m11.4 11.4 1.4 1.4M2 12h2m16 0h2M4.9 19.1l1.4-1.4M17.7 6.3l1.4-1.4" />
  </>,
);
export const MoonIcon = icon(<path d="M20 14.5A8.5 8.5 0 1 1 9.5 4a7 7 0 0 0 10.5 10.5Z" />);
export const SystemThemeIcon = icon(
  <>
    <circle cx="12" cy="12" r="9" />
    <path d="M12 3a9 9 0 0 1 0 18Z" fill="currentColor" />
  </>,
);
export const CheckIcon = icon(<path d="m5 12.5 4.5 4.5L19 7.5" />);
export const WarningIcon = icon(<path d="M12 4 2.5 20h19L12 4Zm0 6v4.5m0 2.5v.01" />);
export const CrossIcon = icon(<path d="M6 6l12 12M18 6 6 18" />);
export const SearchIcon = icon(
  <>
    <circle cx="10.5" cy="10.5" r="6.5" />
    <path d="m20 20-4.8-4.8" />
  </>,
);
export const BackIcon = icon(<path d="M19 12H5m6-6-6 6 6 6" />);
export const ForwardIcon = icon(<path d="M5 12h14m-6-6 6 6-6 6" />);
export const DownIcon = icon(<path d="m6 9 6 6 6-6" />);
export const RightIcon = icon(<path d="m9 6 6 6-6 6" />);
export const CopyIcon = icon(
  <>
    <rect x="9" y="9" width="11" height="11" rx="2" />
    <path d="M15 9V6a2 2 0 0 0-2-2H6a2 2 0 0 0-2 2v7a2 2 0 0 0 2 2h3" />
  </>,
);
export const LinkIcon = icon(
  <path d="M10 14a4 4 0 0 0 6 .4l3-3a4 4 0 0 0-5.7-5.7l-1.2 1.2M14 10a4 4 0 0 0-6-.4l-3 3a4 4 0 0 0 5.7 5.7l1.2-1.2" />,
);
