/** The address of the page, kept up with where the reader is and which panels are open. */
import { type OpenPanels, type Place, searchOf } from '../model/place.js';
import { dock, outline, panel, selected, stream, tab, USUAL_DOCK } from './state.js';

/** The address of a node in this page, for giving to somebody. */
export function addressOf(id: string): string {
  return new URL(searchOf(placeAt(id), location.search), location.href).href;
}

/** A browser lets a page change its address so often and no oftener; a key held down is faster. */
const ADDRESS_MS = 200;
/** An address that is written soon. */
let pending: { readonly address: string; readonly timer: ReturnType<typeof setTimeout> } | undefined;

/** A change of stream is a step back in the browser's history; anything smaller is not. */
export function keepAddress(isStep = false): void {
  const place = { ...placeAt(selected.value), ...openPanels() };
  const address = searchOf(place, location.search) || location.pathname;
  if (isStep) {
    // The step back leads to what was selected last, and not to what was selected when there was time to write.
    flushAddress();
    writeAddress('pushState', address);
  } else {
    forgetAddress();
    pending = { address, timer: setTimeout(flushAddress, ADDRESS_MS) };
  }
}

function flushAddress(): void {
  const address = pending?.address;
  forgetAddress();
  if (address !== undefined) writeAddress('replaceState', address);
}

/** What was to be written is not any more. */
export function forgetAddress(): void {
  clearTimeout(pending?.timer);
  pending = undefined;
}

function writeAddress(how: 'pushState' | 'replaceState', address: string): void {
  try {
    history[how](null, '', address);
  } catch (cause) {
    // A page that was opened from a file may not be let: then only the address stands still.
    if (!(cause instanceof DOMException)) throw cause;
  }
}

function placeAt(id: string | null): Place {
  const node = id === null ? undefined : outline.value.nodes.get(id);
  const talk = node === undefined ? undefined : outline.value.talkOf(node);
  return {
    talk: talk?.id,
    step: node === undefined || node === talk ? undefined : node.id,
    stream: node?.stream ?? stream.value,
  };
}

/** Those that are not the usual ones. */
function openPanels(): OpenPanels {
  return {
    panel: panel.value === 'transcript' ? undefined : panel.value,
    dock: dock.value === USUAL_DOCK ? undefined : dock.value,
    tab: tab.value === 'details' ? undefined : tab.value,
  };
}
