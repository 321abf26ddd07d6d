/** How much there is of what, counted in one place, so that every part of the page says the same. */
import type { Stream, ViewDocument, ViewNode } from '../../format/view-document.js';
import { isFailure } from './filters.js';
import { isStep, type Outline } from './outline.js';
import { countOf } from './quantity-text.js';
import { isSynthetic } from './usage.js';

export interface Counts {
  /** Those of `ownTalks`. */
  readonly talks: number;
  readonly childTalks: number;
  readonly childAgents: number;
  /** Streams on which an agent carried another prompt. */
  readonly auxiliaries: number;
  /** Requests to tools, and those of them that start a child agent; as a talk's `tools`. */
  readonly tools: number;
  readonly agentCalls: number;
  /** Calls that failed, and errors of the provider. */
  readonly failures: number;
  /** Calls that a client wrote in the model's name. */
  readonly synthetic: number;
  /** How many of its own talks a segment holds, by its id. */
  talksOfSegment(id: string): number;
}

/** The talks that somebody held with the conversation's own agent. Those of child agents stand on their streams. */
export function ownTalks({ talks }: ViewDocument): readonly ViewNode[] {
  return talks.filter(({ child }) => child !== true);
}

export function isChildAgent({ role }: Stream): boolean {
  return role === 'child';
}

/** `2 child agents`, or `2 streams` when not all of them are such. */
export function startedText(streams: readonly Stream[]): string {
  return countOf(streams.length, streams.every(isChildAgent) ? 'child agent' : 'stream');
}

/** Counts in one walk over the nodes. */
export function countsOf({ document, nodes }: Outline): Counts {
  const own = ownTalks(document);
  const [steps, streams] = [[...nodes.values()].filter(isStep), document.streams];
  const ofKind = (wanted: string) => steps.filter(({ kind }) => kind === wanted);
  const agentCalls = ofKind('agent.call').length;
  const talksOf = new Map<string, number>();
  for (const { segment = '' } of own) talksOf.set(segment, (talksOf.get(segment) ?? 0) + 1);
  return {
    talks: own.length,
    childTalks: document.talks.length - own.length,
    childAgents: streams.filter(isChildAgent).length,
    auxiliaries: streams.filter(({ role }) => role === 'auxiliary').length,
    tools: ofKind('tool').length + agentCalls,
    agentCalls,
    failures: steps.filter(isFailure).length,
    synthetic: ofKind('llm.call').filter(isSynthetic).length,
    talksOfSegment: (id) => talksOf.get(id) ?? 0,
  };
}
