/**
 * Kinds, relation types and qualities in plain words, for whoever sees them for the first time. The document's own
 * words stand beside these and are never replaced.
 */
import type { ViewNode } from '../../format/view-document.js';
import { fieldsOf } from './fields.js';
import { firstLine } from './spoken-text.js';

interface KindWords {
  /** What stands at the head of a card. */
  readonly title: string;
  readonly explained: string;
}

const KINDS: ReadonlyMap<string, KindWords> = new Map([
  [
    'message.external',
    { title: 'Input', explained: 'what a person, or the agent above, wrote to this agent' },
  ],
  ['message.assistant', { title: 'Assistant', explained: 'words of the model' }],
  ['message.synthetic', { title: 'Client', explained: 'words the client put in; no model said them' }],
  ['agent.output', { title: 'Returned', explained: 'what a child agent handed back at its end' }],
  [
    'llm.call',
    {
      title: 'Model call',
      explained: 'one request to the model; what it said, thought and asked for hangs below',
    },
  ],
  [
    'thinking',
    { title: 'Thinking', explained: 'reasoning of the model, as far as the provider lets it be read' },
  ],
  ['tool', { title: 'Tool', explained: 'a tool the model asked for, with what came back' }],
  ['agent.call', { title: 'Child agent', explained: 'a tool that starts another agent' }],
  [
    'agent.launch_ack',
    { title: 'Child launched', explained: 'the client confirms a start in the background; it is no result' },
  ],
  [
    'runtime.notification',
    { title: 'Notification', explained: 'the client tells the agent that something it started has moved on' },
  ],
  [
    'context.injection',
    { title: 'Put into context', explained: 'text the client added to what the model sees' },
  ],
  ['epoch.boundary', { title: 'Context reset', explained: 'the agent goes on with a new, shorter context' }],
  [
    'epoch.summary',
    {
      title: 'Summary left by the reset',
      explained: 'what the new context begins with, in place of the old one',
    },
  ],
  ['turn.duration', { title: 'Turn', explained: 'how long a turn took, as the client measured it' }],
  ['error.api', { title: 'Provider error', explained: 'the provider refused or failed a request' }],
  ['control.command', { title: 'Client command', explained: 'a command to the client, not to the model' }],
  ['control.notice', { title: 'Client notice', explained: 'a line of the client about itself' }],
  ['control.interrupt', { title: 'Interrupted', explained: 'somebody stopped the agent' }],
  ['control.permission', { title: 'Permission', explained: 'what the agent may do was changed' }],
  ['talk', { title: 'Talk', explained: 'an input, all that was done about it, and the reply' }],
  ['run', { title: 'Run', explained: 'one go of the agent, from what set it off until it stopped' }],
]);

const OTHER_WORDS: ReadonlyMap<string, string> = new Map([
  ['child', 'an agent that another one started'],
  ['auxiliary', 'the same agent carrying another prompt; not a child'],
  ['segment', 'a window of activity between two long pauses'],
  ['epoch', 'a context, from one reset to the next'],
  ['starts', 'this call started that child agent'],
  ['reports', 'this notification is about that child agent'],
  ['ends_with', 'the stream ends with this output'],
  ['result_of', 'this output is what that call received'],
  ['follows', 'this context comes after that one'],
  ['summarizes', 'this summary belongs to that reset'],
  ['in_segment', 'this talk lies in that window of activity'],
  ['exact_unique', 'an identifier in the evidence says so, and only one thing fits'],
  ['exact_ambiguous', 'an identifier in the evidence says so, but several things fit'],
  ['strong_inference', 'concluded from evidence that leaves little doubt'],
  ['weak_inference', 'concluded from thin evidence'],
  ['conflict', 'the evidence contradicts itself'],
  ['verified', 'every round holds: links, digests and all landed files it was built from'],
  ['incomplete', 'a round or a landed file is missing, or the chain could not be read to its end'],
  ['mismatch', 'something is not what it was when it was recorded: it was altered, or damaged'],
  ['unavailable', 'nobody recorded it'],
  ['omitted', 'withheld from this copy'],
  ['available', 'it is there'],
]);

/** The head of a card. A kind nobody knows is its own word. */
export function kindTitle(kind: string): string {
  return KINDS.get(kind)?.title ?? kind;
}

/** What a kind, relation type, quality or state means; `undefined` when nobody has said. */
export function explained(word: string): string | undefined {
  return KINDS.get(word)?.explained ?? OTHER_WORDS.get(word);
}

/** The argument of a tool that says most, for one line: what it runs, reads, asks. */
const TELLING = ['description', 'command', 'file_path', 'pattern', 'path', 'url', 'query', 'prompt', 'name'];

/** The client writes whole records about itself, of which one line is enough. */
export function isNotice(kind: string): boolean {
  return /^(control|epoch|error)\./.test(kind);
}

const NOTICED = ['subtype', 'content', 'error'];

/** One line for a step, behind its title: what a tool was asked, what words begin with. */
export function gist({ kind, text = '' }: ViewNode, most = 120): string {
  const told = kind === 'runtime.notification' ? /<summary>([^<]*)/.exec(text)?.[1] : undefined;
  const fields = text.startsWith('{') ? fieldsOf(text) : undefined;
  if (fields === undefined) return firstLine(told ?? text, most);
  const valueAt = (name: string) => fields.find((field) => field.name === name)?.value ?? '';
  if (isNotice(kind)) {
    const values = NOTICED.map(valueAt).flatMap(
      (value) => fieldsOf(value)?.map((field) => field.value) ?? value,
    );
    return firstLine(values.filter((value) => value !== '').join(' · '), most);
  }
  for (const name of TELLING) {
    const field = fields.find((field) => field.name === name && field.isText && field.value !== '');
    if (field !== undefined) return firstLine(field.value, most);
  }
  return firstLine(fields.map(({ value }) => value).join(' · '), most);
}

/** Why a context was reset, as far as the client's own words say it: who asked, and how full it was. */
export function resetReason(boundary: ViewNode): {
  readonly trigger: string | undefined;
  readonly before: number | undefined;
} {
  const metadata = fieldsOf(boundary.text ?? '')?.find(({ name }) => name === 'compactMetadata')?.value ?? '';
  const fields = fieldsOf(metadata) ?? [];
  const before = Number(fields.find(({ name }) => name === 'preTokens')?.value);
  return {
    trigger: fields.find(({ name }) => name === 'trigger')?.value,
    before: Number.isFinite(before) && before > 0 ? before : undefined,
  };
}

/** What a call that starts a child asked of it, as far as the document carries the words. */
export function promptOf(call: ViewNode): string | undefined {
  const field = fieldsOf(call.text ?? '')?.find(({ name, isText }) => name === 'prompt' && isText);
  return field?.value === '' ? undefined : field?.value;
}
