import { createHash } from 'node:crypto';
import type { LandedKind } from '../../../src/adapters/adapter.js';
import { convertUnit } from '../../../src/adapters/claude-code/dialect.js';
import { writeRecord } from '../../../src/format/session-data.js';

const STREAM_OF: Readonly<Record<string, string>> = { transcript: 'main', agent_meta: 'a0123456789abcdef' };

/** Converts one unit and reads back what would land: keys that are left out are absent. */
// biome-ignore lint/suspicious/noExplicitAny: tests look into records of every shape
export function converted(unit: object | string | Buffer, kind: LandedKind = 'transcript'): any {
  return JSON.parse(convertedText(unit, kind));
}

export function convertedText(unit: object | string | Buffer, kind: LandedKind = 'transcript'): string {
  const raw = Buffer.isBuffer(unit)
    ? unit
    : Buffer.from(typeof unit === 'string' ? unit : JSON.stringify(unit));
  const stream = STREAM_OF[kind] ?? '';
  return writeRecord(
    convertUnit({
      session: '11111111-2222-4333-8444-555555555555',
      source: { kind, stream, batch: stream === '' ? 'wf_run' : '' },
      raw,
      ord: 1,
      off: 0,
      sha: createHash('sha256').update(raw).digest('hex').slice(0, 12),
    }),
  );
}

/** The parts of a user record with this content. */
// biome-ignore lint/suspicious/noExplicitAny: see above
export function partsOf(content: unknown, more: object = {}): any[] {
  return converted({ type: 'user', message: { content }, ...more }).parts;
}
