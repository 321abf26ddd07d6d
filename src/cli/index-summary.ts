import type { Column } from '../format/column.js';
import { AszError, causeText } from '../format/errors.js';
import { BLOCK_KINDS, BLOCK_TOOL_RESULT, BLOCK_TOOL_USE, ENTRY_KINDS } from '../format/index-entry.js';
import { compareCodePoints } from '../format/json-text.js';
import { type SessionIndex, seqOf } from '../format/session-index.js';
import { isIndexDamaged, loadIndex, type StoredIndex } from '../io/index-store.js';
import type { CommandContext } from './context.js';
import { jsonText, padded, tableLines } from './print.js';
import { wantedSessions } from './wanted-sessions.js';

/** `asz index [SESSION]`: what the indexes hold, and one in detail. Sessions without one are left out. */
export async function run(context: CommandContext): Promise<number> {
  const { options, args, config, print, warn, stdout } = context;
  const { root } = config().storage;
  const [wanted] = args;
  let failed = 0;
  const sessions = wantedSessions(root, context);
  // A large index is let go before the next is loaded: only what is printed stays.
  const summaries = sessions.flatMap((session) => {
    try {
      const stored = loadIndex(root, session);
      if (stored === undefined && isIndexDamaged(root, session))
        warn(
          `  ${session}: its index is damaged or of another version; it is built again with the next records`,
        );
      return stored === undefined ? [] : [summaryOf(stored, wanted !== undefined)];
    } catch (cause) {
      failed++;
      warn(`  ${session}: ${causeText(cause)}`);
      return [];
    }
  });
  if (options.switch('json')) stdout.write(`${jsonText({ sessions: summaries })}\n`);
  else for (const line of textLines(summaries)) print(line);
  if (failed > 0) throw new AszError('INDEX', `the index of ${failed} session(s) cannot be read`);
  return 0;
}

/** The JSON members of one session, in this order. */
interface Summary {
  readonly session: string;
  readonly entries: number;
  readonly blocks: number;
  readonly streams: number;
  readonly strings: number;
  readonly indexed_seq: number;
  readonly detail?: Detail;
}

interface Detail {
  readonly record_kinds: Counts;
  readonly joinable_blocks: Counts;
  readonly provider_calls: { readonly calls: number; readonly fragments: number };
  readonly identity: { readonly uuid: number; readonly run: number; readonly entries: number };
  readonly top_tools: Counts;
  readonly sample: readonly Sample[];
}

/** A list, because an object would move names that look like numbers to its front. */
type Counts = readonly { readonly name: string; readonly count: number }[];

interface Sample {
  readonly seq: number;
  readonly row: number;
  readonly kind: string;
  readonly stream: string;
  readonly record: string;
  readonly call: string;
}

function summaryOf({ index, indexedSeq }: StoredIndex, detailed: boolean): Summary {
  return {
    session: index.session,
    entries: index.entries,
    blocks: index.blocks,
    streams: distinct(index.stream, index.entries),
    strings: Object.values(index.strings).reduce((sum, table) => sum + table.size, 0),
    indexed_seq: indexedSeq,
    ...(detailed ? { detail: detailOf(index) } : {}),
  };
}

const TOP_TOOLS = 8;

function detailOf(index: SessionIndex): Detail {
  const { strings, entries, blocks } = index;
  const toolNames = namesOf(index.blockName, blocks, (block) => index.blockKind[block] === BLOCK_TOOL_USE);
  return {
    record_kinds: counted(Array.from(index.kind.subarray(0, entries), (kind) => ENTRY_KINDS[kind]!)),
    joinable_blocks: [BLOCK_TOOL_USE, BLOCK_TOOL_RESULT].map((kind) => ({
      name: BLOCK_KINDS[kind]!,
      count: countOf(index.blockKind, blocks, kind),
    })),
    provider_calls: { calls: distinct(index.call, entries), fragments: filledIn(index.call, entries) },
    identity: { uuid: filledIn(index.record, entries), run: filledIn(index.run, entries), entries },
    top_tools: counted(
      toolNames.map((name) => strings.name.at(name)),
      TOP_TOOLS,
    ),
    sample: sampleOf(index),
  };
}

