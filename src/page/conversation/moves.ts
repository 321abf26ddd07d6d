/** What a reader does: each changes several signals together, and keeps the address up with them. */
import { batch, computed } from '@preact/signals';
import type { ViewDocument, ViewNode } from '../../format/view-document.js';
import { EVERYTHING, isFailure, shows, TYPED } from '../model/filters.js';
import { endWords, streamOf } from '../model/inspect.js';
import { kindTitle } from '../model/kind-words.js';
import { isStep, outlineOf } from '../model/outline.js';
import { type Dock, type Panel, placeOf, type Tab } from '../model/place.js';
import { partsOf } from '../model/talk-parts.js';
import { readingOrder, workKey } from '../model/transcript-rows.js';
import { forgetAddress, keepAddress } from './address.js';
import {
  dock,
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
  tab,
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
  forgetAddress();
  const place = placeOf(location.search);
  const known = [place.step, place.talk].find((id) => id !== undefined && outline.value.nodes.has(id));
  batch(() => {
    panel.value = place.panel ?? 'transcript';
    // Where the address names none of these, they stay as they are.
    if (place.dock !== undefined) dock.value = place.dock;
    if (place.tab !== undefined) tab.value = place.tab;
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

export function showPanel(name: Panel): void {
  panel.value = name;
  keepAddress();
}

export function showDock(name: Dock): void {
  dock.value = name;
  keepAddress();
}

export function showTab(name: Tab): void {
  tab.value = name;
  keepAddress();
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
