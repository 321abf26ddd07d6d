/**
 * The outline of a landed record: its identifiers and its position, all that the index and verification want of it,
 * from its bytes. Every rule of reading holds as in `readRecord`; only the content is not given.
 *
 * Content is most of a line, and decoding it most of the work, so the bytes are taken for Latin-1 first. Bytes past
 * ASCII stand only within strings, never are a quote or a backslash, and so change nothing about what is JSON. A
 * string that comes out as ASCII was ASCII, and is right. When one that is wanted does not, or anything at all is
 * wrong, the line is read again in full, and that reading counts.
 */
import { anyText, integer, list, type Members, members, natural, UNSURE, word } from './plain-members.js';
import { readRecord, type SdRecordRead } from './session-data.js';
import type { IndexableRecord } from './session-index.js';
import { CHANGES_SCHEMA } from './workspace-change.js';

/** Of `data` only workspace changes are given, and of their texts only the two that name one have to be right. */
export type RecordOutline = IndexableRecord & Pick<SdRecordRead, 'ord' | 'off' | 'bytes'>;

/** Reads the outline of a record line. Throws `FormatError` as `readRecord` does for the same line. */
export function readOutline(line: Buffer): RecordOutline {
  return outlineOfPlain(line) ?? readRecord(line.toString('utf8'));
}

/** `undefined` when only reading in full can tell. */
function outlineOfPlain(line: Buffer): RecordOutline | undefined {
  try {
    const o = members(JSON.parse(line.toString('latin1')));
    anyText(o.sha);
    anyText(o.model);
    const usage = members(o.usage);
    for (const key of ['in', 'out', 'cache_read', 'cache_write']) integer(usage[key]);
    for (const item of list(o.dropped)) checkDropped(members(item));
    return {
      ord: natural(o.ord),
      off: natural(o.off),
      bytes: integer(o.bytes),
      id: word(o.id),
      parent: word(o.parent),
      call: word(o.call),
      run: word(o.run),
      continues: word(o.continues),
      tool: word(o.tool),
      child: word(o.child),
      batch: word(o.batch),
      label: word(o.label),
      started_by: word(o.started_by),
      from: word(o.from),
      time: word(o.time),
      trigger: word(o.trigger),
      flags: list(o.flags).map(word),
      parts: list(o.parts).map((part) => partOutline(members(part))),
    };
  } catch {
    return undefined; // The full reading finds it again, with the words for it, or finds nothing.
  }
}

function partOutline(o: Members): RecordOutline['parts'][number] {
  anyText(o.text);
  anyText(o.media);
  anyText(o.encoding);
  anyText(o.state);
  integer(o.bytes);
  if (typeof (o.failed ?? false) !== 'boolean') throw UNSURE;
  return {
    k: word(o.k),
    data: changesIn(o.data),
    id: word(o.id),
    of: word(o.of),
    name: word(o.name),
    server: word(o.server),
    server_tool: word(o.server_tool),
  };
}

/** Of a change record the index takes the name, which these two make, and numbers. */
function changesIn(data: unknown): unknown {
  if (typeof data !== 'object' || data === null) return undefined;
  const change = data as Members;
  if (change.schema !== CHANGES_SCHEMA) return undefined;
  word(change.captured_by);
  word(change.id);
  return change;
}

function checkDropped(o: Members): void {
  anyText(o.what);
  anyText(o.why);
  integer(o.bytes);
}
