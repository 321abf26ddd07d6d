/** Rounds and landed files for the tests of chains: built from few words, right in everything a test does not say. */
import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Entity } from '../../src/format/entity.js';
import { landedKind, landedName } from '../../src/format/landed-name.js';
import { type Round, readRound } from '../../src/format/round-reader.js';
import { type SdPart, writeClosing, writeHeader, writeRecord } from '../../src/format/session-data.js';
import { commitLine, type Header, headerLine, type UnresolvedState } from '../../src/format/session-flow.js';
import { roundName } from '../../src/io/chain-directory.js';
import { landedFolder, roundsFolder } from '../../src/io/storage-root.js';
import { nodeEntity, relationEntity, unresolvedEntity } from '../entities.js';
import type { AFile } from '../stages/index-builder.js';

export const aHeader = (more: Partial<Header> = {}): Header => ({
  ...{ conversation: 's', session: 's', round: 1, from_seq: 1, through_seq: 1, input_digest: 'i' },
  ...{ parser: 'v1', policy: 'v1+idle=10m0s', talks: 0, steps: 0, streams: 0, segments: 0, unresolved: 0 },
  ...more,
});

export const aNode = (id: string, more: { kind?: string; name?: string } = {}): Entity =>
  nodeEntity({ id, kind: more.kind ?? 'tool', attrs: { name: more.name ?? 'Read' } });
export const aRelation = (id: string, via = 'v'): Entity =>
  relationEntity({ id, type: 'starts', from: 'a', to: 'b', quality: 'exact_unique', via });
export const anUnresolved = (id: string, state: UnresolvedState = 'open', reason = 'w'): Entity =>
  unresolvedEntity({ id, kind: 'k', ref: 'r', reason, state });

/** A round as its reader would give it; nothing is checked. */
export function aRound(header: Partial<Header>, frames: readonly Entity[] = [], digest = 'd'): Round {
  return {
    header: aHeader(header),
    frames,
    digest,
    counts: { nodes: 0, relations: 0, unresolved: 0 },
    oddLine: 0,
  };
}

/** The bytes of a round with these frames, in this order. */
export function roundBytes(header: Header, frames: readonly Entity[]): Buffer {
  const lines = [headerLine(header), ...frames.map((frame) => frame.line(header.round))];
  const body = lines.map((line) => `${line}\n`).join('');
  const digest = createHash('sha256').update(body).digest('hex');
  const count = (group: Entity['group']) => frames.filter((frame) => frame.group === group).length;
  const counts = { nodes: count('node'), relations: count('relation'), unresolved: count('unresolved') };
  return Buffer.from(`${body}${commitLine(digest, counts)}\n`);
}

/** Puts a round into a chain's directory and gives it as read. */
export function putRound(root: string, header: Header, frames: readonly Entity[] = []): Round {
  const bytes = roundBytes(header, frames);
  const round = readRound(bytes);
  const path = join(roundsFolder(root, 's'), roundName(header.round, round.digest));
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, bytes);
  return round;
}

/** Lands files of the session `s` in a storage root, and gives the bytes and paths of each. */
export function land(root: string, ...files: AFile[]): { path: string; seq: number; sha256: string }[] {
  return files.map(({ kind, stream = '', batch = '', seq, records }, i) => {
    const number = seq ?? i + 1;
    const at = '2026-01-01T00:00:00Z';
    const header = {
      seq: number,
      at,
      kind,
      adapter: 'x/1',
      dialect: 'x/1',
      src: 'x',
      session: 's',
      stream,
      batch,
    };
    const lines = records.map((record, row) => {
      const parts = record.parts?.map(
        ({ data, ...part }): SdPart => (data === undefined ? part : { ...part, data: JSON.stringify(data) }),
      );
      return writeRecord({ ord: row + 1, off: 0, sha: 'x', bytes: 0, ...record, parts: parts ?? [] });
    });
    const body = [writeHeader(header), ...lines].map((line) => `${line}\n`).join('');
    const digest = createHash('sha256').update(body).digest('hex');
    const bytes = `${body}${writeClosing(records.length, digest)}\n`;
    const { prefix } = landedKind(kind);
    const name = landedName(prefix, '20260101T000000.000000000Z', number);
    const path = join(landedFolder(root, 's', kind, stream || batch), name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, bytes);
    return { path, seq: number, sha256: createHash('sha256').update(bytes).digest('hex') };
  });
}
