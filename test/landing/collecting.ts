import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { CLAUDE_CODE } from '../../src/adapters/claude-code/claude-code.js';
import type { SdHeader, SdRecord } from '../../src/format/session-data.js';
import { type Instant, parseTime } from '../../src/format/time.js';
import type { PublishedFile } from '../../src/io/landed-writer.js';
import { highestSequence, listLandedFiles, sessionFolder } from '../../src/io/storage-root.js';
import { CollectorMemory, type CollectRequest, collectRoot } from '../../src/landing/collect-root.js';
import type { LandedSink } from '../../src/landing/landed-sink.js';
import type { PassTally } from '../../src/landing/pass-tally.js';
import { temporaryFolder } from '../shared.js';

export const SESSION = '11111111-2222-4333-8444-555555555555';
export const PROJECT = '-w-demo';
/** When all shared data was collected. */
export const COLLECTED_AT = parseTime('2026-01-01T00:00:00Z');

/** An index in memory: what it was told, and up to where it was saved. */
export class MemorySink implements LandedSink {
  readonly files: { seq: number; stream: string; batch: string; records: readonly SdRecord[] }[] = [];
  readonly saved = new Map<string, { indexedSeq: number; at: Instant }>();
  readonly opened: [session: string, throughSeq: number][] = [];

  open(session: string, throughSeq: number) {
    this.opened.push([session, throughSeq]);
    let indexedSeq = throughSeq;
    const missed = throughSeq - (this.saved.get(session)?.indexedSeq ?? 0);
    return {
      get indexedSeq() {
        return indexedSeq;
      },
      reindexed: missed,
      startFile: ({ stream = '', batch = '' }: SdHeader) => {
        const records: SdRecord[] = [];
        return {
          addRecord: (record: SdRecord) => {
            records.push(record);
          },
          published: ({ seq }: PublishedFile) => {
            this.files.push({ seq, stream, batch, records });
            indexedSeq = seq;
          },
        };
      },
      save: (at: Instant) => {
        this.saved.set(session, { indexedSeq, at });
      },
    };
  }
}

/** A source root and a storage root, both temporary, and passes over them. */
export class Collection {
  readonly sources: string;
  readonly root: string;
  readonly sink = new MemorySink();
  readonly memory = new CollectorMemory();
  now: Instant = COLLECTED_AT;

  constructor(sources = join(temporaryFolder(), 'projects'), root = join(temporaryFolder(), 'data')) {
    this.sources = sources;
    this.root = root;
  }

  pass(options: Partial<CollectRequest> = {}): Promise<PassTally> {
    return collectRoot({
      adapter: CLAUDE_CODE,
      sourceRoot: this.sources,
      storageRoot: this.root,
      filter: { include: [], exclude: [] },
      maxDeltaBytes: 0,
      index: this.sink,
      now: () => this.now,
      memory: this.memory,
      ...options,
    });
  }

  /** Writes a source, making its folders; gives its path. */
  write(relativePath: string, content: string | Uint8Array): string {
    const path = join(this.sources, relativePath);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
    return path;
  }

  landed(session = SESSION) {
    return listLandedFiles(sessionFolder(this.root, session)).map((file) => ({
      ...file,
      ...readLanded(file.path),
    }));
  }

  /** All records of one stream, in order. */
  records(stream = 'main', session = SESSION): LandedRecord[] {
    return this.landed(session)
      .filter((file) => file.stream === stream && file.kindPrefix === 'transcript')
      .flatMap(({ records }) => records);
  }

  cursor(relativePath = 'streams/main/transcript.cursor', session = SESSION): Record<string, string> {
    return stateAt(join(this.root, session, relativePath));
  }

  state(session = SESSION): Record<string, string> {
    return stateAt(join(this.root, session, 'session.state'));
  }

  highest(session = SESSION): number {
    return highestSequence(sessionFolder(this.root, session));
  }
}

export interface LandedRecord {
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into records of every shape
  readonly value: any;
}

export interface LandedContent {
  readonly bytes: Buffer;
  readonly header: { readonly seq: number; readonly src: string; readonly kind: string };
  readonly headerText: string;
  readonly records: readonly LandedRecord[];
}

export function readLanded(path: string): LandedContent {
  const bytes = readFileSync(path);
  const lines = bytes.toString('utf8').split('\n');
  const headerText = lines[0] ?? '';
  const records = lines.slice(1, -2).map((text) => ({ text, value: JSON.parse(text) }));
  return { bytes, headerText, header: JSON.parse(headerText), records };
}

/** What a state file says; its check is left out, because other readers pass over it. */
export function stateAt(path: string): Record<string, string> {
  const lines = readFileSync(path, 'utf8')
    .replace(/^check .*\n/m, '')
    .trimEnd()
    .split('\n');
  return Object.fromEntries(lines.map((line) => [line.split(' ', 1)[0], line.replace(/^\S+ +/, '')]));
}

export const MAIN = `${PROJECT}/${SESSION}.jsonl`;

/** A line of a transcript that is a person's prompt. */
export function aPrompt(uuid: string, text = 'hello'): string {
  return `${JSON.stringify({
    type: 'user',
    uuid,
    promptId: 'p1',
    timestamp: '2026-01-01T10:00:00.000Z',
    origin: { kind: 'human' },
    message: { role: 'user', content: text },
  })}\n`;
}

/** A private copy, because shared data is read-only. */
export function copyOf(folder: string): string {
  const copy = join(temporaryFolder(), 'projects');
  cpSync(folder, copy, { recursive: true });
  return copy;
}

/** Every file below a folder, relative, sorted. */
export function filesBelow(folder: string, prefix = ''): string[] {
  return readdirSync(join(folder, prefix), { withFileTypes: true })
    .flatMap((entry) => {
      const path = prefix === '' ? entry.name : `${prefix}/${entry.name}`;
      return entry.isDirectory() ? filesBelow(folder, path) : [path];
    })
    .sort();
}

/** Every landed record must reproduce its source line. Gives how many were looked at. */
export function checkProvenance(sources: string, files: readonly LandedContent[]): number {
  let count = 0;
  const contents = new Map<string, Buffer>();
  for (const { header, records } of files) {
    const source = contents.get(header.src) ?? readFileSync(join(sources, header.src));
    contents.set(header.src, source);
    for (const { value } of records) {
      const line = source.subarray(value.off, value.off + value.bytes);
      const sha = createHash('sha256').update(line).digest('hex').slice(0, 12);
      if (sha !== value.sha) throw new Error(`${header.src} line ${value.ord}: its bytes differ`);
      count++;
    }
  }
  return count;
}
