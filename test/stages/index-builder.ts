/**
 * Small sessions from compact literals, and what assembly makes of them as plain objects.
 *
 *     const session = await assembled(main(user('u1', 'p1'), agent('a1', 'm1', call('t1', 'Bash'))));
 *     session.nodes.get('tool/t1')
 */
import { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Entity } from '../../src/format/entity.js';
import type { Attributes, Node, Relation, Unresolved } from '../../src/format/session-flow.js';
import {
  entryOf,
  type IndexableRecord,
  IndexBuilder,
  type SessionIndex,
} from '../../src/format/session-index.js';
import type { AssemblyCounts } from '../../src/stages/assembly-counts.js';
import { assemble } from '../../src/stages/pipeline.js';

type Part = IndexableRecord['parts'][number];
export type ARecord = Partial<IndexableRecord>;

/** A landed file: its kind, where it lies, its records. Sequences are given in order, from 1, unless one is said. */
export interface AFile {
  readonly kind: string;
  readonly stream?: string;
  readonly batch?: string;
  readonly seq?: number;
  readonly records: readonly ARecord[];
}

export const main = (...records: ARecord[]): AFile => ({ kind: 'transcript', stream: 'main', records });
export const child = (stream: string, ...records: ARecord[]): AFile => ({
  kind: 'transcript',
  stream,
  records,
});
export const sidecar = (stream: string, record: ARecord): AFile => ({
  kind: 'agent_meta',
  stream,
  records: [{ child: stream, ...record }],
});
export const journal = (batch: string, ...records: ARecord[]): AFile => ({ kind: 'journal', batch, records });
export const manifest = (batch: string, label = ''): AFile => ({
  kind: 'workflow_manifest',
  batch,
  records: [{ label }],
});

/** A record of the outside: it opens a run. */
export const user = (id: string, run: string, more: ARecord = {}): ARecord => ({
  id,
  run,
  from: 'external',
  trigger: 'external',
  flags: ['external_input'],
  ...more,
});
/** A record of the model: a fragment of a call, with parts. */
export const agent = (id: string, callId: string, ...parts: Part[]): ARecord => ({
  id,
  call: callId,
  from: 'agent',
  parts,
});
/** A record that carries results, as the outside gives them back. */
export const results = (id: string, ...parts: Part[]): ARecord => ({ id, from: 'external', parts });

const PART: Part = { k: '', data: undefined, id: '', of: '', name: '', server: '', server_tool: '' };
export const text = (): Part => ({ ...PART, k: 'text' });
export const reasoning = (): Part => ({ ...PART, k: 'reasoning' });
export const call = (id: string, name = 'Read', more: Partial<Part> = {}): Part => ({
  ...PART,
  k: 'call',
  id,
  name,
  ...more,
});
export const result = (of: string): Part => ({ ...PART, k: 'result', of });
export const data = (value: unknown): Part => ({ ...PART, k: 'data', data: value });
export const part = (k: string): Part => ({ ...PART, k });

const RECORD: IndexableRecord = {
  ...{ id: '', parent: '', call: '', run: '', continues: '', tool: '', child: '', batch: '' },
  ...{ label: '', started_by: '', from: '', time: '', trigger: '', flags: [], parts: [] },
};

/** The index of a session named `s`. */
export function anIndex(...files: AFile[]): SessionIndex {
  const builder = new IndexBuilder('s');
  for (const { kind, stream = '', batch = '', seq = builder.lastSeq + 1, records } of files) {
    const digit = (seq % 16).toString(16);
    builder.addFile({
      seq,
      path: `${stream || batch}/${kind}-${seq}.sd`,
      sha256: digit.repeat(64),
      sizeBytes: 1,
      records: records.length,
    });
    for (const [i, record] of records.entries())
      builder.addEntry(entryOf({ ...RECORD, ...record }, i + 1, { fileKind: kind, stream, batch }));
  }
  return builder.finish();
}

/** An assembly as objects, by id. Attributes are always there, if empty. */
export interface Assembled {
  readonly nodes: ReadonlyMap<string, Node & { readonly attrs: Attributes }>;
  readonly relations: ReadonlyMap<string, Relation>;
  readonly unresolved: ReadonlyMap<string, Unresolved>;
  readonly counts: AssemblyCounts;
  /** The entities in the order they were given. */
  readonly entities: readonly Entity[];
  /** Ids of nodes of a kind, in order. */
  ids(kind: string): string[];
  parentOf(id: string): string | undefined;
}

export function assembled(...files: AFile[]): Promise<Assembled> {
  return assembledIndex(anIndex(...files));
}

export async function assembledIndex(
  index: SessionIndex,
  options: { watermark?: number; pageEntries?: number } = {},
): Promise<Assembled> {
  const { streams, steps } = assemble(index, {
    conversation: 'c',
    watermark: options.watermark ?? Number.POSITIVE_INFINITY,
    ...(options.pageEntries === undefined ? {} : { pageEntries: options.pageEntries }),
  });
  const entities: Entity[] = [];
  const sink = new Writable({
    objectMode: true,
    write(batch: readonly Entity[], _encoding, done) {
      entities.push(...batch);
      done();
    },
  });
  await pipeline([...streams, sink]);
  const group = <T>(name: Entity['group']): Map<string, T> =>
    new Map(
      entities
        .filter((entity) => entity.group === name)
        .map(({ id, tail }) => [id, { id, ...JSON.parse(`{${tail.slice(1)}`) } as T]),
    );
  const nodes = group<Node & { attrs: Attributes }>('node');
  for (const [id, node] of nodes) if (node.attrs === undefined) nodes.set(id, { ...node, attrs: {} });
  return {
    nodes,
    relations: group<Relation>('relation'),
    unresolved: group<Unresolved>('unresolved'),
    counts: steps.counts,
    entities,
    ids: (kind) => [...nodes.values()].filter((node) => node.kind === kind).map(({ id }) => id),
    parentOf: (id) => nodes.get(id)?.parent,
  };
}
