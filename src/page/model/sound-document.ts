/**
 * A document that somebody else may have made, put right so far that the page can walk it: lists are lists, entries
 * are objects, what names a node is text. Nothing is guessed: what is missing becomes empty, what has the wrong type
 * is left out. Works in place, on the value that was just read. Cost: one walk.
 */
import type { ViewDocument } from '../../format/view-document.js';

/** Ours write twelve levels below a root (view spec 2.7); far below what a stack can walk. */
const MAX_DEPTH = 64;

type Entry = Record<string, unknown>;
type Members = Readonly<Record<string, 'text' | 'number' | 'list' | 'words' | 'counts'>>;

const LISTS: Readonly<Record<string, Members>> = {
  rounds: { round: 'number', digest: 'text' },
  files: { file: 'text', kind: 'text', lines: 'number', bytes: 'number', digest: 'text' },
  streams: {
    ...{ id: 'text', name: 'text', role: 'text', label: 'text', parent: 'text', talk: 'text' },
    ...{ named_by: 'text', records: 'number', steps: 'number', opened_by: 'list' },
  },
  segments: { id: 'text', talks: 'number', from: 'number', to: 'number' },
  relations: { id: 'text', type: 'text', from: 'text', to: 'text', quality: 'text' },
  unresolved: { id: 'text', kind: 'text', ref: 'text', reason: 'text', state: 'text' },
  workspace_changes: { step: 'text' },
};

const SUMMARY: Members = {
  ...{ title: 'text', state: 'text', problems: 'words', talks: 'number', steps: 'number', streams: 'number' },
  ...{ segments: 'number', rounds: 'number', unresolved: 'number', changes: 'number', from: 'number' },
  ...{ to: 'number', kinds: 'counts', relation_types: 'counts', quality: 'counts', withheld: 'counts' },
};

const NODE: Members = { id: 'text', kind: 'text', at: 'number' };

/** Members that a node may leave out: with another type they are left out as well. */
const OPTIONAL: Readonly<Record<string, string>> = {
  ...{ parent: 'string', stream: 'string', text: 'string', state: 'string', bytes: 'number' },
  ...{ label: 'string', reply: 'string', runs: 'number', steps: 'number', tools: 'number' },
  ...{ from: 'number', to: 'number', segment: 'string', name: 'string', failed: 'boolean', child: 'boolean' },
  ...{ result: 'string', result_state: 'string', result_bytes: 'number', request_to_result_ms: 'number' },
  ...{ request_to_result_join: 'string', duration_ms: 'number', duration_measured_by: 'string' },
};

/** The same value, put right. */
export function soundDocument(value: unknown): ViewDocument {
  const document = isEntry(value) ? value : {};
  put(document, { conversation: 'text', parser: 'text', policy: 'text', sessions: 'words' });
  document.head = put(isEntry(document.head) ? document.head : {}, { round: 'number', digest: 'text' });
  document.summary = put(isEntry(document.summary) ? document.summary : {}, SUMMARY);
  for (const [name, members] of Object.entries(LISTS)) {
    document[name] = entriesOf(document[name]).map((entry) => put(entry, members));
  }
  for (const stream of document.streams as Entry[]) {
    stream.opened_by = entriesOf(stream.opened_by).map((origin) =>
      put(origin, { step: 'text', stream: 'text', talk: 'text', quality: 'text' }),
    );
  }
  for (const relation of document.relations as Entry[]) positions(relation, 'evidence');
  for (const change of document.workspace_changes as Entry[]) changed(change);
  for (const name of ['talks', 'loose']) {
    document[name] = entriesOf(document[name]).map((node) => soundNode(node, 0));
  }
  return document as unknown as ViewDocument;
}

function soundNode(node: Entry, depth: number): Entry {
  put(node, NODE);
  for (const [name, type] of Object.entries(OPTIONAL)) {
    if (node[name] !== undefined && typeof node[name] !== type) delete node[name];
  }
  for (const name of ['attrs', 'usage', 'ref']) {
    if (node[name] !== undefined && !isEntry(node[name])) delete node[name];
  }
  if (node.ref !== undefined && !isPosition(node.ref)) delete node.ref;
  positions(node, 'refs');
  if (node.flags !== undefined) node.flags = wordsOf(node.flags);
  if (node.changes !== undefined) node.changes = wordsOf(node.changes);
  if (node.dropped !== undefined)
    node.dropped = entriesOf(node.dropped).map((entry) => put(entry, { what: 'text', bytes: 'number' }));
  if (node.edges !== undefined)
    node.edges = entriesOf(node.edges).map((edge) =>
      put(edge, { type: 'text', other: 'text', dir: 'text', quality: 'text' }),
    );
  if (node.children !== undefined)
    node.children =
      depth === MAX_DEPTH ? [] : entriesOf(node.children).map((child) => soundNode(child, depth + 1));
  return node;
}

/** A `changes/1` record is landed as it came. */
function changed(change: Entry): void {
  if (change.ref !== undefined && !isPosition(change.ref)) delete change.ref;
  for (const name of ['id', 'captured_by', 'tool_name', 'time', 'coverage']) {
    if (change[name] !== undefined && typeof change[name] !== 'string') delete change[name];
  }
  for (const name of ['root', 'outcome']) if (!isEntry(change[name])) delete change[name];
  if (change.changes === undefined) return;
  change.changes = entriesOf(change.changes);
  for (const file of change.changes as Entry[]) {
    for (const name of ['path', 'operation', 'diff']) {
      if (file[name] !== undefined && typeof file[name] !== 'string') delete file[name];
    }
    if (file.hunks === undefined) continue;
    file.hunks = entriesOf(file.hunks).map((hunk) =>
      put(hunk, {
        ...{ old_start: 'number', old_lines: 'number', new_start: 'number', new_lines: 'number' },
        lines: 'words',
      }),
    );
  }
}

function put(entry: Entry, members: Members): Entry {
  for (const [name, type] of Object.entries(members)) {
    const value = Object.hasOwn(entry, name) ? entry[name] : undefined;
    if (type === 'text' && typeof value !== 'string') entry[name] = '';
    else if (type === 'number' && typeof value !== 'number') entry[name] = 0;
    else if (type === 'list' && !Array.isArray(value)) entry[name] = [];
    else if (type === 'words') entry[name] = wordsOf(value);
    else if (type === 'counts') entry[name] = countsOf(value);
  }
  return entry;
}

function positions(entry: Entry, name: string): void {
  if (entry[name] !== undefined) entry[name] = entriesOf(entry[name]).filter(isPosition);
}

function isPosition(value: unknown): boolean {
  return isEntry(value) && typeof value.seq === 'number' && typeof value.row === 'number';
}

function entriesOf(value: unknown): Entry[] {
  return Array.isArray(value) ? value.filter(isEntry) : [];
}

function wordsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((word) => typeof word === 'string') : [];
}

function countsOf(value: unknown): Record<string, number> {
  if (!isEntry(value)) return {};
  return Object.fromEntries(Object.entries(value).filter(([, count]) => typeof count === 'number')) as Record<
    string,
    number
  >;
}

function isEntry(value: unknown): value is Entry {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
