/**
 * What an editing tool says it did to one file, as a part of its own beside the tool's result:
 *
 *     {"schema":"changes/1","id":"toolu_1","captured_by":"claude-code",…,"changes":[{"path":"a.txt",
 *      "operation":"modify","before":{"present":true,"bytes":4,…},"after":{…},"diff":"available",
 *      "additions":1,"deletions":0,"hunks":[{"old_start":1,"old_lines":1,…,"lines":[" a","+b"]}]}]}
 *
 * Source: dialect spec 3.10. Nothing unobserved is stated as observed: a file whose earlier content the client
 * left out, but whose own patch or type shows that it existed, was modified, not created.
 */
import { createHash } from 'node:crypto';
import { posix } from 'node:path';
import { escapeForHtml } from '../../format/json-text.js';
import type { SdPart } from '../../format/session-data.js';
import type { SourceUnit } from '../adapter.js';
import { firstText, isObject, type JsonObject, objectAt, textAt } from './json-object.js';
import { type Hunk, lineDiff } from './line-diff.js';
import { dataPart } from './source-line.js';

/** The change part of a record, or `undefined` when its result reports no change we can state. */
export function changePart(
  record: JsonObject,
  unit: Pick<SourceUnit, 'session' | 'source'>,
  parts: readonly SdPart[],
): SdPart | undefined {
  const result = objectAt(record, 'toolUseResult');
  const file = result && firstText(result, 'filePath', 'notebook_path');
  if (result === undefined || !file) return undefined;
  const tool = parts.find(({ k, of }) => k === 'result' && of)?.of;
  const time = textAt(record, 'timestamp');
  if (tool === undefined || time === '') return undefined;
  const cwd = textAt(record, 'cwd');
  const change = changeOf(result, relativePath(cwd, file));
  if (change === undefined) return undefined;
  const data = escapeForHtml(
    JSON.stringify({
      schema: 'changes/1',
      id: tool,
      captured_by: 'claude-code',
      session: unit.session,
      stream: unit.source.stream,
      tool,
      time,
      basis: 'runtime_reported',
      root: cwd === '' ? undefined : { path: cwd },
      changed_files: 1,
      changes: [change],
    }),
  );
  return dataPart('data', data, Buffer.byteLength(data));
}

function changeOf(result: JsonObject, path: string): object | undefined {
  const isNotebook = textAt(result, 'filePath') === '';
  const before = stringAt(result, isNotebook ? 'original_file' : 'originalFile');
  const after = stringAt(result, isNotebook ? 'updated_file' : 'content') ?? edited(result, before);
  const patch = patchOf(result);
  if (patch.length === 0 && after === undefined) return undefined;
  const existed = before !== undefined || result.type === 'update' || patch.some((h) => h.old_lines > 0);
  // Existed, unseen, and no patch: the difference is not known.
  if (patch.length === 0 && existed && before === undefined) return undefined;
  return {
    path,
    operation: existed ? 'modify' : 'create',
    before: existed ? endpoint(before) : { present: false, bytes: null },
    after: endpoint(after),
    ...(patch.length > 0 ? counted(patch) : compared(before ?? '', after ?? '')),
  };
}

function edited(result: JsonObject, before: string | undefined): string | undefined {
  const old = textAt(result, 'oldString');
  if (before === undefined || old === '') return undefined;
  const replacement = textAt(result, 'newString');
  // A function, because `$&` in a replacement string would mean something.
  if (result.replaceAll !== true) return before.replace(old, () => replacement);
  const pieces = before.split(old);
  // A few hostile bytes could ask for terabytes, and a line must always land.
  const length = before.length + (pieces.length - 1) * (replacement.length - old.length);
  return length > MAX_EDITED_LENGTH ? undefined : pieces.join(replacement);
}

const MAX_EDITED_LENGTH = 64 * 1024 * 1024;

/** One side of a change. `undefined`: it is there, and its content is not known. */
function endpoint(content: string | undefined): object {
  if (content === undefined) return { present: true, bytes: null };
  const bytes = Buffer.from(content);
  return {
    present: true,
    bytes: bytes.length,
    sha256: createHash('sha256').update(bytes).digest('hex'),
    ...(content !== '' && !content.endsWith('\n') ? { no_newline_at_end: true } : {}),
  };
}

function compared(before: string, after: string): object {
  if (before.includes('\0') || after.includes('\0')) return uncounted('binary');
  const hunks = lineDiff(before, after);
  return hunks === undefined ? uncounted('too_large') : counted(hunks);
}

function counted(hunks: readonly Hunk[]): object {
  const starting = (sign: string) =>
    hunks.reduce((sum, { lines }) => sum + lines.filter((line) => line.startsWith(sign)).length, 0);
  return {
    diff: 'available',
    additions: starting('+'),
    deletions: starting('-'),
    ...(hunks.length === 0 ? {} : { hunks }),
  };
}

function uncounted(diff: 'binary' | 'too_large'): object {
  return { diff, additions: null, deletions: null };
}

/** The client's own patch; none when it is not a list of objects. */
function patchOf(result: JsonObject): Hunk[] {
  const patch = result.structuredPatch;
  if (!Array.isArray(patch) || !patch.every(isObject)) return [];
  return patch.map((hunk) => ({
    old_start: wholeAt(hunk, 'oldStart'),
    old_lines: wholeAt(hunk, 'oldLines'),
    new_start: wholeAt(hunk, 'newStart'),
    new_lines: wholeAt(hunk, 'newLines'),
    lines: linesAt(hunk),
  }));
}

function wholeAt(hunk: JsonObject, key: string): number {
  const value = hunk[key];
  return Number.isSafeInteger(value) ? (value as number) : 0;
}

function linesAt({ lines }: JsonObject): string[] {
  if (!Array.isArray(lines)) return [];
  return lines.filter((line) => typeof line === 'string').map((line) => line.toWellFormed());
}

function stringAt(object: JsonObject, key: string): string | undefined {
  const value = object[key];
  return typeof value === 'string' ? value.toWellFormed() : undefined;
}

/** Relative to `cwd` unless that would lead out of it. POSIX rules everywhere: a Windows path stays as given. */
function relativePath(cwd: string, file: string): string {
  if (!cwd.startsWith('/') || !file.startsWith('/')) return file;
  const relative = posix.relative(cwd, file) || '.';
  return relative.startsWith('..') ? file : relative;
}
