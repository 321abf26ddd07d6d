/**
 * A record's content as parts, one for each piece of source content, in source order and none left out: the
 * place of a part is its address (dialect spec 3.7, 3.8).
 */
import type { Slice } from '../../format/json-scan.js';
import { jsonStringForHtml } from '../../format/json-text.js';
import type { SdDropped, SdPart } from '../../format/session-data.js';
import { splitMcpName } from '../mcp-name.js';
import { isObject, type JsonObject, objectAt, textAt } from './json-object.js';
import { dataPart, newPart, type SourceLine, unknownSlice } from './source-line.js';

export interface Content {
  readonly parts: readonly SdPart[];
  readonly dropped: readonly SdDropped[];
}

/** The parts of a record's own content; none when it has none, and then the record lands whole. */
export function contentOf(line: SourceLine): Content {
  if (line.object.type === 'attachment') return { parts: attachmentParts(line), dropped: [] };
  const content = objectAt(line.object, 'message')?.content ?? undefined;
  if (content === undefined) return NOTHING;
  if (typeof content === 'string') return { parts: [textPart('text', content.toWellFormed())], dropped: [] };
  if (Array.isArray(content)) return { parts: blockParts(line, content), dropped: signatures(content) };
  const slice = slot(line.messageContent);
  return { parts: [unknownSlice(line, slice, NEITHER_TEXT_NOR_LIST)], dropped: [] };
}

const NOTHING: Content = { parts: [], dropped: [] };
const NEITHER_TEXT_NOR_LIST = 'the content is neither text nor a list of blocks';
const NOT_AN_OBJECT = 'the block is not an object';

function attachmentParts(line: SourceLine): SdPart[] {
  const attachment = objectAt(line.object, 'attachment');
  if (attachment === undefined) return [];
  // A `text` of another type is content this dialect does not know: the raw attachment then keeps it.
  const known = typeof (attachment.text ?? '') === 'string';
  const text = known ? textAt(attachment, 'text') || textAt(attachment, 'content') : '';
  if (text !== '') return [textPart('text', text)];
  const slice = slot(line.slices.members.get('attachment'));
  const data = line.dataOf(slice);
  return [dataPart('data', data, line.bytesOf(slice, data))];
}

function blockParts(line: SourceLine, blocks: readonly unknown[]): SdPart[] {
  return blocks.map((block, i) => {
    const slices = () => slot(line.messageContent?.elements[i]);
    if (!isObject(block)) return unknownSlice(line, slices(), NOT_AN_OBJECT);
    return blockPart(line, block, slices);
  });
}

/** `slices` is asked only where raw text is needed: it makes the line be scanned. */
function blockPart(line: SourceLine, block: JsonObject, slices: () => Slice): SdPart {
  const type = textAt(block, 'type');
  switch (type) {
    case 'text':
    case 'thinking': {
      const text = block[type] ?? '';
      if (typeof text !== 'string') return unknownSlice(line, slices(), wrongShape(type));
      return textPart(type === 'text' ? 'text' : 'reasoning', text.toWellFormed());
    }
    case 'redacted_thinking':
      return newPart('reasoning', 'redacted');
    case 'tool_use':
    case 'server_tool_use':
      return callPart(line, block, slices, type === 'tool_use');
    case 'tool_result':
      return resultPart(line, block, slices);
    case 'image':
      return imagePart(block);
    default:
      return unknownSlice(line, slices(), `block type "${type}" is not one this dialect describes`);
  }
}

function wrongShape(type: string): string {
  return `block type "${type}" is not of the shape this dialect describes`;
}

/** Reasoning without text is withheld; text without text is empty. */
function textPart(k: 'text' | 'reasoning', text: string): SdPart {
  const part = newPart(k, k === 'reasoning' && text === '' ? 'unavailable' : 'available');
  part.text = text;
  part.bytes = Buffer.byteLength(text);
  return part;
}

function callPart(line: SourceLine, block: JsonObject, slices: () => Slice, mayBeMcp: boolean): SdPart {
  const part = newPart('call', 'available');
  part.id = textAt(block, 'id');
  part.name = textAt(block, 'name');
  const mcp = mayBeMcp ? splitMcpName(part.name) : undefined;
  if (mcp !== undefined) {
    part.server = mcp.server;
    part.server_tool = mcp.tool;
  }
  if (!Object.hasOwn(block, 'input')) return part;
  const input = slot(slices().members.get('input'));
  part.data = line.dataOf(input);
  part.bytes = line.bytesOf(input, part.data);
  return part;
}

/** `text` is what the model saw, `data` the client's own structured form of it, when there is one. */
function resultPart(line: SourceLine, block: JsonObject, slices: () => Slice): SdPart {
  const part = newPart('result', 'available');
  const text = resultText(block.content);
  part.text = text;
  part.of = textAt(block, 'tool_use_id');
  part.bytes = text === '' ? 0 : Buffer.byteLength(text);
  if (text === '' && Object.hasOwn(block, 'content')) {
    const content = slot(slices().members.get('content'));
    part.data = line.dataOf(content);
    part.bytes = line.bytesOf(content, part.data);
  }
  if (objectAt(line.object, 'toolUseResult') !== undefined)
    part.data = line.dataOf(slot(line.slices.members.get('toolUseResult')));
  if (typeof block.is_error === 'boolean') part.failed = block.is_error;
  return part;
}

function resultText(content: unknown): string {
  if (typeof content === 'string') return content.toWellFormed();
  if (!Array.isArray(content) || !content.every(isObject)) return '';
  return content
    .map((block) => textAt(block, 'text'))
    .filter((text) => text !== '')
    .join('\n');
}

function imagePart(block: JsonObject): SdPart {
  const source = objectAt(block, 'source') ?? {};
  const data = textAt(source, 'data');
  const part = dataPart('media', jsonStringForHtml(data), Buffer.byteLength(data));
  part.media = textAt(source, 'media_type');
  return part;
}

/** The one thing this dialect understands and leaves out. A block that lands as `unknown` keeps its own. */
function signatures(blocks: readonly unknown[]): SdDropped[] {
  const dropped: SdDropped[] = [];
  for (const block of blocks) {
    if (!isObject(block)) continue;
    const landsAsReasoning =
      block.type === 'redacted_thinking' ||
      (block.type === 'thinking' && typeof (block.thinking ?? '') === 'string');
    const signature = landsAsReasoning ? textAt(block, 'signature') : '';
    if (signature !== '')
      dropped.push({
        what: 'reasoning signature',
        bytes: Buffer.byteLength(signature),
        why: 'a provider verifies it; a reader cannot read it',
      });
  }
  return dropped;
}

/** The scan follows the same text as the parse, so what the parse found has a slice. */
function slot(slice: Slice | undefined): Slice {
  if (slice === undefined) throw new Error('claudecode: the scan of a line differs from its parse');
  return slice;
}
