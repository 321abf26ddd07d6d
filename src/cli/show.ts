import { AszError } from '../format/errors.js';
import { BLOCK_KINDS, BLOCK_TOOL_RESULT, BLOCK_TOOL_USE } from '../format/index-entry.js';
import { printableJson } from '../format/json-text.js';
import { dataSlices, type SdPartRead, type SdRecordRead } from '../format/session-data.js';
import { type SessionIndex, seqOf } from '../format/session-index.js';
import { isIndexDamaged, loadIndex, readIndex } from '../io/index-store.js';
import { LandedRecords } from '../io/landed-records.js';
import type { CommandContext } from './context.js';
import { jsonText, padded, shortened } from './print.js';

/** `asz show SESSION ID`: the landed record behind a tool-use id, tried first, or a record id (cli spec 3.5). */
export async function run({ options, args, config, print, warn, stdout }: CommandContext): Promise<number> {
  const [session = '', id = ''] = args;
  const { root } = config().storage;
  const index =
    loadIndex(root, session)?.index ?? (isIndexDamaged(root, session) ? readIndex(root, session) : undefined);
  if (index === undefined) throw new AszError('INDEX', `no index for session ${session}`);
  const blocks = blocksOfTool(index, id);
  const entries =
    blocks.length > 0 ? blocks.map((block) => index.blockEntry[block]!) : entriesOfRecord(index, id);
  if (entries.length === 0)
    throw new AszError('INDEX', `id ${JSON.stringify(id)} not found in the index for ${session}`);
  const landed = new LandedRecords(root, session, index.files);
  const found = entries.flatMap((entry, i) => findingOf(landed, index, entry, blocks[i]) ?? []);
  if (options.switch('json')) {
    stdout.write(`${foundJson({ session, id, as: blocks.length > 0 ? 'tool_use' : 'record' }, found)}\n`);
  } else {
    if (blocks.length > 0) print(`tool-use id ${id} resolves to ${blocks.length} block(s)`);
    if (blocks.length > 0) print('');
    for (const finding of found) for (const line of findingLines(finding)) print(line);
  }
  const faults = landed.faults();
  for (const fault of faults) warn(`${fault}; run asz verify`);
  return faults.length > 0 ? 1 : 0;
}

/** One landed record and where it is; `block` only when a tool-use id led to it. */
interface Finding {
  readonly block?: { readonly kind: string; readonly position: number; readonly stream: string };
  readonly seq: number;
  readonly row: number;
  /** Below the storage root, with `/`. */
  readonly file: string;
  readonly record: SdRecordRead;
  /** The record's own line. */
  readonly line: string;
}

/** `undefined` when the record cannot be read; the faults of `landed` then say why. */
function findingOf(
  landed: LandedRecords,
  index: SessionIndex,
  entry: number,
  block: number | undefined,
): Finding | undefined {
  const file = `${index.session}/${index.files[index.file[entry]!]!.path}`;
  const [seq, row] = [seqOf(index, entry), index.row[entry]!];
  const [record, line] = [landed.at(seq, row), landed.lineAt(seq, row)];
  if (record === undefined || line === undefined) {
    if (landed.isFaulty(seq)) return undefined;
    throw new AszError('INDEX', `${file} has no row ${row}; remove the index and parse again`);
  }
  const at = block === undefined ? {} : { block: blockAt(index, entry, block) };
  return { ...at, seq, row, file, record, line };
}

function blockAt(index: SessionIndex, entry: number, block: number) {
  return {
    kind: BLOCK_KINDS[index.blockKind[block]!]!,
    position: block - index.firstBlock[entry]!,
    stream: index.strings.stream.at(index.stream[entry]!),
  };
}

/** Uses and results of a tool-use id, in landed order, each record once. */
function blocksOfTool(index: SessionIndex, id: string): number[] {
  const tool = index.strings.tool.find(id);
  const blocks: number[] = [];
  if (tool === 0) return blocks;
  for (let block = 0; block < index.blocks; block++) {
    const kind = index.blockKind[block];
    if (index.blockTool[block] !== tool || (kind !== BLOCK_TOOL_USE && kind !== BLOCK_TOOL_RESULT)) continue;
    if (!isRepeat(index, index.blockEntry[block]!)) blocks.push(block);
  }
  return blocks;
}

function entriesOfRecord(index: SessionIndex, id: string): number[] {
  const record = index.strings.record.find(id);
  const entry = record === 0 ? -1 : index.record.subarray(0, index.entries).indexOf(record);
  return entry < 0 ? [] : [entry];
}

/** An interrupted pass can land a record twice; the first copy is the one that counts. */
function isRepeat(index: SessionIndex, entry: number): boolean {
  const record = index.record[entry]!;
  return record !== 0 && index.record.indexOf(record) < entry;
}

/**
 * The findings as JSON, put together as text: a record stands in it as it landed, and no value that was parsed and
 * written again would.
 */
function foundJson(asked: object, found: readonly Finding[]): string {
  const findings = found.map(({ record: _, line, ...where }) =>
    withMember(jsonText(where), 'record', rawJson(line)).replaceAll('\n', '\n    '),
  );
  const list = findings.length === 0 ? '[]' : `[\n    ${findings.join(',\n    ')}\n  ]`;
  return withMember(jsonText(asked), 'found', list);
}

/** Adds a member at the end of an object as `jsonText` spells it. */
function withMember(object: string, key: string, value: string): string {
  return `${object.slice(0, -'\n}'.length)},\n  "${key}": ${value}\n}`;
}

/** A landed line, printable. Control characters stand only between its tokens, where any white space will do. */
function rawJson(line: string): string {
  return printableJson(line.replaceAll(/[\t\r]/g, ' '));
}

const TEXT_LIMIT = 300;
const ID_LIMIT = 24;

function findingLines({ block, seq, row, file, record, line }: Finding): string[] {
  const data = dataSlices(line);
  const trigger = record.trigger === '' ? '' : `   trigger: ${record.trigger}`;
  const flags = record.flags.length === 0 ? '' : `   flags: ${record.flags.join(',')}`;
  return [
    ...(block === undefined
      ? []
      : [`── ${block.kind}  block ${block.position} of record  stream=${block.stream}`]),
    `   index : seq=${seq} row=${row}`,
    `   file  : ${file}`,
    `   source: ord=${record.ord} off=${record.off} sha=${record.sha} bytes=${record.bytes}   (where it came from)`,
    `   from  : ${record.from}${trigger}${flags}`,
    ...record.parts.flatMap((part, position) => partLines(part, position, data[position] ?? '')),
    ...record.dropped.map(
      ({ what, bytes, why }) => `   dropped ${what}, ${bytes} bytes${why === '' ? '' : `  (${why})`}`,
    ),
    '',
  ];
}

/** `data` as it stands in the landed line. */
function partLines(part: SdPartRead, position: number, data: string): string[] {
  const name = part.name || (part.of === '' ? '' : `of ${shortened(part.of, ID_LIMIT)}`);
  const lines = [`   part ${position}  ${padded(part.k, 9)}${name}   ${part.state}, ${part.bytes} bytes`];
  for (const content of [part.text.replace(/\r?\n/g, ' '), data])
    if (content !== '') lines.push(`      ${shortened(content, TEXT_LIMIT)}`);
  return lines;
}
