/** Roots told record by record and node by node, for the rules that no session tells alone. The session is `s`. */
import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { landedKind, landedName } from '../../src/format/landed-name.js';
import { type SdRecord, writeClosing, writeHeader, writeRecord } from '../../src/format/session-data.js';
import type { Header, Node, Relation, Unresolved } from '../../src/format/session-flow.js';
import { roundName } from '../../src/io/chain-directory.js';
import { landedFolder, roundsFolder } from '../../src/io/storage-root.js';
import { inputDigest } from '../../src/rounds/round-header.js';
import { nodeEntity, relationEntity, unresolvedEntity } from '../entities.js';
import { aHeader, roundBytes } from '../rounds/round-builder.js';
import { temporaryFolder } from '../shared.js';

export interface MadeFile {
  readonly kind?: string;
  readonly stream?: string;
  readonly run?: string;
  readonly records: readonly Partial<SdRecord>[];
}

export interface MadeRoot {
  /** In landed order. */
  readonly files?: readonly MadeFile[];
  readonly nodes?: readonly Node[];
  readonly relations?: readonly Relation[];
  readonly unresolved?: readonly Unresolved[];
  readonly header?: Partial<Header>;
}

/** Lands the files, writes one round over all of them, and gives the root. */
export function madeRoot({
  files = [],
  nodes = [],
  relations = [],
  unresolved = [],
  header,
}: MadeRoot): string {
  const root = temporaryFolder();
  const digests = files.map((file, i) => ({ sha256: landOne(root, i + 1, file) }));
  const bytes = roundBytes(
    aHeader({ through_seq: files.length, input_digest: inputDigest('', digests), ...header }),
    [...nodes.map(nodeEntity), ...relations.map(relationEntity), ...unresolved.map(unresolvedEntity)],
  );
  writeRound(root, 1, bytes);
  return root;
}

export function landOne(root: string, seq: number, file: MadeFile): string {
  const { kind = 'transcript', run = '', records } = file;
  const stream = run === '' ? (file.stream ?? 'main') : '';
  const head = {
    seq,
    at: '2026-01-01T00:00:00Z',
    kind,
    adapter: 'x/1',
    dialect: 'x/1',
    src: 'x',
    session: 's',
  };
  const lines = records.map((record, i) =>
    writeRecord({ ord: i + 1, off: 0, sha: '000000000000', bytes: 1, ...record }),
  );
  const body = [writeHeader({ ...head, stream, batch: run }), ...lines].map((line) => `${line}\n`).join('');
  const digest = createHash('sha256').update(body).digest('hex');
  const bytes = `${body}${writeClosing(records.length, digest)}\n`;
  const name = landedName(landedKind(kind).prefix, '20260101T000000.000000000Z', seq);
  const path = join(landedFolder(root, 's', kind, stream || run), name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, bytes);
  return createHash('sha256').update(bytes).digest('hex');
}

/** Puts a round's bytes under the name that its digest gives. */
export function writeRound(root: string, round: number, bytes: Buffer): string {
  const digest = /"t":"commit","digest":"([0-9a-f]+)"/.exec(bytes.toString())![1]!;
  const path = join(roundsFolder(root, 's'), roundName(round, digest));
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, bytes);
  return path;
}

/** A record that says one thing. `second`: seconds after ten o'clock; none for a record without a time. */
export function said(text: string, second?: number, more: Partial<SdRecord> = {}): Partial<SdRecord> {
  return { ...timed(second), parts: [textPart(text)], ...more };
}

export function timed(second?: number): Partial<SdRecord> {
  return second === undefined ? {} : { time: `2026-01-01T10:00:${String(second).padStart(2, '0')}Z` };
}

export function textPart(text: string, k = 'text') {
  return { k, text, state: 'available', bytes: Buffer.byteLength(text) };
}

/** Ten o'clock, in Unix milliseconds. */
export const TEN = Date.UTC(2026, 0, 1, 10);

/** The parts every small tree needs: a talk in a stream, its children given. */
export function talkNode(id = 'talk/1', more: Partial<Node> = {}): Node {
  return { id, kind: 'talk', stream: 'main', ref: { seq: 1, row: 1 }, ...more };
}

export function step(id: string, row: number, more: Partial<Node> = {}): Node {
  return { id, kind: 'message.assistant', parent: 'talk/1', stream: 'main', ref: { seq: 1, row }, ...more };
}

export function relation(id: string, from: string, to: string, more: Partial<Relation> = {}): Relation {
  return { id, type: 'starts', from, to, quality: 'exact_unique', ...more };
}
