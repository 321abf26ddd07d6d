/**
 * Documents as a server keeps them: encoded, in memory, the oldest dropped first (view spec 10). Each is asked for
 * by what it is made from, so whatever changes in the root, the next request gets a document of what is there.
 */
import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import pLimit from 'p-limit';
import type { ViewState } from '../format/view-document.js';
import { documentBytes } from '../view/document.js';
import { type View, viewSteps } from '../view/view.js';
import { Withheld } from '../view/withheld.js';
import { documentFingerprint } from './fingerprint.js';

const MIB = 1024 * 1024;

/** Most bytes of documents that are kept, in all. */
export const MAX_KEPT_BYTES = 256 * MIB;

/** A document to be sent. */
export interface ServedDocument {
  readonly state: ViewState;
  /** The first thing that is wrong, in words; empty when nothing is. */
  readonly problem: string;
  /** SHA-256 of its bytes; `undefined` for one too large to be kept, which is made while it is sent. */
  readonly digest: string | undefined;
  readonly sizeBytes: number | undefined;
  bytes(): Iterable<Buffer>;
}

interface Kept extends ServedDocument {
  readonly fingerprint: string;
  readonly sizeBytes: number;
}

export class Documents {
  readonly #root: string;
  readonly #maxBytes: number;
  /** The one used last at the end. */
  readonly #kept = new Map<string, Kept>();
  readonly #building = new Map<string, Promise<ServedDocument>>();
  readonly #oneAtATime = pLimit(1);
  /** Builds begun, for tests and for nobody else. */
  builds = 0;

  constructor(root: string, maxBytes = MAX_KEPT_BYTES) {
    this.#root = root;
    this.#maxBytes = maxBytes;
  }

  /** A conversation's document. Whoever asks for one that is being built gets that one. Rejects as a build does. */
  async get(conversation: string, hide: Iterable<string> = []): Promise<ServedDocument> {
    const names = new Withheld(hide).key;
    const key = `${names} ${conversation}`;
    const fingerprint = documentFingerprint(this.#root, conversation);
    const kept = this.#kept.get(key);
    if (kept?.fingerprint === fingerprint) {
      this.#kept.delete(key);
      this.#kept.set(key, kept);
      return kept;
    }
    this.#kept.delete(key);
    const building = `${fingerprint} ${key}`;
    let build = this.#building.get(building);
    if (build === undefined) {
      build = this.#oneAtATime(() => this.#build(key, conversation, hide, fingerprint));
      this.#building.set(building, build);
      const forget = () => this.#building.delete(building);
      build.then(forget, forget);
    }
    return build;
  }

  /**
   * What a document of a conversation says of it, whatever it withholds, when one is kept that is still that of the
   * files. Throws `AszError` when the files cannot be listed.
   */
  verdictOf(conversation: string): Pick<ServedDocument, 'state' | 'problem'> | undefined {
    const all = [...this.#kept].filter(([key]) => key.slice(key.indexOf(' ') + 1) === conversation);
    if (all.length === 0) return undefined;
    const fingerprint = documentFingerprint(this.#root, conversation);
    return all.find(([, kept]) => kept.fingerprint === fingerprint)?.[1];
  }

  async #build(
    key: string,
    conversation: string,
    hide: Iterable<string>,
    fingerprint: string,
  ): Promise<ServedDocument> {
    this.builds++;
    const view = await inTurns(viewSteps(this.#root, conversation, hide));
    const pieces: Buffer[] = [];
    const hash = createHash('sha256');
    let sizeBytes = 0;
    for (const piece of documentBytes(view)) {
      sizeBytes += piece.length;
      if (sizeBytes > this.#maxBytes) return streamed(view);
      hash.update(piece);
      pieces.push(piece);
      if (pieces.length % PIECES_A_TURN === 0) await setImmediate();
    }
    const document: Kept = {
      ...{
        fingerprint,
        state: view.state,
        problem: firstProblem(view),
        digest: hash.digest('hex'),
        sizeBytes,
      },
      bytes: () => pieces,
    };
    this.#keep(key, document);
    return document;
  }

  #keep(key: string, document: Kept): void {
    this.#kept.delete(key);
    this.#kept.set(key, document);
    let total = 0;
    for (const { sizeBytes } of this.#kept.values()) total += sizeBytes;
    for (const [oldest, { sizeBytes }] of this.#kept) {
      if (total <= this.#maxBytes) break;
      this.#kept.delete(oldest);
      total -= sizeBytes;
    }
  }
}

/** So many pieces are made before others get their turn: a few milliseconds. */
const PIECES_A_TURN = 16;

function streamed(view: View): ServedDocument {
  const bytes = () => documentBytes(view);
  return { state: view.state, problem: firstProblem(view), digest: undefined, sizeBytes: undefined, bytes };
}

function firstProblem({ problems }: View): string {
  return problems[0] ?? '';
}

/** Goes through steps, letting others have their turn between them. */
async function inTurns<T>(steps: Generator<void, T>): Promise<T> {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
    await setImmediate();
  }
}
