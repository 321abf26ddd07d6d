/** What a reader does: each changes several signals together, and keeps the address up with them. */
import { batch, computed } from '@preact/signals';
import type { Edge, ViewDocument, ViewNode } from '../../format/view-document.js';
import { EVERYTHING, isFailure, shows, TYPED } from '../model/filters.js';
import { endWords, isKnown, streamOf } from '../model/inspect.js';
import { kindTitle } from '../model/kind-words.js';
import { isStep, outlineOf } from '../model/outline.js';
import { placeOf, searchOf } from '../model/place.js';
import { partsOf, readingOrder, workKey } from '../model/transcript-rows.js';
import {
  filter,
  folds,
  opened,
  outline,
  panel,
  said,
  selected,
  selectedNode,
  sought,
  stream,
} from './state.js';

/** The steps of the stream in view, as its transcript would show them with everything open. */
export const order = computed(() => readingOrder(outline.value, stream.value, filter.value));

/** Shows a document for the first time, at the place that the address names. */
export function show(document: ViewDocument): void {
  batch(() => {
    outline.value = outlineOf(document);
    stream.value = firstStream();
    returnToAddress();
  });
}

/** Puts a newer document in the place of the one that is shown. Where the reader is stays: ids do not change. */
export function renew(document: ViewDocument): void {
  batch(() => {
    outline.value = outlineOf(document);
    if (!outline.value.streams.has(stream.value)) stream.value = firstStream();
    if (selected.value !== null && !outline.value.nodes.has(selected.value)) selected.value = null;
  });
}

/** Goes where the address says, as far as the document has it. */
export function returnToAddress(): void {
  forgetPending();
  const place = placeOf(location.search);
  const known = [place.step, place.talk].find((id) => id !== undefined && outline.value.nodes.has(id));
  batch(() => {
    if (place.stream !== undefined && outline.value.streams.has(place.stream)) stream.value = place.stream;
    else if (known === undefined) stream.value = firstStream();
    if (known === undefined) selected.value = null;
    else {
      reveal(outline.value.nodes.get(known)!);
      selected.value = known;
    }
  });
}

/** Selects what is in sight already. */
export function select(id: string | null): void {
  batch(() => {
    selected.value = id;
    const node = selectedNode.value;
    said.value =
      node === undefined ? 'Nothing selected' : `Selected: ${kindTitle(node.kind)} ${node.name ?? ''}`;
    keepAddress();
  });
}

/** Goes to a node, wherever it is, or to the beginning of a stream. */
export function goTo(id: string): void {
  const name = streamOf(outline.value, id);
  const node = outline.value.nodes.get(id);
  if (name !== undefined) openStream(name);
  else if (node !== undefined) {
    batch(() => {
      panel.value = 'transcript';
      const came = stream.value;
      reveal(node);
      selected.value = id;
      said.value = endWords(outline.value, id);
      keepAddress(came !== stream.value);
    });
  }
}

/** Shows another stream from its beginning. */
export function openStream(name: string): void {
  batch(() => {
    panel.value = 'transcript';
    stream.value = name;
    selected.value = null;
    const entry = outline.value.streams.get(name);
    said.value = `Stream ${entry?.label || name}`;
    keepAddress(true);
  });
}

/** The next or previous step of the stream. */
export function stepBy(by: 1 | -1): void {
  goAmong(order.value, by);
}

/** The next or previous input. */
export function inputBy(by: 1 | -1): void {
  goAmong(
    order.value.filter(({ kind }) => kind === TYPED || kind === 'talk'),
    by,
  );
}

export function failureBy(by: 1 | -1): void {
  goAmong(order.value.filter(isFailure), by);
}

/** A step that `]` or Enter led away from, and where they led. */
interface Leap {
  readonly from: string;
  readonly stream: string;
  readonly selected: string | null;
}
const leaps: Leap[] = [];

/** `[` leads back while the reader stands where the leap ended. */
function leap(go: () => void): void {
  const from = selected.value;
  go();
  if (from !== null && selected.value !== from)
    leaps.push({ from, stream: stream.value, selected: selected.value });
}

/** Along the first relation that leads from what is selected. */
export function relationOn(): void {
  const edge = firstRelation('out');
  if (edge === undefined) said.value = 'No relation leads from here';
  else leap(() => goTo(edge.other));
}

/** To where the reader came from; else against the first relation that leads here, or out of a child. */
export function relationBack(): void {
  const last = leaps.at(-1);
  if (
    last?.stream === stream.value &&
    last.selected === selected.value &&
    isKnown(outline.value, last.from)
  ) {
    leaps.pop();
    goTo(last.from);
    return;
  }
  const opening =
    selected.value === null ? outline.value.streams.get(stream.value)?.opened_by[0]?.step : undefined;
  const back = firstRelation('in')?.other ?? opening;
  if (back === undefined) said.value = 'No relation leads here';
  else goTo(back);
}

