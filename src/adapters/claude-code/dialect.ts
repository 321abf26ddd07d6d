/**
 * `claude-code/1`: one unit of a source in, one Session Data record out. Pure, and without memory between
 * units. Source: dialect spec 3; where it departs from the reference, docs/departures.md has the reason.
 *
 *     {"type":"ai-title","aiTitle":"Count lines"}
 *     {"ord":4,…,"label":"Count lines","from":"runtime","parts":[{"k":"data","data":{"type":…}}]}
 */
import { FormatError } from '../../format/errors.js';
import { nestingDepth } from '../../format/json-scan.js';
import type { SdPart, SdRecord, SdUsage } from '../../format/session-data.js';
import type { SourceUnit } from '../adapter.js';
import { changePart } from './changes.js';
import { contentOf } from './content-parts.js';
import { flagsOf, triggerOf } from './flags.js';
import { countAt, firstText, isObject, type JsonObject, objectAt, textAt } from './json-object.js';
import { decodedExactly, parse, readLine, SourceLine, unknownPart } from './source-line.js';
import { toolAndChild } from './tool-and-child.js';

/** See `Adapter.convert`. */
export function convertUnit(unit: SourceUnit): SdRecord {
  switch (unit.source.kind) {
    case 'workflow_script':
      return unreadable(unit, 'the source is a program, not data');
    case 'workflow_manifest':
      return manifestRecord(unit);
    case 'transcript':
    case 'agent_meta':
    case 'journal': {
      const line = readLine(unit.raw);
      return line === undefined ? unreadable(unit, 'the record is not valid JSON') : lineRecord(unit, line);
    }
    default:
      return unit.source.kind satisfies never;
  }
}

/** Open objects and lists a reader may refuse (dialect spec 1.11): the record, its parts and the part are three. */
const MAX_DEPTH = 256;
const MAX_DATA_DEPTH = MAX_DEPTH - 3;

function lineRecord(unit: SourceUnit, line: SourceLine): SdRecord {
  const { object: record } = line;
  const { kind, batch } = unit.source;
  const message = objectAt(record, 'message') ?? {};
  const usage = objectAt(message, 'usage');
  const launchedRun = textAt(objectAt(record, 'toolUseResult') ?? {}, 'runId');
  const { parts, dropped } = contentOf(line);
  const change = changePart(record, unit, parts);
  const all = change === undefined ? parts : [...parts, change];
  const fields = {
    ...provenance(unit),
    id: textAt(record, 'uuid'),
    parent: textAt(record, 'parentUuid'),
    // Not the request id: a record the client makes up can repeat a real call's.
    call: textAt(message, 'id'),
    run: textAt(record, 'promptId'),
    continues: textAt(record, 'logicalParentUuid'),
    ...toolAndChild(record, unit.source),
    batch: launchedRun === '' && kind === 'journal' ? batch : launchedRun,
    label: firstText(record, 'aiTitle', 'description', 'workflowName'),
    started_by: textAt(record, 'parentAgentId'),
    from: kind === 'transcript' ? producerOf(record.type) : 'runtime',
    time: textAt(record, 'timestamp'),
    trigger: triggerOf(record),
    flags: flagsOf(record, kind),
    ...(usage === undefined ? {} : { usage: usageOf(usage) }),
    model: textAt(message, 'model'),
  };
  return withParts(fields, line, all.length === 0 ? [wholePart(line)] : all, dropped);
}

/** A document that was caught half written cannot be `data`; it is complete in a later pass. */
function manifestRecord(unit: SourceUnit): SdRecord {
  const text = unit.raw.toString('utf8');
  const value = parse(text);
  if (value === undefined) throw new FormatError('the manifest is not valid JSON yet; it is tried again');
  const manifest = isObject(value) ? value : {};
  const line = new SourceLine(unit.raw, text, manifest);
  const fields = {
    ...provenance(unit),
    batch: textAt(manifest, 'runId') || unit.source.batch,
    label: textAt(manifest, 'workflowName'),
    from: 'runtime',
  };
  return withParts(fields, line, [wholePart(line)], []);
}

function withParts(
  fields: SdRecord,
  line: SourceLine,
  parts: readonly SdPart[],
  dropped: SdRecord['dropped'],
): SdRecord {
  if (isTooDeep(line, parts))
    return { ...fields, parts: [unknownPart(line.raw, 'the record cannot be encoded', line.text)] };
  if (decodedExactly(line.raw, line.text)) return { ...fields, parts, dropped: dropped ?? [] };
  const original = unknownPart(line.raw, 'the record is not valid UTF-8', line.text);
  return { ...fields, parts: [...parts, original], dropped: dropped ?? [] };
}

/** Only what lands counts: a deep value whose text stands elsewhere changes nothing. */
function isTooDeep(line: SourceLine, parts: readonly SdPart[]): boolean {
  if (line.depthTaken <= MAX_DATA_DEPTH) return false;
  return parts.some(({ data }) => data !== undefined && nestingDepth(data) > MAX_DATA_DEPTH);
}

function wholePart(line: SourceLine): SdPart {
  return { k: 'data', ...line.rawData(line.slices), state: 'available', bytes: line.raw.length };
}

function unreadable(unit: SourceUnit, reason: string): SdRecord {
  return { ...provenance(unit), from: 'runtime', parts: [unknownPart(unit.raw, reason)] };
}

function provenance({ ord, off, sha, raw }: SourceUnit): Pick<SdRecord, 'ord' | 'off' | 'sha' | 'bytes'> {
  return { ord, off, sha, bytes: raw.length };
}

/** Every tool result is external; whatever is neither the model's nor the user's is the harness's. */
function producerOf(type: unknown): string {
  if (type === 'assistant') return 'agent';
  return type === 'user' ? 'external' : 'runtime';
}

function usageOf(usage: JsonObject): SdUsage {
  return {
    in: countAt(usage, 'input_tokens'),
    out: countAt(usage, 'output_tokens'),
    cache_read: countAt(usage, 'cache_read_input_tokens'),
    cache_write: countAt(usage, 'cache_creation_input_tokens'),
  };
}
