/**
 * The canonical serializer: frames in, the bytes of a round out, with its SHA-256 computed on the way.
 *
 * Lines are written into one 64 KB buffer that goes to the hash and downstream when it is full, so the digest
 * costs what hashing costs and the size of the round is known after every frame.
 */
import { createHash } from 'node:crypto';
import { Transform, type TransformCallback } from 'node:stream';
import type { Entity } from '../format/entity.js';
import { commitLine, type FrameCounts, type Header, headerLine } from '../format/session-flow.js';
import { settle } from '../stages/settle.js';

const CHUNK_BYTES = 64 * 1024;

/** A round grew past its budget: the answer to a guess, not a fault. */
export class OverBudget extends Error {}

export interface SerializerOptions {
  /** Give up with `OverBudget` as soon as the whole round must be larger. Without it any size is taken. */
  readonly maxBytes?: number | undefined;
}

/** Takes batches of frames (`Entity[]`) in the order of a round, gives its bytes. */
export class RoundSerializer extends Transform {
  /** Known once the stream has ended. */
  digest = '';
  sizeBytes = 0;

  readonly #roundDigits: string;
  readonly #maxBytes: number;
  readonly #hash = createHash('sha256');
  readonly #counts = { nodes: 0, relations: 0, unresolved: 0 };
  #chunk = Buffer.allocUnsafe(CHUNK_BYTES);
  #filled = 0;

  constructor(header: Header, options: SerializerOptions = {}) {
    super({ writableObjectMode: true, highWaterMark: 4, readableHighWaterMark: 4 * CHUNK_BYTES });
    this.#roundDigits = String(header.round);
    this.#maxBytes = options.maxBytes ?? Number.POSITIVE_INFINITY;
    this.#writeHeader(`${headerLine(header)}\n`);
  }

  get counts(): FrameCounts {
    return this.#counts;
  }

  override _transform(frames: readonly Entity[], _encoding: BufferEncoding, done: TransformCallback): void {
    settle(done, () => {
      for (const frame of frames) {
        this.#writeFrame(frame);
        this.#counts[COUNTED[frame.group]]++;
        this.#checkBudget();
      }
    });
  }

  override _flush(done: TransformCallback): void {
    settle(done, () => {
      this.#checkBudget();
      this.#sendChunk();
      this.digest = this.#hash.digest('hex');
      const commit = Buffer.from(`${commitLine(this.digest, this.#counts)}\n`);
      this.sizeBytes += commit.length;
      this.push(commit);
    });
  }

  #checkBudget(): void {
    if (this.sizeBytes + commitSize(this.#counts) > this.#maxBytes) throw new OverBudget();
  }

  #writeHeader(line: string): void {
    const bytes = Buffer.from(line);
    this.sizeBytes += bytes.length;
    this.#send(bytes);
  }

  #writeFrame(frame: Entity): void {
    const bytes = frame.sizeWithoutRound + this.#roundDigits.length;
    this.sizeBytes += bytes;
    if (this.#filled + bytes > CHUNK_BYTES) this.#sendChunk();
    if (bytes <= CHUNK_BYTES) {
      this.#filled = frame.writeLine(this.#chunk, this.#filled, this.#roundDigits);
      return;
    }
    const line = Buffer.allocUnsafeSlow(bytes);
    frame.writeLine(line, 0, this.#roundDigits);
    this.#send(line);
  }

  #sendChunk(): void {
    if (this.#filled === 0) return;
    this.#send(this.#chunk.subarray(0, this.#filled));
    this.#chunk = Buffer.allocUnsafe(CHUNK_BYTES);
    this.#filled = 0;
  }

  #send(bytes: Buffer): void {
    this.#hash.update(bytes);
    this.push(bytes);
  }
}

/** The commit's count of each group. */
export const COUNTED = { node: 'nodes', relation: 'relations', unresolved: 'unresolved' } as const;

const ANY_DIGEST = '0'.repeat(64);

/** Size of the commit line with its newline: known before its digest is. */
export function commitSize(counts: FrameCounts): number {
  return commitLine(ANY_DIGEST, counts).length + 1;
}