function firstRelation(dir: Edge['dir']): Edge | undefined {
  return selectedNode.value?.edges?.find((edge) => edge.dir === dir && isKnown(outline.value, edge.other));
}

/** Into the child that what is selected started; else back, from an output to the call that received it. */
export function diveIn(): void {
  const node = selectedNode.value;
  if (node === undefined) return;
  const [child] = outline.value.startedBy(node);
  const reported = node.edges?.find(({ type, dir }) => type === 'reports' && dir === 'out');
  if (child !== undefined) leap(() => openStream(child.name));
  else if (reported !== undefined) leap(() => goTo(reported.other));
}

export function setOpen(key: string, open: boolean): void {
  opened.value = new Map(opened.value).set(key, open);
}

export function setFold(key: string, open: boolean): void {
  folds.value = new Map(folds.value).set(key, open);
}

/** Opens or shuts every talk of the stream in view. */
export function foldAll(open: boolean): void {
  const all = new Map(folds.value);
  for (const { talk } of outline.value.passagesOf(stream.value))
    if (talk !== undefined) all.set(workKey(talk), open);
  folds.value = all;
}

/** The address of a node in this page, for giving to somebody. */
export function addressOf(id: string): string {
  return new URL(searchFor(id), location.href).href;
}

function goAmong(steps: readonly ViewNode[], by: 1 | -1): void {
  if (steps.length === 0) return;
  const now = steps.findIndex(({ id }) => id === selected.value);
  if (now !== -1) {
    const next = steps[now + by];
    if (next !== undefined) goTo(next.id);
    return;
  }
  // What is selected is none of these: go on from where it stands in the reading order.
  const all = order.value;
  const place = all.findIndex(({ id }) => id === selected.value);
  if (place === -1) {
    goTo((by === 1 ? steps[0]! : steps.at(-1)!).id);
    return;
  }
  const after = new Set(by === 1 ? all.slice(place + 1) : all.slice(0, place));
  const next = by === 1 ? steps.find((step) => after.has(step)) : steps.findLast((step) => after.has(step));
  if (next !== undefined) goTo(next.id);
}

/** Opens what hides a node, and asks for it to be brought into view. */
function reveal(node: ViewNode): void {
  const talk = outline.value.talkOf(node);
  if (talk !== undefined && isStep(node)) {
    const { opening, closing } = cardsOf(talk);
    const key = workKey(talk);
    if (node !== opening && node !== closing && folds.value.get(key) !== true) setFold(key, true);
  }
  if (node.stream !== undefined) stream.value = node.stream;
  // A filter that hides where the reader wants to go has had its time.
  if (isStep(node) && !shows(filter.value, node)) filter.value = EVERYTHING;
  sought.value = { id: node.id };
}

function cardsOf(talk: ViewNode) {
  const passage = outline.value.passagesOf(talk.stream ?? '').find((passage) => passage.talk === talk);
  return passage === undefined ? { opening: undefined, closing: undefined } : partsOf(passage);
}

function firstStream(): string {
  const { streams, talks, loose } = outline.value.document;
  return (
    streams.find(({ role }) => role === 'main')?.name ??
    streams[0]?.name ??
    (talks[0] ?? loose[0])?.stream ??
    ''
  );
}

/** A browser lets a page change its address so often and no oftener; a key held down is faster. */
const ADDRESS_MS = 200;
/** An address that is written soon. */
let pending: { readonly address: string; readonly timer: ReturnType<typeof setTimeout> } | undefined;

/** A change of stream is a step back in the browser's history; anything smaller is not. */
function keepAddress(isStep = false): void {
  const address = searchFor(selected.value) || location.pathname;
  if (isStep) {
    // The step back leads to what was selected last, and not to what was selected when there was time to write.
    flushAddress();
    writeAddress('pushState', address);
  } else {
    forgetPending();
    pending = { address, timer: setTimeout(flushAddress, ADDRESS_MS) };
  }
}

function flushAddress(): void {
  const address = pending?.address;
  forgetPending();
  if (address !== undefined) writeAddress('replaceState', address);
}

function forgetPending(): void {
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

function searchFor(id: string | null): string {
  const node = id === null ? undefined : outline.value.nodes.get(id);
  const talk = node === undefined ? undefined : outline.value.talkOf(node);
  return searchOf(
    {
      talk: talk?.id,
      step: node === undefined || node === talk ? undefined : node.id,
      stream: node?.stream ?? stream.value,
    },
    location.search,
  );
}
