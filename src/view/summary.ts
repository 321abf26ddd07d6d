/** What a document says of its conversation as a whole (view spec 2.1, 2.2). */
import { compareCodePoints } from '../format/json-text.js';
import type { Attributes } from '../format/session-flow.js';
import { parseTime } from '../format/time.js';
import { attributesOf } from './attributes.js';
import { countsText, msOf, quoted } from './json-out.js';
import type { View } from './view.js';

/** The chain's session, then every other one the fold has a node for, in the order of their ids. */
export function sessionsOf({ fold, forest }: View): string[] {
  const { session } = fold.first!;
  const ids = forest.topDown.filter(({ kind }) => kind === 'session').map(({ id }) => id);
  const others = ids.sort(compareCodePoints).map((id) => id.slice(SESSION.length));
  return [session, ...others.filter((other) => other !== session)];
}

const SESSION = 'session/';

export function summaryText(view: View): string {
  const { fold, relations, changes, withheld, state, problems } = view;
  const { title, from_time, through_time } = sessionAttributes(view);
  const streams = view.forest.topDown.filter(({ kind }) => kind === 'stream').length;
  const segments = view.forest.topDown.filter(({ kind }) => kind === 'segment').length;
  return [
    `{"title":${quoted(withheld.hidesLabel(title) ? '' : textOf(title))},"state":"${state}","problems":[${problems.map(quoted).join(',')}]`,
    `"talks":${view.talks.length},"steps":${fold.tally.steps},"streams":${streams},"segments":${segments}`,
    `"rounds":${view.rounds.length},"unresolved":${fold.tally.unresolved},"changes":${changes.entries.length}`,
    '"provider_bodies":0,"captured_prompts":0',
    `"from":${msOf(parseTime(textOf(from_time)))},"to":${msOf(parseTime(textOf(through_time)))}`,
    `"kinds":${counted(view.forest.topDown.map(({ kind }) => kind))}`,
    `"relation_types":${counted(relations.all.map(({ type }) => type))}`,
    `"quality":${counted(relations.all.map(({ quality }) => quality))}`,
    `"withheld":${countsText(withheld.counts)}}`,
  ].join(',');
}

/** Attributes of the chain's own session. */
function sessionAttributes({ fold, forest }: View): Attributes {
  const own = forest.nodes.get(SESSION + fold.first!.session.replaceAll('/', '_'));
  const node = own ?? forest.topDown.find(({ kind }) => kind === 'session');
  return node === undefined ? {} : attributesOf(node);
}

function counted(words: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return countsText([...counts].sort(([a], [b]) => compareCodePoints(a, b)));
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
