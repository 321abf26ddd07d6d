import { CLAUDE_CODE } from '../src/adapters/claude-code/claude-code.js';
import { CollectorMemory, collectRoot, type LandBatches } from '../src/landing/collect-root.js';
import { indexSink } from '../src/landing/index-sink.js';

/** Passes until a source root has landed whole, indexes included, in one process. Gives the bytes that landed. */
export async function collectAll(
  sourceRoot: string,
  storageRoot: string,
  land?: LandBatches,
): Promise<number> {
  const memory = new CollectorMemory();
  let bytes = 0;
  for (let pending = 1; pending > 0; ) {
    const tally = await collectRoot({
      ...{ adapter: CLAUDE_CODE, sourceRoot, storageRoot, maxDeltaBytes: 0, memory },
      ...{ filter: { include: [], exclude: [] }, index: indexSink(storageRoot) },
      now: () => ({ ms: 0, ns: 0 }),
      ...(land === undefined ? {} : { land }),
    });
    if (tally.errors.length > 0) throw new AggregateError(tally.errors, 'the corpus does not collect');
    bytes += tally.bytes;
    pending = tally.pending;
  }
  return bytes;
}
