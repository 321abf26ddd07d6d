import { join } from 'node:path';
import { AszError, causeText } from '../format/errors.js';
import { BLOCK_KINDS, BLOCK_TOOL_RESULT, BLOCK_TOOL_USE } from '../format/index-entry.js';
import type { SdPartRead, SdRecordRead } from '../format/session-data.js';
import { type SessionIndex, seqOf } from '../format/session-index.js';
import { loadIndex } from '../io/index-store.js';
import { readLandedRecord } from '../io/landed-file.js';
import { sessionFolder } from '../io/storage-root.js';
import type { CommandContext } from './context.js';
import { jsonText, padded, shortened } from './print.js';

/** `asz show SESSION ID`: the landed record behind a tool-use id, tried first, or a record id (cli spec 3.5). */
export async function run({ options, args, config, print, stdout }: CommandContext): Promise<number> {
  const [session = '', id = ''] = args;
  const { root } = config().storage;
  const index = loadIndex(root, session)?.index;
  if (index === undefined) throw new AszError('INDEX', `no index for session ${session}`);
  const blocks = blocksOfTool(index, id);
  const entries =
    blocks.length > 0 ? blocks.map((block) => index.blockEntry[block]!) : entriesOfRecord(index, id);
  if (entries.length === 0)
    throw new AszError('INDEX', `id ${JSON.stringify(id)} not found in the index for ${session}`);
  const found = entries.map((entry, i) => findingOf(root, index, entry, blocks[i]));
  if (options.switch('json')) {
    stdout.write(`${jsonText({ session, id, as: blocks.length > 0 ? 'tool_use' : 'record', found })}\n`);
    return 0;
  }
  if (blocks.length > 0) print(`tool-use id ${id} resolves to ${blocks.length} block(s)`);
  if (blocks.length > 0) print('');
  for (const finding of found) for (const line of findingLines(finding)) print(line);
  return 0;
}

/** One landed record and where it is; `block` only when a tool-use id led to it. */
interface Finding {
  readonly block?: { readonly kind: string; readonly position: number; readonly stream: string };
  readonly seq: number;
  readonly row: number;
  /** Below the storage root, with `/`. */
  readonly file: string;
  readonly record: SdRecordRead;
}

function findingOf(root: string, index: SessionIndex, entry: number, block: number | undefined): Finding {
  const { path } = index.files[index.file[entry]!]!;
  const row = index.row[entry]!;
  return {
    ...(block === undefined ? {} : { block: blockAt(index, entry, block) }),
    seq: seqOf(index, entry),
    row,
    file: `${index.session}/${path}`,
    record: recordAt(root, index.session, path, row),
  };
}

function blockAt(index: SessionIndex, entry: number, block: number) {
  return {
    kind: BLOCK_KINDS[index.blockKind[block]!]!,
    position: block - index.firstBlock[entry]!,
    stream: index.strings.stream.at(index.stream[entry]!),
  };
}

function recordAt(root: string, session: string, path: string, row: number): SdRecordRead {
  let record: SdRecordRead | undefined;
  try {
    record = readLandedRecord(join(sessionFolder(root, session), path), row);
  } catch (cause) {
    throw new AszError('INDEX', `${session}/${path} row ${row}: ${causeText(cause)}`, { cause });
  }
  if (record === undefined)
    throw new AszError('INDEX', `${session}/${path} has no row ${row}; remove the index and parse again`);
  return record;
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

const TEXT_LIMIT = 300;
const ID_LIMIT = 24;

function findingLines({ block, seq, row, file, record }: Finding): string[] {
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
    ...record.parts.flatMap(partLines),
    ...record.dropped.map(
      ({ what, bytes, why }) => `   dropped ${what}, ${bytes} bytes${why === '' ? '' : `  (${why})`}`,
    ),
    '',
  ];
}

function partLines(part: SdPartRead, position: number): string[] {
  const name = part.name || (part.of === '' ? '' : `of ${shortened(part.of, ID_LIMIT)}`);
  const lines = [`   part ${position}  ${padded(part.k, 9)}${name}   ${part.state}, ${part.bytes} bytes`];
  const data = part.data === undefined ? '' : JSON.stringify(part.data);
  for (const content of [part.text.replace(/\r?\n/g, ' '), data])
    if (content !== '') lines.push(`      ${shortened(content, TEXT_LIMIT)}`);
  return lines;
}
