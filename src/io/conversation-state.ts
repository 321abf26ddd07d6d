import { replaceFile } from './publish.js';
import { formatState, readStateCache } from './state-file.js';

/**
 * `conversation.state`: what the last round said, for people and for status pages. Nothing is decided by it:
 * the head of a chain is what its directory holds (storage spec 1.3, 3.7).
 *
 *     schema       1
 *     conversation s1
 *     head         2
 *     head_digest  <64 hex>
 *     through_seq  6
 *     input_digest <64 hex>
 *     parser       v1
 *     policy       v1+idle=10m0s
 *     updated_at   2026-03-01T09:00:02Z
 */
export interface ConversationState {
  readonly conversation: string;
  /** Number of the last round; 0 for none. */
  readonly head: number;
  readonly headDigest: string;
  readonly throughSeq: number;
  readonly inputDigest: string;
  readonly parser: string;
  readonly policy: string;
  readonly updatedAt: string;
}

/** The state saved at `path`, or that of a chain without rounds. */
export function loadConversationState(path: string, conversation: string): ConversationState {
  const fields = readStateCache(path);
  return {
    conversation,
    head: fields?.count('head') ?? 0,
    headDigest: fields?.text('head_digest') ?? '',
    throughSeq: fields?.count('through_seq') ?? 0,
    inputDigest: fields?.text('input_digest') ?? '',
    parser: fields?.text('parser') ?? '',
    policy: fields?.text('policy') ?? '',
    updatedAt: fields?.text('updated_at') ?? '',
  };
}

export function saveConversationState(path: string, state: ConversationState): void {
  replaceFile(
    path,
    formatState(13, [
      ['schema', 1],
      ['conversation', state.conversation],
      ['head', state.head],
      ['head_digest', state.headDigest],
      ['through_seq', state.throughSeq],
      ['input_digest', state.inputDigest],
      ['parser', state.parser],
      ['policy', state.policy],
      ['updated_at', state.updatedAt],
    ]),
  );
}
