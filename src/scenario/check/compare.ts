/** Two conversations, or two sets of landed records, held against each other. */
import type { SdPartRead, SdRecordRead } from '../../format/session-data.js';
import { readLandedFile } from '../../io/landed-file.js';
import { listLandedFiles, sessionFolder } from '../../io/storage-root.js';
import type { Counts } from './expectation.js';
import type { FoldView } from './fold-view.js';

/** One landed record and where it is. */
export interface LandedEntry {
  readonly kind: string;
  readonly stream: string;
  readonly batch: string;
  readonly src: string;
  readonly seq: number;
  readonly row: number;
  readonly record: SdRecordRead;
  /** Its own line. */
  readonly text: string;
}

/** The landed records of a session, in landed order. */
export function landedEntries(root: string, session: string): LandedEntry[] {
  const entries: LandedEntry[] = [];
  for (const { path, seq } of listLandedFiles(sessionFolder(root, session))) {
    let place = { kind: '', stream: '', batch: '', src: '' };
    readLandedFile(path, {
      header: ({ kind, stream, batch, src }) => {
        place = { kind, stream, batch, src };
      },
      record: (record, row, text) => entries.push({ ...place, seq, row, record, text }),
    });
  }
  return entries;
}

/**
 * Where two conversations differ, whatever their evidence is called: counts by kind and by type, talks per stream,
 * what is still open, and the streams. Resolved entries are not compared: a chain that was cut keeps them, a single
 * parse never had them (scenario spec 10).
 */
export function foldDifferences(a: FoldView, b: FoldView): string[] {
  const streams = (view: FoldView) => new Map(view.streams().map((stream) => [stream, 1]));
  return [
    ...countLines('kinds', a.kinds(), b.kinds()),
    ...countLines('relations', a.relationTypes(), b.relationTypes()),
    ...countLines('talks_on', a.talks(), b.talks()),
    ...countLines('open', a.openKinds(), b.openKinds()),
    ...countLines('streams', streams(a), streams(b)),
  ];
}

/** Where two counts by name differ. */
export function countLines(what: string, a: Counts, b: Counts): string[] {
  return [...new Set([...a.keys(), ...b.keys()])].sort().flatMap((name) => {
    const [left, right] = [a.get(name) ?? 0, b.get(name) ?? 0];
    return left === right ? [] : [`${what} ${name}: ${left} against ${right}`];
  });
}

/** At most this many differences between records are told. */
const MAX_TOLD = 9;

/**
 * Where the landed records of two roots differ in what they say. Provenance, a part's data and the adapter's name are
 * not compared: they are each format's own.
 */
export function recordDifferences(a: readonly LandedEntry[], b: readonly LandedEntry[]): string[] {
  const [left, right] = [bySource(a), bySource(b)];
  const found: string[] = [];
  for (const source of [...new Set([...left.keys(), ...right.keys()])].sort()) {
    const [ours, theirs] = [left.get(source) ?? [], right.get(source) ?? []];
    if (ours.length !== theirs.length)
      found.push(`${source}: ${ours.length} records against ${theirs.length}`);
    for (const [i, one] of ours.entries()) {
      const other = theirs[i];
      if (other !== undefined && one !== other)
        found.push(`${source} record ${i + 1}: ${firstDifference(one, other)}`);
    }
  }
  return found.slice(0, MAX_TOLD);
}

function bySource(entries: readonly LandedEntry[]): Map<string, string[]> {
  const sources = new Map<string, string[]>();
  for (const { kind, stream, batch, record } of entries) {
    const source = `${kind} of ${stream || batch}`;
    if (!sources.has(source)) sources.set(source, []);
    sources.get(source)!.push(saying(kind, record));
  }
  return sources;
}

/** The members of a record that both formats must give alike. */
const SAID = [
  ...(['id', 'parent', 'call', 'run', 'continues', 'child', 'batch', 'label', 'started_by'] as const),
  ...(['from', 'time', 'trigger', 'usage', 'model'] as const),
];

/** What a record says, as text to compare. */
function saying(kind: string, record: SdRecordRead): string {
  return JSON.stringify({
    ...Object.fromEntries(SAID.map((key) => [key, record[key]])),
    // Claude Code's sidecar names the call; the mock's has no place for it.
    tool: kind === 'agent_meta' ? '' : record.tool,
    flags: [...record.flags].sort(),
    parts: record.parts.map(partSaying),
    dropped: record.dropped.length,
  });
}

function partSaying({ k, id, of, name, state, failed, text }: SdPartRead) {
  return { k, id, of, name, state, failed, ...(k === 'data' || k === 'unknown' ? {} : { text }) };
}

function firstDifference(a: string, b: string): string {
  const [left, right] = [JSON.parse(a), JSON.parse(b)] as Record<string, unknown>[];
  const keys = [...new Set([...Object.keys(left!), ...Object.keys(right!)])];
  const key = keys.find((name) => JSON.stringify(left![name]) !== JSON.stringify(right![name]))!;
  return `${key} is ${JSON.stringify(left![key])} against ${JSON.stringify(right![key])}`;
}
