/**
 * What the conversation page is showing: the document with its lookups, and what the reader chose. Views read these
 * signals; `moves.ts` changes several of them together.
 */
import { computed, signal } from '@preact/signals';
import { countsOf } from '../model/counts.js';
import { EVERYTHING, type Filter } from '../model/filters.js';
import { type Outline, outlineOf } from '../model/outline.js';
import type { Dock, Panel, Tab } from '../model/place.js';
import { soundDocument } from '../model/sound-document.js';

/** The document, looked through. A new round replaces it; ids stay. */
export const outline = signal<Outline>(outlineOf(soundDocument({})));

/** How much there is in it. */
export const counts = computed(() => countsOf(outline.value));

/** Name of the stream in view. */
export const stream = signal('main');

/** The node that is selected: a talk, a run or a step, by id. */
export const selected = signal<string | null>(null);

/** The node of that id, as the document has it now. */
export const selectedNode = computed(() =>
  selected.value === null ? undefined : outline.value.nodes.get(selected.value),
);

/** Texts, records and diffs that were opened or shut by hand, by key. */
export const opened = signal<ReadonlyMap<string, boolean>>(new Map());

/** Talks that were opened or shut, by the key of the fold over them: what decides which rows there are. */
export const folds = signal<ReadonlyMap<string, boolean>>(new Map());

export const filter = signal<Filter>(EVERYTHING);

/** What fills the middle of the page. */
export const panel = signal<Panel>('transcript');

/** Then layout.css puts everything below each other, and the words need the room. */
const ONE_COLUMN = '(max-width: 1000px), (max-height: 640px)';

/** What stands below it. */
export const USUAL_DOCK: Dock = matchMedia(ONE_COLUMN).matches ? 'closed' : 'timeline';
export const dock = signal<Dock>(USUAL_DOCK);

/** What the inspector shows, where the selected step has it. */
export const tab = signal<Tab>('details');

/** Asks the transcript to bring a node into view; each asking is a new object. */
export const sought = signal<{ readonly id: string } | undefined>(undefined);

/** Whether the page goes to the end whenever a round arrives. */
export const following = signal(false);

/** What a screen reader is told next. */
export const said = signal('');

/** What is looked for; `undefined` while nobody looks. */
export const findWords = signal<string | undefined>(undefined);
