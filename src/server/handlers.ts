/** What each route answers (view spec 7.2 to 7.6). A handler throws what it cannot give. */
import { AszError, ChainError, UsageError } from '../format/errors.js';
import type { ViewState } from '../format/view-document.js';
import { Refusal } from '../http/refusal.js';
import { isPathSegment } from '../io/path-segment.js';
import { listConversations } from '../io/storage-root.js';
import {
  type ListedConversation,
  type ListState,
  listedConversations,
  sessionOf,
} from '../view/conversation-list.js';
import { landedRecordText, NotLandedError, providerBodies } from '../view/landed-record.js';
import { Withheld } from '../view/withheld.js';
import { type Exchange, JSON_TYPE } from './answer.js';
import type { Documents } from './documents.js';
import { glossaryOf } from './glossary.js';
import { CONVERSATION_PAGE, LIST_PAGE, type PageFile, type PageFiles } from './page.js';
import type { RootWatch } from './root-watch.js';
import type { Given, RouteName } from './routes.js';
import { type Found, mayHold, patternOf, SEARCHED_BYTES, searchDocument } from './search.js';
import type { Status } from './status.js';

/** What the handlers of one server share. */
export interface Served {
  readonly root: string;
  /** Withheld from everybody. */
  readonly hide: readonly string[];
  readonly documents: Documents;
  readonly page: PageFiles;
  readonly watch: RootWatch;
  readonly status: () => Status;
  searching: boolean;
}

type Handler = (exchange: Exchange, given: Given, served: Served) => Promise<void> | void;

export const HANDLERS: Readonly<Record<RouteName, Handler>> = {
  'list-page': (exchange, _, { page }) => exchange.page(page.get(LIST_PAGE)!),
  // The same page whatever the id: whether there is such a conversation, the route of its document says.
  'conversation-page': (exchange, _, { page }) => exchange.page(page.get(CONVERSATION_PAGE)!),
  asset: (exchange, { name }, { page }) => asset(exchange, page.get(`/assets/${name}`)),
  favicon: (exchange, _, { page }) => asset(exchange, page.get('/favicon.svg')),
  logo: (exchange, _, { page }) => asset(exchange, page.get('/logo.svg')),
  status: (exchange, _, served) => exchange.json(served.status()),
  conversations,
  glossary,
  events,
  search,
  view,
  record,
  files,
};

function asset(exchange: Exchange, file: PageFile | undefined): void {
  if (file === undefined) throw new Refusal(404, 'not found');
  exchange.asset(file);
}

/** Each row as the list knows it; its state is that of the document when there is one, and so is what is wrong. */
function conversations(exchange: Exchange, _: Given, { root, documents }: Served): void {
  exchange.json(listedConversations(root).map((row) => ({ ...row, ...documentOf(row, documents) })));
}

/** What documents change of a row. Files that cannot be listed are a problem of that row and of no other. */
function documentOf(
  { id, state, problem }: ListedConversation,
  documents: Documents,
): { readonly state: ListState | ViewState; readonly problem: string } {
  try {
    const verdict = documents.verdictOf(id);
    return { state: verdict?.state ?? state, problem: problem || (verdict?.problem ?? '') };
  } catch (cause) {
    if (!(cause instanceof AszError)) throw cause;
    return { state, problem: problem || cause.message };
  }
}

function glossary(exchange: Exchange, _: Given, { root }: Served): void {
  const found = glossaryOf(root, exchange.query.get('dialect'));
  if (found === undefined) throw new Refusal(404, 'no glossary was supplied for this storage root');
  exchange.json(found);
}

async function view(exchange: Exchange, given: Given, served: Served): Promise<void> {
  const hide = hidden(exchange, served);
  const document = await served.documents.get(listedId(given, served), hide);
  await exchange.pieces(() => document.bytes(), { type: JSON_TYPE, ...document });
}

function record(exchange: Exchange, given: Given, served: Served): void {
  const withheld = new Withheld(hidden(exchange, served));
  const session = sessionOf(served.root, listedId(given, served));
  const [seq, row] = [positionOf(given.seq!), positionOf(given.row!)];
  exchange.text(landedRecordText(served.root, session, seq, row, withheld), JSON_TYPE);
}

const MAX_FILES = 32;

function files(exchange: Exchange, given: Given, served: Served): void {
  const { query } = exchange;
  const hide = hidden(exchange, served);
  const session = sessionOf(served.root, listedId(given, served));
  const seqs = query.getAll('seq').map(wholeNumber);
  if (seqs.length === 0) throw new Refusal(400, 'view: no seq asked for');
  if (seqs.length > MAX_FILES) throw new Refusal(400, `view: more than ${MAX_FILES} seqs asked for`);
  if (seqs.some((seq) => !(seq >= 1))) throw new Refusal(400, 'view: seq is not a positive whole number');
  if ((query.get('session') ?? session) !== session)
    throw new Refusal(400, 'view: session is not the one of this conversation');
  if (hide.length > 0)
    throw new Refusal(403, 'view: provider bodies are not given while anything is withheld');
  const found = providerBodies(served.root, session, seqs);
  exchange.json(found.map(({ name, seq, bytes }) => ({ bytes: bytes.toString('base64'), file: name, seq })));
}

