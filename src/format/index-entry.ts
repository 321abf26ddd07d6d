/**
 * What the index remembers of one landed record: identifiers, roles, time and position, never text.
 * Small numbers stand for kinds, triggers and flags, because the stages compare them by the hundred thousand.
 * Source: storage spec 2.1 and 2.2.
 */

/** Entry kinds, in the words `asz index` prints. A kind's number is its place in the list. */
export const ENTRY_KINDS = [
  'user',
  'assistant',
  'attachment',
  'system',
  'agent_meta',
  'journal',
  'manifest',
  'script',
  'other',
  'unknown',
  'changes',
  'provider_body',
  'execution',
] as const;
export type EntryKind = (typeof ENTRY_KINDS)[number];

export const KIND_ASSISTANT = ENTRY_KINDS.indexOf('assistant');
export const KIND_SIDECAR = ENTRY_KINDS.indexOf('agent_meta');
export const KIND_JOURNAL = ENTRY_KINDS.indexOf('journal');
export const KIND_MANIFEST = ENTRY_KINDS.indexOf('manifest');
export const KIND_CHANGES = ENTRY_KINDS.indexOf('changes');
export const KIND_PROVIDER_BODY = ENTRY_KINDS.indexOf('provider_body');
export const KIND_EXECUTION = ENTRY_KINDS.indexOf('execution');

const KIND_OF_FILE: ReadonlyMap<string, EntryKind> = new Map([
  ['agent_meta', 'agent_meta'],
  ['journal', 'journal'],
  ['workflow_manifest', 'manifest'],
  ['workflow_script', 'script'],
  ['changes', 'changes'],
  ['provider_body', 'provider_body'],
  ['execution', 'execution'],
]);

const KIND_OF_PRODUCER: ReadonlyMap<string, EntryKind> = new Map([
  ['agent', 'assistant'],
  ['external', 'user'],
  ['runtime', 'system'],
]);

/** The entry kind: the file's kind decides first, the record's `from` only for what is left. */
export function kindOf(fileKind: string, from: string): number {
  const kind = KIND_OF_FILE.get(fileKind) ?? KIND_OF_PRODUCER.get(from) ?? 'unknown';
  return ENTRY_KINDS.indexOf(kind);
}

/** Triggers. `none` states nothing; `other` is a stated trigger, only not one of the two. */
export const TRIGGERS = ['none', 'external', 'notification', 'other'] as const;
export const TRIGGER_NONE = 0;
export const TRIGGER_EXTERNAL = 1;
export const TRIGGER_NOTIFICATION = 2;

const TRIGGER_OF_WORD: ReadonlyMap<string, number> = new Map([
  ['external', TRIGGER_EXTERNAL],
  ['notification', TRIGGER_NOTIFICATION],
  ['unknown', TRIGGERS.indexOf('other')],
]);

export function triggerOf(word: string): number {
  return TRIGGER_OF_WORD.get(word) ?? TRIGGER_NONE;
}

/** Flags in the order a record writes them (dialect spec 1.7). A flag's bit is its place in the list. */
export const FLAGS = [
  'synthetic',
  'context_reset',
  'reset_summary',
  'finished',
  'external_input',
  'injected',
  'child_result',
  'error',
  'launch_ack',
  'turn_duration',
  'command',
  'notice',
  'system_prompt',
  'tool_schemas',
  'auxiliary',
] as const;
export type FlagName = (typeof FLAGS)[number];

/** The bit of a flag, for `entry.flags & flag('error')`. Look it up once, outside loops. */
export function flag(name: FlagName): number {
  return 1 << FLAGS.indexOf(name);
}

const BIT_OF_FLAG: ReadonlyMap<string, number> = new Map(FLAGS.map((name) => [name, flag(name)]));

/** The flags of a record as one number. An unknown name is ignored, and so is their order. */
export function flagBits(names: readonly string[]): number {
  let bits = 0;
  for (const name of names) bits |= BIT_OF_FLAG.get(name) ?? 0;
  return bits;
}

/** The names behind the bits, in written order. */
export function flagNames(bits: number): FlagName[] {
  return FLAGS.filter((name) => (bits & flag(name)) !== 0);
}

/** Block kinds: one block per part, in order, because a part's place is how a step is addressed. */
export const BLOCK_KINDS = ['tool_use', 'tool_result', 'text', 'thinking', 'changes', 'other'] as const;
export const BLOCK_TOOL_USE = 0;
export const BLOCK_TOOL_RESULT = 1;
export const BLOCK_TEXT = 2;
export const BLOCK_THINKING = 3;
export const BLOCK_CHANGES = 4;
export const BLOCK_OTHER = 5;

const BLOCK_OF_PART: ReadonlyMap<string, number> = new Map([
  ['call', BLOCK_TOOL_USE],
  ['result', BLOCK_TOOL_RESULT],
  ['text', BLOCK_TEXT],
  ['reasoning', BLOCK_THINKING],
]);

/** The block kind of a part that is no data; data may also be a workspace change record. */
export function blockKindOf(partKind: string): number {
  return BLOCK_OF_PART.get(partKind) ?? BLOCK_OTHER;
}

/** Kinds that are evidence beside a stream rather than steps of one (assembly spec, before stage 1). */
export function isEvidence(kind: number): boolean {
  return kind === KIND_CHANGES || kind === KIND_PROVIDER_BODY || kind === KIND_EXECUTION;
}
