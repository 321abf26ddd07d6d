import type { TransformCallback } from 'node:stream';

/**
 * Does the synchronous work of a stream and tells its callback how it went. What a `_transform` or `_flush`
 * throws reaches no pipeline: Node makes an uncaught exception of it, which would end every session of a batch.
 */
export function settle(done: TransformCallback, work: () => void): void {
  try {
    work();
  } catch (cause) {
    done(cause instanceof Error ? cause : new Error(String(cause)));
    return;
  }
  done();
}
