/**
 * Notices that a root changed, by the name and size of every chain's last round, and by the names, sizes and times of
 * everything a conversation stands on, and tells those who listen (view spec 10). A name appears before its bytes do,
 * so the size belongs to it.
 */
import { AszError } from '../format/errors.js';
import { listRounds } from '../io/chain-directory.js';
import { lstatSync } from '../io/file-system.js';
import { isPathSegment } from '../io/path-segment.js';
import { listConversations, roundsFolder } from '../io/storage-root.js';
import { documentFingerprint } from './fingerprint.js';

/** A conversation whose chain has another head, or whose evidence changed under the same one. 0: it has none any more. */
export interface HeadChange {
  readonly conversation: string;
  readonly head: number;
}

export type Listener = (changes: readonly HeadChange[]) => void;

/** How often the root is looked at while somebody listens, in milliseconds. */
const LISTENED_MS = 1000;

/** So long a look goes through evidence, in milliseconds: a root of any size gets its turn, and the server its time. */
const EVIDENCE_MS = 20;

interface Head {
  readonly round: number;
  /** Holds digits of its digest. */
  readonly name: string;
  readonly size: number;
}

export class RootWatch {
  readonly #root: string;
  readonly #intervalMs: number;
  readonly #listeners = new Set<Listener>();
  #heads: ReadonlyMap<string, Head>;
  /** What the evidence of a conversation was when it last had its turn. */
  readonly #evidence = new Map<string, string>();
  /** The conversation that had its turn last. */
  #lastTurn = '';
  #lastLookMs = 0;
  #timer: NodeJS.Timeout | undefined;
  /** When a change was last noticed, Unix milliseconds; 0: never. */
  lastRefreshMs = 0;

  /** `intervalMs`: how often to look while nobody listens. */
  constructor(root: string, intervalMs: number) {
    this.#root = root;
    this.#intervalMs = intervalMs;
    this.#heads = this.#look();
    this.#otherEvidence();
    this.#lastLookMs = Date.now();
  }

  start(): void {
    this.#timer ??= setInterval(() => this.check(this.#dueMs()), LISTENED_MS).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#listeners.clear();
  }

  get listeners(): number {
    return this.#listeners.size;
  }

  /** Gives the function that ends it. */
  listen(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Looks at the root unless that was done within so many milliseconds, and tells what changed, each chain once. */
  check(notWithinMs = 0): void {
    const now = Date.now();
    if (now - this.#lastLookMs < notWithinMs) return;
    this.#lastLookMs = now;
    const before = this.#heads;
    const heads = this.#look();
    this.#heads = heads;
    const changes: HeadChange[] = [];
    for (const [conversation, { round, name, size }] of heads) {
      const old = before.get(conversation);
      if (old?.name === name && old.size === size) continue;
      changes.push({ conversation, head: round });
      this.#evidence.delete(conversation);
    }
    for (const conversation of before.keys()) {
      if (heads.has(conversation)) continue;
      changes.push({ conversation, head: 0 });
      this.#evidence.delete(conversation);
    }
    for (const conversation of this.#otherEvidence())
      changes.push({ conversation, head: heads.get(conversation)!.round });
    if (changes.length === 0) return;
    this.lastRefreshMs = now;
    for (const listener of this.#listeners) listener(changes);
  }

  /** Conversations whose evidence is not what it was at their last turn, of those whose turn it is. */
  #otherEvidence(): string[] {
    const ids = [...this.#heads.keys()];
    const first = ids.indexOf(this.#lastTurn) + 1;
    const until = Date.now() + EVIDENCE_MS;
    const others: string[] = [];
    for (const id of [...ids.slice(first), ...ids.slice(0, first)]) {
      const now = readable(() => documentFingerprint(this.#root, id)) ?? '';
      const known = this.#evidence.get(id);
      this.#evidence.set(id, now);
      if (known !== undefined && known !== now) others.push(id);
      this.#lastTurn = id;
      if (Date.now() >= until) break;
    }
    return others;
  }

  /** The timer is never quite on time; half a beat is no beat missed. */
  #dueMs(): number {
    return (this.#listeners.size > 0 ? LISTENED_MS : this.#intervalMs) - LISTENED_MS / 2;
  }

  #look(): Map<string, Head> {
    const heads = new Map<string, Head>();
    for (const id of readable(() => listConversations(this.#root).filter(isPathSegment)) ?? []) {
      const last = readable(() => listRounds(roundsFolder(this.#root, id)).at(-1));
      if (last === undefined) continue;
      const size = lstatSync(last.path, { throwIfNoEntry: false })?.size ?? 0;
      heads.set(id, { round: last.round, name: last.name, size });
    }
    return heads;
  }
}

/** What cannot be listed now has nothing new; whoever asks for a conversation is told why. */
function readable<T>(list: () => T): T | undefined {
  try {
    return list();
  } catch (cause) {
    if (cause instanceof AszError) return undefined;
    throw cause;
  }
}