const SAMPLES_PER_STREAM = 2;
const SAMPLES = 12;

function sampleOf(index: SessionIndex): Sample[] {
  const taken = new Map<number, number>();
  const sample: Sample[] = [];
  for (let entry = 0; entry < index.entries && sample.length < SAMPLES; entry++) {
    const stream = index.stream[entry]!;
    const before = taken.get(stream) ?? 0;
    if (before === SAMPLES_PER_STREAM) continue;
    taken.set(stream, before + 1);
    sample.push({
      seq: seqOf(index, entry),
      row: index.row[entry]!,
      kind: ENTRY_KINDS[index.kind[entry]!]!,
      stream: index.strings.stream.at(stream),
      record: index.strings.record.at(index.record[entry]!),
      call: index.strings.call.at(index.call[entry]!),
    });
  }
  return sample;
}

function* textLines(summaries: readonly Summary[]): Generator<string> {
  yield* summaryLines(summaries);
  for (const { session, detail } of summaries) if (detail !== undefined) yield* detailLines(session, detail);
}

function summaryLines(summaries: readonly Summary[]): string[] {
  const rows = summaries.map(({ session, entries, blocks, streams, strings, indexed_seq }) =>
    [session, entries, blocks, streams, strings, indexed_seq].map(String),
  );
  const [entries, blocks] = [sum(summaries.map((s) => s.entries)), sum(summaries.map((s) => s.blocks))];
  return [
    ...tableLines([['SESSION', 'ENTRIES', 'BLOCKS', 'STREAMS', 'STRINGS', 'INDEXED_SEQ'], ...rows]),
    '',
    `total: ${entries} entries, ${blocks} joinable blocks`,
  ];
}

function detailLines(session: string, detail: Detail): string[] {
  const { calls, fragments } = detail.provider_calls;
  const { uuid, run: runs, entries } = detail.identity;
  const mean = calls === 0 ? 0 : fragments / calls;
  const samples = detail.sample.map((s) => [
    `${s.seq}`,
    `${s.row}`,
    s.kind,
    s.stream || '-',
    s.record || '-',
    s.call || '-',
  ]);
  return [
    '',
    session,
    '',
    'record kinds:',
    ...countLines(detail.record_kinds, 12, 8),
    '',
    'joinable blocks:',
    ...countLines(detail.joinable_blocks, 12, 8),
    '',
    `provider calls: ${calls} distinct message ids over ${fragments} fragment records (mean ${mean.toFixed(2)})`,
    `identity coverage: uuid=${uuid}  run=${runs}  of ${entries} entries`,
    '',
    'top tools:',
    ...countLines(detail.top_tools, 14, 7),
    '',
    'sample entries (one index, all streams, all rounds):',
    ...tableLines([['SEQ', 'ROW', 'KIND', 'STREAM', 'RECORD', 'CALL'], ...samples]),
  ];
}

function countLines(counts: Counts, nameWidth: number, countWidth: number): string[] {
  return counts.map(
    ({ name, count }) => `  ${padded(name, nameWidth)} ${String(count).padStart(countWidth)}`,
  );
}

/** How often each word occurs, most first, then by the word. */
function counted(words: readonly string[], limit = Number.POSITIVE_INFINITY): Counts {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  const sorted = [...counts].sort(([a, n], [b, m]) => m - n || compareCodePoints(a, b));
  return sorted.slice(0, limit).map(([name, count]) => ({ name, count }));
}

/** Distinct numbers of a column but 0, which stands for the empty string. */
function distinct(column: Column, length: number): number {
  return new Set(column.subarray(0, length).filter((number) => number !== 0)).size;
}

function filledIn(column: Column, length: number): number {
  return length - countOf(column, length, 0);
}

function countOf(column: Column, length: number, wanted: number): number {
  let count = 0;
  for (let i = 0; i < length; i++) if (column[i] === wanted) count++;
  return count;
}

function namesOf(column: Column, length: number, wanted: (i: number) => boolean): number[] {
  const names: number[] = [];
  for (let i = 0; i < length; i++) if (wanted(i)) names.push(column[i]!);
  return names;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
