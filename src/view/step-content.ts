/**
 * What a step shows of the records it stands on (view spec 3.4). A record is seen once, while its file is read;
 * what the document will say of it is kept as JSON text, cut to size, so that no record outlives its file.
 */

import { type ByteText, bytesOf, headOf, textOf } from '../format/byte-text.js';
import type { PartGlance, RecordGlance } from '../format/record-glance.js';
import type { Attributes, Ref } from '../format/session-flow.js';
import { compareInstants, type Instant, isNoTime } from '../format/time.js';
import { attributesOf } from './attributes.js';
import { ByteStore, type Json } from './byte-store.js';
import type { Evidence, Taker, WantedRecords } from './evidence.js';
import { type Content, hasContent, isRequest, type ViewNode } from './forest.js';
import { countMember, flagMember, listMember, quoted, rawMember, textMember } from './json-out.js';
import { type Members, objectsIn, partAt, readable, resultPartAt } from './record-text.js';
import { clipped, MAX_TEXT_BYTES, trimmed } from './text-rules.js';
import type { Withheld } from './withheld.js';
import type { WorkspaceChanges } from './workspace-changes.js';

/** Wants the records of every step, and makes each step's content of them. */
export function wantContents(
  nodes: Iterable<ViewNode>,
  wanted: WantedRecords,
  withheld: Withheld,
  changes: WorkspaceChanges,
): void {
  const shared = { store: new ByteStore(), withheld, changes };
  for (const node of nodes) {
    if (node.kind === 'llm.call') wantUsage(node, wanted, shared.store);
    if (!hasContent(node)) continue;
    const step = new StepContent(node, shared);
    node.content = step;
    if (node.ref !== undefined) wanted.at(node.ref, step, OWN);
    for (let i = 1; i < node.refs.length; i++) wanted.at(node.refs[i]!, step, i);
  }
}

/** What the steps of one document share. */
interface Shared {
  readonly store: ByteStore;
  readonly withheld: Withheld;
  readonly changes: WorkspaceChanges;
}

/** One answer to a request, from one of the records that came back. */
interface Answer {
  readonly text: Json;
  readonly state: string;
  readonly bytes: number;
  readonly failed: boolean | undefined;
}

/** The record a step stands on; its answers are numbered as its references are. */
const OWN = 0;

class StepContent implements Taker, Content {
  readonly #node: ViewNode;
  readonly #shared: Shared;
  #own: Json = '';
  #failed: boolean | undefined;
  #duration = '';
  /** By their place among the references; those behind the first with text are not kept. */
  #answers: Answer[] | undefined;
  #answered = Number.POSITIVE_INFINITY;

  constructor(node: ViewNode, shared: Shared) {
    this.#node = node;
    this.#shared = shared;
  }

