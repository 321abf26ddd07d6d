/**
 * What tools changed in the workspace (view spec 2.12): the `changes/1` records of a session, each once, joined to
 * the call they belong to by its tool-use id and never by time.
 */
import type { ByteText } from '../format/byte-text.js';
import { compactSlice, type Shape, type Slice, scanJson } from '../format/json-scan.js';
import { compareCodePoints } from '../format/json-text.js';
import type { RecordGlance } from '../format/record-glance.js';
import type { Ref } from '../format/session-flow.js';
import { compareInstants, type Instant, isNoTime, parseTime } from '../format/time.js';
import { readWorkspaceChange } from '../format/workspace-change.js';
import { byPlace, compareRefs } from '../rounds/display-order.js';
import { ByteStore, type Json } from './byte-store.js';
import type { ViewNode } from './forest.js';
import { quoted, refText } from './json-out.js';
import { isObject } from './record-text.js';
import type { Withheld } from './withheld.js';

interface ChangeRecord {
  /** Who captured what: a second record of that name says nothing new. */
  readonly name: string;
  readonly id: string;
  readonly tool: string;
  readonly byRuntime: boolean;
  readonly time: Instant;
  readonly ref: Ref;
  /** Its own members, each after a comma. */
  readonly members: Json;
  /** Records beside a tool's result are read before those of change files. */
  readonly fromFile: boolean;
}

/** The records of the document, and which calls they belong to. */
export interface JoinedChanges {
  /** Each entry in pieces. */
  readonly entries: readonly (readonly Json[])[];
  /** Ids of the records of a call. */
  readonly ofStep: ReadonlyMap<ViewNode, readonly string[]>;
}

export class WorkspaceChanges {
  readonly #withheld: Withheld;
  readonly #store = new ByteStore();
  readonly #records: ChangeRecord[] = [];
  readonly #calls = new Map<string, ViewNode>();

  constructor(withheld: Withheld) {
    this.#withheld = withheld;
  }

  /** A call's tool-use id, from the part its step stands on. Of two steps with one id the first landed counts. */
  callAt(id: string, step: ViewNode): void {
    if (id === '') return;
    const other = this.#calls.get(id);
    if (other === undefined || byPlace(step, other) < 0) this.#calls.set(id, step);
  }

  /** Takes the change records among a record's parts. */
  see(record: RecordGlance, { seq, row }: Ref, fromFile = false): void {
    if (this.#withheld.hides(record.flags)) return;
    for (const [block, part] of record.parts.entries()) {
      const data = part.dataWith(SCHEMA_WORD);
      const change = readWorkspaceChange(data);
      if (change === undefined || !isObject(data)) continue;
      const members = ownMembers(part.rawData);
      if (members === undefined) continue;
      const text = (key: string) => String(data[key] ?? '').toWellFormed();
      this.#records.push({
        ...{
          name: change.name.toWellFormed(),
          id: text('id'),
          tool: text('tool'),
          time: parseTime(text('time')),
        },
        ...{
          byRuntime: data.captured_by === 'claude-code',
          ref: { seq, row, block },
          members: this.#store.keep(members),
          fromFile,
        },
      });
    }
  }

  join(): JoinedChanges {
    const first = new Map<string, ChangeRecord>();
    for (const record of this.#records.sort(asRead))
      if (!first.has(record.name)) first.set(record.name, record);
    const ofStep = new Map<ViewNode, string[]>();
    const entries: (readonly Json[])[] = [];
    for (const { tool, id, ref, members } of [...first.values()].sort(asHappened)) {
      const step = this.#calls.get(tool);
      entries.push([`{"step":${quoted(step?.id ?? '')},"ref":${refText(ref)}`, members, '}']);
      if (step === undefined) continue;
      if (ofStep.has(step)) ofStep.get(step)!.push(id);
      else ofStep.set(step, [id]);
    }
    return { entries, ofStep };
  }
}

function asRead(a: ChangeRecord, b: ChangeRecord): number {
  return Number(a.fromFile) - Number(b.fromFile) || compareRefs(a.ref, b.ref);
}

/** A time that does not parse sorts last; at one instant the runtime's own record comes first. */
function asHappened(a: ChangeRecord, b: ChangeRecord): number {
  return (
    Number(isNoTime(a.time)) - Number(isNoTime(b.time)) ||
    compareInstants(a.time, b.time) ||
    Number(b.byRuntime) - Number(a.byRuntime) ||
    asRead(a, b) ||
    compareCodePoints(a.name, b.name)
  );
}

/** Of their schema's name. */
const SCHEMA_WORD = 'changes';

/** The members a change record may have. Others are not carried: one might be named as a member of ours. */
const MEMBERS =
  'schema id captured_by session stream tool tool_name time basis root policy window outcome coverage gaps overlaps changed_files changes';
const SHAPE: Shape = { members: new Map(MEMBERS.split(' ').map((key) => [key, {}])) };

/** A change nests six deep. Deeper ones would be drawn by nobody, and indenting them costs their square. */
const MAX_DEPTH = 32;

/** The record's own members in their own order and spelling; `undefined` for one that nests too deep. */
function ownMembers(data: ByteText): ByteText | undefined {
  const { members, depth } = scanJson(data, SHAPE);
  if (depth > MAX_DEPTH) return undefined;
  const spelled = (slice: Slice) => compactSlice(data, slice);
  return [...members].map(([key, slice]) => `,"${key}":${spelled(slice)}`).join('');
}
