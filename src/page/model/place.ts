/**
 * Where a reader is in a conversation, as the address of the page holds it: `?talk=…&step=…&stream=…` (view spec 9),
 * and which panels are open there, as far as they are not the usual ones: `&panel=…&dock=…&tab=…`.
 */

/** What fills the middle of the page; the first is the usual one. */
export const PANELS = ['transcript', 'overview', 'changes', 'unresolved', 'relations', 'proof'] as const;
export type Panel = (typeof PANELS)[number];

/** What stands below it; which is the usual one, the window decides. */
export const DOCKS = ['timeline', 'context', 'closed'] as const;
export type Dock = (typeof DOCKS)[number];

/** What the inspector shows of the selected step; the first is the usual one. */
export const TABS = ['details', 'relations', 'evidence', 'changes'] as const;
export type Tab = (typeof TABS)[number];

export interface Place {
  readonly talk?: string | undefined;
  readonly step?: string | undefined;
  readonly stream?: string | undefined;
}

export interface OpenPanels {
  readonly panel?: Panel | undefined;
  readonly dock?: Dock | undefined;
  readonly tab?: Tab | undefined;
}

const NAMES = ['talk', 'step', 'stream', 'panel', 'dock', 'tab'] as const;

/** Reads the query part of an address; a panel that nobody knows is none. */
export function placeOf(search: string): Place & OpenPanels {
  const query = new URLSearchParams(search);
  const [talk, step, stream, panel, dock, tab] = NAMES.map((name) => query.get(name) || undefined);
  return {
    ...{ talk, step, stream },
    panel: PANELS.find((name) => name === panel),
    dock: DOCKS.find((name) => name === dock),
    tab: TABS.find((name) => name === tab),
  };
}

/** What a place names and nobody knows, in words: a step, talk or stream of another document, or of none. */
export function lostOf(
  place: Place,
  isThere: (name: keyof Place, id: string) => boolean,
): string | undefined {
  const lost = LARGEST_LAST.find((name) => place[name] !== undefined && !isThere(name, place[name]));
  return lost === undefined ? undefined : `The address names a ${lost} that is not here: ${place[lost]}`;
}

/** What is lost with a stream is named by the step. */
const LARGEST_LAST = ['step', 'talk', 'stream'] as const;

/** The query part for a place, `""` for none. Members that are not ours stay: a page may be asked for with more. */
export function searchOf(place: Place & OpenPanels, search: string): string {
  const query = new URLSearchParams(search);
  for (const name of NAMES) {
    const value = place[name];
    if (value === undefined) query.delete(name);
    else query.set(name, value);
  }
  const text = query.toString();
  return text === '' ? '' : `?${text}`;
}
