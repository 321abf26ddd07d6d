/** Where a reader is in a conversation, as the address of the page holds it: `?talk=…&step=…&stream=…` (view spec 9). */

export interface Place {
  readonly talk: string | undefined;
  readonly step: string | undefined;
  readonly stream: string | undefined;
}

const NAMES = ['talk', 'step', 'stream'] as const;

/** Reads the query part of an address. */
export function placeOf(search: string): Place {
  const query = new URLSearchParams(search);
  const [talk, step, stream] = NAMES.map((name) => query.get(name) || undefined);
  return { talk, step, stream };
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
export function searchOf(place: Place, search: string): string {
  const query = new URLSearchParams(search);
  for (const name of NAMES) {
    const value = place[name];
    if (value === undefined) query.delete(name);
    else query.set(name, value);
  }
  const text = query.toString();
  return text === '' ? '' : `?${text}`;
}