const MAX_LISTENERS = 16;
const HEARTBEAT_MS = 15_000;
/** Who lets so much pile up is not listening. */
const MAX_UNREAD_BYTES = 64 * 1024;

/** Server-sent events: one for every conversation that has another head. */
function events({ request, response, signal }: Exchange, _: Given, { watch }: Served): void {
  if (watch.listeners >= MAX_LISTENERS)
    throw new Refusal(503, `view: ${MAX_LISTENERS} listen already`, { 'Retry-After': '10' });
  response.writeHead(200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store' });
  if (request.method === 'HEAD') {
    response.end();
    return;
  }
  const send = (text: string): void => {
    if (response.writableLength > MAX_UNREAD_BYTES) response.destroy();
    else response.write(text);
  };
  send(': heads of conversations, as they change\n\n');
  const stop = watch.listen((changes) => {
    for (const change of changes) send(`event: head\ndata: ${JSON.stringify(change)}\n\n`);
  });
  const heartbeat = setInterval(() => send(':\n\n'), HEARTBEAT_MS);
  signal.addEventListener('abort', () => {
    clearInterval(heartbeat);
    stop();
  });
}

const MAX_WORDS_UNITS = 200;
const DEFAULT_HITS = 50;
const MAX_HITS = 500;

/** One at a time, and only for as long as whoever asked waits for it. */
async function search(exchange: Exchange, _: Given, served: Served): Promise<void> {
  const { query, signal } = exchange;
  const words = query.get('q') ?? '';
  if (words.trim() === '' || words.length > MAX_WORDS_UNITS)
    throw new Refusal(400, `view: q is what to search for, at most ${MAX_WORDS_UNITS} characters`);
  const limit = wholeNumber(query.get('limit') ?? String(DEFAULT_HITS));
  if (!(limit >= 1 && limit <= MAX_HITS))
    throw new Refusal(400, `view: limit is a whole number from 1 to ${MAX_HITS}`);
  const hide = hidden(exchange, served);
  if (served.searching) throw new Refusal(503, 'view: another search is under way', { 'Retry-After': '1' });
  served.searching = true;
  try {
    exchange.json(await searchAll(words, limit, hide, served, signal));
  } finally {
    served.searching = false;
  }
}

async function searchAll(
  words: string,
  limit: number,
  hide: readonly string[],
  { root, documents }: Served,
  signal: AbortSignal,
): Promise<unknown> {
  const pattern = patternOf(words);
  const found: Found[] = [];
  const failed: string[] = [];
  let left = limit;
  const gone = abortOf(signal);
  for (const { id: conversation } of listedConversations(root)) {
    signal.throwIfAborted();
    if (left === 0) break;
    try {
      const document = await Promise.race([documents.get(conversation, hide), gone]);
      if (!(await mayHold(document.bytes(), words, pattern, signal))) continue;
      const one = await searchDocument(document.bytes(), pattern, left, signal);
      if (one.hits.length > 0 || one.in_title) found.push({ conversation, ...one });
      left -= one.hits.length;
    } catch (cause) {
      signal.throwIfAborted();
      if (!(cause instanceof AszError)) throw cause;
      failed.push(conversation); // Its own route says why it has no document.
    }
  }
  return {
    ...{ query: words, complete: left > 0, searched_bytes_per_text: SEARCHED_BYTES },
    note: `text past ${SEARCHED_BYTES} bytes is not searched`,
    ...{ conversations: found, not_searched: failed },
  };
}

/** Rejects when the signal is aborted: a build that nobody waits for goes on, and a search does not wait for it. */
function abortOf(signal: AbortSignal): Promise<never> {
  const gone = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
  gone.catch(() => {}); // It matters only to who waits at that moment.
  return gone;
}

/**
 * What is withheld from this answer: what the configuration says, and more if the request asks for it. Throws
 * `UsageError` for a name that nothing is withheld by.
 */
function hidden({ query }: Exchange, { hide }: Served): string[] {
  const asked = query.getAll('hide').flatMap((names) => names.split(','));
  return [...new Withheld([...hide, ...asked.filter((name) => name !== '')]).names];
}

/** An id is looked for among those that are there, and never made into a path before. */
function listedId({ id }: Given, { root }: Served): string {
  if (!isPathSegment(id!) || !listConversations(root).includes(id!))
    throw new Refusal(404, 'view: no such conversation');
  return id!;
}

/** Decimal digits; anything else names nothing. */
function positionOf(text: string): number {
  const number = wholeNumber(text);
  if (Number.isNaN(number)) throw new Refusal(404, 'not found');
  return number;
}

/** Decimal digits as a number; not one for anything else. */
function wholeNumber(text: string): number {
  const number = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  return Number.isSafeInteger(number) ? number : Number.NaN;
}

/** What an error of a handler means to whoever asked. */
export function refusalOf(cause: unknown): Refusal {
  if (cause instanceof Refusal) return cause;
  if (cause instanceof NotLandedError || cause instanceof ChainError) return new Refusal(404, cause.message);
  if (cause instanceof UsageError) return new Refusal(400, cause.message);
  // What is no fault of the root is one of this program: its log says which, an answer does not.
  return new Refusal(500, cause instanceof AszError ? cause.message : 'view: an internal error');
}
