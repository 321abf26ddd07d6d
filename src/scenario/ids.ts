/** Ids that a scenario does not give and its files need (scenario spec 2.5, 3.2). */
import { createHash } from 'node:crypto';
import type { JsonValue } from '../adapters/mock/data-json.js';
import { compareCodePoints } from '../format/json-text.js';
import type { Fields, Scenario, Step } from './scenario.js';

const UUID = /^[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$/;

export function isUuid(id: string): boolean {
  return UUID.test(id);
}

/** `a` and 16 hex digits, of a child's name: `surveyor` gives `a60a86974d085e1be`. */
export function childStreamId(name: string): string {
  return `a${sha256(`agent:${name}`).slice(0, 16)}`;
}

/** `wf_` and the name, in characters that an agent's run ids have. */
export function workflowRunId(name: string): string {
  const word = name.replaceAll(/[^A-Za-z0-9_-]/gu, '-');
  return `wf_${/^[^_-]/.test(word) ? word : `run-${word}`}`;
}

/** The file that holds a run's program; the longest name that a run gives a file. */
export function workflowScriptName(run: string): string {
  return `${run.slice('wf_'.length)}-${run}.js`;
}

/**
 * The id of a session that its file does not name: of the title, the project as written, and the visible part of
 * every step of the main stream. The spelling is the reference's, so that both name one session alike.
 */
export function derivedSessionId({ title = '', project = '', steps }: Scenario): string {
  const x = sha256(
    [title, project, String(steps.length)].join('|') + steps.map((step) => `|${visible(step)}`).join(''),
  );
  return `${x.slice(0, 8)}-${x.slice(8, 12)}-4${x.slice(13, 16)}-8${x.slice(17, 20)}-${x.slice(20, 32)}`;
}

/** Session `k` of a repeated build, from 1: the last group counts up, another kind of id gets a number. */
export function repeatedSessionId(base: string, k: number): string {
  if (k === 1) return base;
  if (!isUuid(base)) return `${base}-${k}`;
  const last = (BigInt(`0x${base.slice(24)}`) + BigInt(k - 1)) % (1n << 48n);
  return base.slice(0, 24) + last.toString(16).padStart(12, '0');
}

function visible(step: Step): string {
  const shown = {
    input: step.kind === 'input' ? step.text : '',
    queued: step.kind === 'queued' ? `&{${step.text} ${step.mode}}` : '<nil>',
    inject: step.kind === 'inject' ? `&{${step.type} ${step.text}}` : '<nil>',
    isCall: String(step.kind === 'call'),
    error: step.kind === 'error' ? step.text : '',
    isReset: String(step.kind === 'reset'),
    replay: step.kind === 'replay' ? String(step.records) : '0',
    system: step.kind === 'system' ? `&{${step.subtype} ${mapText(step.fields)}}` : '<nil>',
  };
  return Object.values(shown).join('');
}

function mapText(fields: Fields): string {
  const members = Object.keys(fields)
    .sort(compareCodePoints)
    .map((key) => `${key}:${valueText(fields[key]!)}`);
  return `map[${members.join(' ')}]`;
}

function valueText(value: JsonValue): string {
  if (value === null) return '<nil>';
  if (Array.isArray(value)) return `[${value.map(valueText).join(' ')}]`;
  return typeof value === 'object' ? mapText(value as Fields) : String(value);
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
