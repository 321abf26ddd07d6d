/** What a clip of the timeline says: a word or two on it, and all of it when pointed at or read out. */
import type { ViewNode } from '../../format/view-document.js';
import type { Clip } from '../model/clips.js';
import { startedText } from '../model/counts.js';
import { gist, kindTitle } from '../model/kind-words.js';
import { countOf, countText } from '../model/quantity-text.js';
import { spanText, utcText } from '../model/time-text.js';
import { contextOf, isSynthetic, tokensOf } from '../model/usage.js';
import { clockText } from '../shared/clock.js';

/** More than a clip can show; the rest is cut anyway. */
const MOST_LETTERS = 40;

/** Kinds whose own words say most; those of others are written for a program. */
const SPOKEN: ReadonlySet<string> = new Set([
  ...['message.external', 'message.assistant', 'message.synthetic', 'agent.output', 'context.injection'],
  'epoch.summary',
]);

/** On the clip. @param shown the step to speak of, of those it holds */
export function clipText(clip: Clip, shown: ViewNode): string {
  if (clip.lane === 'nested') {
    const [only] = clip.streams;
    return clip.streams.length === 1 ? only!.label || only!.name : startedText(clip.streams);
  }
  return stepText(shown);
}

function stepText(node: ViewNode): string {
  if (node.name !== undefined && node.name !== '') return node.name;
  if (node.kind === 'llm.call') {
    if (isSynthetic(node)) return 'synthetic';
    return node.usage === undefined ? 'usage unknown' : `${countText(tokensOf(node).out)} out`;
  }
  if (node.duration_ms !== undefined) return `${kindTitle(node.kind)} ${spanText(node.duration_ms)}`;
  return (SPOKEN.has(node.kind) ? gist(node, MOST_LETTERS) : '') || kindTitle(node.kind);
}

/** All of it in one sentence. */
export function clipHint(clip: Clip, shown: ViewNode): string {
  const { node, isObserved } = clip.moments.find((moment) => moment.node === shown) ?? clip.moments[0]!;
  const more = clip.moments.length - 1;
  const call = node.kind === 'llm.call' && node.usage !== undefined;
  return [
    clip.lane === 'nested'
      ? clip.streams.length === 1
        ? `${startedText(clip.streams)}: ${clipText(clip, shown)}`
        : startedText(clip.streams)
      : kindTitle(node.kind),
    ...(clip.lane === 'nested' ? [] : [node.name ?? '', gist(node)]),
    ...(call
      ? [`${countText(contextOf(node))} tokens in context, ${countText(tokensOf(node).out)} out`]
      : []),
    node.failed === true ? 'failed' : '',
    node.state !== undefined && node.state !== 'available' ? node.state : '',
    node.request_to_result_ms === undefined
      ? ''
      : `${spanText(node.request_to_result_ms)} from request to result`,
    isObserved ? `${clockText(node.at)} (${utcText(node.at)})` : 'time unavailable',
    more > 0 ? `and ${countOf(more, 'more step')} here` : '',
  ]
    .filter((part) => part !== '')
    .join(' · ');
}