  see(record: RecordGlance, ref: Ref, which: number): void {
    if (which === OWN) {
      this.#seeOwn(record);
      return;
    }
    this.#seeAnswer(which, record);
    if (this.#node.kind === 'tool') this.#shared.changes.see(record, ref);
  }

  pieces(evidence: Evidence): readonly Json[] {
    const answers = this.#answers ?? [];
    let [text, state, bytes]: [Json, string, number] = ['', '', 0];
    let failed = this.#failed;
    for (let i = 1; i < answers.length && text === ''; i++) {
      const answer = answers[i];
      if (answer === undefined) continue;
      ({ text, state, bytes } = answer);
      failed ??= answer.failed;
    }
    const rest = textMember('result_state', state) + countMember('result_bytes', bytes);
    return [
      this.#own,
      flagMember('failed', failed),
      text,
      rest + requestToResult(this.#node, evidence) + this.#duration,
    ];
  }

  #seeOwn(record: RecordGlance): void {
    const node = this.#node;
    const { withheld, changes, store } = this.#shared;
    const part = partAt(record, node.ref!.block);
    const hidden = withheld.hidesStep(record.flags);
    node.isWithheld = hidden;
    if (node.kind === 'turn.duration') this.#duration = measuredDuration(node, record);
    const text = hidden || this.#duration !== '' ? '' : shownText(record, part);
    const words =
      textMember('state', hidden ? 'omitted' : (part?.state ?? '')) +
      countMember('bytes', part?.bytes ?? 0) +
      listMember('flags', record.flags.map(quoted)) +
      listMember('dropped', record.dropped.map(droppedText)) +
      textMember('name', hidden ? '' : (part?.name ?? ''));
    const own = rawMember('text', text) + bytesOf(words);
    this.#own = own === '' ? '' : store.keep(own);
    this.#failed = part?.failed;
    if (part?.k === 'call' && isRequest(node)) changes.callAt(part.id, node);
  }

  #seeAnswer(i: number, record: RecordGlance): void {
    if (i > this.#answered) return;
    const part = resultPartAt(record, this.#node.refs[i]!.block);
    if (part === undefined) return;
    const { withheld, store } = this.#shared;
    const hidden = withheld.hides(record.flags);
    const text = hidden ? '' : part.textJson(MAX_TEXT_BYTES) || dataJson(part);
    if (text !== '') this.#answered = i;
    this.#answers ??= [];
    this.#answers[i] = {
      text: text === '' ? '' : store.keep(rawMember('result', text)),
      state: hidden ? 'omitted' : part.state,
      bytes: part.bytes,
      failed: part.failed,
    };
  }
}

/** As a JSON string; empty when there is nothing to show. */
function shownText(record: RecordGlance, part: PartGlance | undefined): ByteText {
  const text = part?.textJson(MAX_TEXT_BYTES) ?? '';
  if (text !== '') return text;
  const data = part?.rawData ?? '';
  if (part !== undefined && data === '') return '';
  const words = readable(record);
  return words === '' || words === trimmed(textOf(data))
    ? json(headOf(data, MAX_TEXT_BYTES))
    : json(bytesOf(clipped(words)));
}

function dataJson({ rawData }: PartGlance): ByteText {
  return json(headOf(rawData, MAX_TEXT_BYTES));
}

function json(text: ByteText): ByteText {
  return text === '' ? '' : quoted(text);
}

function droppedText({ what, bytes, why }: RecordGlance['dropped'][number]): string {
  return `{"what":${quoted(what)},"bytes":${bytes}${textMember('why', why)}}`;
}

/** How long a runtime says its turn took; empty when its record says nothing of it. */
function measuredDuration(node: ViewNode, record: RecordGlance): string {
  for (const { durationMs } of objectsIn(record, 'durationMs', saysDuration)) {
    const by = attributesOf(node).measured_by;
    return `,"duration_ms":${durationMs}${textMember('duration_measured_by', typeof by === 'string' ? by : '')}`;
  }
  return '';
}

function saysDuration({ durationMs }: Members): boolean {
  return Number.isSafeInteger(durationMs) && durationMs !== 0;
}

/** From the request's record to the result's: not the time the tool took. */
function requestToResult(node: ViewNode, evidence: Evidence): string {
  const [request, result] = node.refs;
  if (request === undefined || result === undefined) return '';
  if (attributesOf(node).result_join !== 'exact_unique') return '';
  const [from, to] = [evidence.timeAt(request), evidence.timeAt(result)];
  if (isNoTime(from) || isNoTime(to) || compareInstants(to, from) < 0) return '';
  return `${countMember('request_to_result_ms', wholeMs(from, to))},"request_to_result_join":"exact_unique"`;
}

function wholeMs(from: Instant, to: Instant): number {
  return to.ms - from.ms - (to.ns < from.ns ? 1 : 0);
}

const USAGE = ['in', 'out', 'cache_read', 'cache_write'] as const;

/** A call's usage, from the one record its attributes name. Fragments repeat it, so nothing is summed. */
function wantUsage(node: ViewNode, wanted: WantedRecords, store: ByteStore): void {
  const at = attributesOf(node).usage_at;
  if (typeof at !== 'object' || at === null || Array.isArray(at)) return;
  const { seq, row } = at as Attributes;
  if (typeof seq !== 'number' || typeof row !== 'number') return;
  const content = new CallContent(store);
  node.content = content;
  wanted.at({ seq, row }, content);
}

class CallContent implements Taker, Content {
  readonly #store: ByteStore;
  #usage: Json = '';

  constructor(store: ByteStore) {
    this.#store = store;
  }

  see({ usage }: RecordGlance): void {
    if (usage === undefined) return;
    const counts = USAGE.map((key) => countMember(key, usage[key])).join('');
    this.#usage = this.#store.keep(`,"usage":{${counts.slice(1)}}`);
  }

  pieces(): readonly Json[] {
    return [this.#usage];
  }
}
