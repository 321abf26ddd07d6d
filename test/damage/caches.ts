/**
 * Damage of everything that may be deleted: cursors, state files, the index, the note of a settled chain. What is
 * read of a damaged one is what was written, or nothing; and the next pass writes it again.
 */
import { appendFileSync, cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { CLAUDE_CODE } from '../../src/adapters/claude-code/claude-code.js';
import { indexEntryLine } from '../../src/format/index-lines.js';
import { loadConversationState } from '../../src/io/conversation-state.js';
import { type Cursor, loadCursor } from '../../src/io/cursor.js';
import { loadIndex } from '../../src/io/index-store.js';
import { loadSessionState } from '../../src/io/session-state.js';
import { CollectorMemory, collectRoot } from '../../src/landing/collect-root.js';
import { indexSink } from '../../src/landing/index-sink.js';
import { parseSession } from '../../src/rounds/parse-session.js';
import { readSettled } from '../../src/rounds/settled-chain.js';
import { verifyChain } from '../../src/rounds/verify-chain.js';
import { verifyLanded } from '../../src/rounds/verify-landed.js';

const SESSION = '0a0a0a0a-0000-4000-8000-000000000001';
const CHILD = 'a0123456789abcdef';
const MAIN = `-w/${SESSION}.jsonl`;
const now = () => ({ ms: 1_767_225_600_000, ns: 0 });

/** A root collected from sources that are still there, and what stands in it. */
export class CacheRoot {
  readonly folder: string;

  constructor(folder: string) {
    this.folder = folder;
  }

  get root(): string {
    return join(this.folder, 'data');
  }

  get sources(): string {
    return join(this.folder, 'projects');
  }

  async make(): Promise<this> {
    this.#write(MAIN, prompt('u1') + prompt('u2'));
    this.#write(`-w/${SESSION}/subagents/agent-${CHILD}.jsonl`, prompt('c1'));
    this.#write(`-w/${SESSION}/subagents/agent-${CHILD}.meta.json`, '{"agentType":"x","toolUseId":"t1"}');
    await this.pass();
    // Where nothing landed the second time, there is a settled chain.
    await this.pass();
    return this;
  }

  copyTo(folder: string): CacheRoot {
    cpSync(this.folder, folder, { recursive: true });
    return new CacheRoot(folder);
  }

  /** A prompt more in the main transcript. */
  grow(): void {
    appendFileSync(join(this.sources, MAIN), prompt('more'));
  }

  /** Collects and parses; what the collection tallied. */
  async pass() {
    const tally = await this.collect();
    await parseSession(this.root, SESSION, { maxBytes: 1 << 21, now });
    return tally;
  }

  collect() {
    return collectRoot({
      adapter: CLAUDE_CODE,
      sourceRoot: this.sources,
      storageRoot: this.root,
      filter: { include: [], exclude: [] },
      maxDeltaBytes: 0,
      index: indexSink(this.root),
      now,
      memory: new CollectorMemory(),
    });
  }

  /** Everything that is wrong with what has landed and was parsed, as words. */
  findings(): string[] {
    const landed = verifyLanded(this.root, SESSION);
    const chain = verifyChain(this.root, SESSION, () => landed.digests);
    return [...landed.problems, ...chain.problems].map(({ words }) => words);
  }

  put(file: string, bytes: Uint8Array): void {
    rmSync(join(this.root, file));
    writeFileSync(join(this.root, file), bytes);
  }

  bytes(file: string): Buffer {
    return readFileSync(join(this.root, file));
  }

  /** What a source holds. */
  source(path: string): Buffer {
    return readFileSync(join(this.sources, path));
  }

  /** The first landed transcript of a stream, below the root. */
  landed(stream: string): string {
    const folder = `${SESSION}/streams/${stream}`;
    return `${folder}/${readdirSync(join(this.root, folder)).find((name) => name.startsWith('transcript-'))}`;
  }

  #write(path: string, content: string): void {
    mkdirSync(dirname(join(this.sources, path)), { recursive: true });
    writeFileSync(join(this.sources, path), content);
  }
}

function prompt(uuid: string): string {
  const message = { role: 'user', content: `words of ${uuid}` };
  const origin = { kind: 'human' };
  return `${JSON.stringify({ type: 'user', uuid, promptId: uuid, timestamp: '2026-01-01T10:00:00.000Z', origin, message })}\n`;
}

/** What is read of each cache: as text, or `undefined` when nothing of it is believed. */
export const CACHES: Readonly<Record<string, (root: string) => string | undefined>> = {
  [`${SESSION}/streams/main/transcript.cursor`]: (root) =>
    cursorText(loadCursor(join(root, SESSION, 'streams/main/transcript.cursor'))),
  [`${SESSION}/streams/${CHILD}/transcript.cursor`]: (root) =>
    cursorText(loadCursor(join(root, SESSION, 'streams', CHILD, 'transcript.cursor'))),
  [`${SESSION}/streams/${CHILD}/meta.cursor`]: (root) =>
    cursorText(loadCursor(join(root, SESSION, 'streams', CHILD, 'meta.cursor'))),
  [`${SESSION}/session.state`]: (root) => {
    const state = loadSessionState(join(root, SESSION, 'session.state'), SESSION);
    return state.updatedAt === '' ? undefined : JSON.stringify(state);
  },
  [`${SESSION}/index/index.state`]: indexText,
  [`${SESSION}/index/entries.bin`]: indexText,
  [`_conversations/${SESSION}/conversation.state`]: (root) => {
    const path = join(root, '_conversations', SESSION, 'conversation.state');
    const state = loadConversationState(path, SESSION);
    return state.updatedAt === '' ? undefined : JSON.stringify(state);
  },
  [`_conversations/${SESSION}/settled.json`]: (root) => {
    const settled = readSettled(root, SESSION);
    return settled && JSON.stringify(settled);
  },
};

function cursorText(cursor: Cursor | undefined): string | undefined {
  if (cursor === undefined || cursor.state === 'damaged') return undefined;
  return JSON.stringify(cursor, (_, value) => (typeof value === 'bigint' ? String(value) : value));
}

function indexText(root: string): string | undefined {
  const stored = loadIndex(root, SESSION);
  if (stored === undefined) return undefined;
  const { index, indexedSeq } = stored;
  const entries = Array.from({ length: index.entries }, (_, i) => indexEntryLine(index, i));
  return JSON.stringify([indexedSeq, index.files, entries]);
}

/** Every damage of a file, by name: one bit, or all eight, of each byte flipped, and every truncation. */
export function* damagesOf(
  whole: Buffer,
  bitsOf: (at: number) => readonly number[],
): Generator<[string, Buffer]> {
  for (let at = 0; at < whole.length; at++)
    for (const bit of bitsOf(at)) {
      const flipped = Buffer.from(whole);
      flipped[at]! ^= 1 << bit;
      yield [`byte ${at} bit ${bit}`, flipped];
    }
  for (let at = 0; at < whole.length; at++) yield [`cut at ${at}`, whole.subarray(0, at)];
}

/** What is believed of a damaged cache though nobody wrote it, damage by damage; how many were tried. */
export function believed(
  place: CacheRoot,
  file: string,
  bitsOf: (at: number) => readonly number[],
): { tried: number; wrong: string[] } {
  const read = CACHES[file]!;
  const whole = place.bytes(file);
  const written = read(place.root);
  if (written === undefined) throw new Error(`${file} is not there`);
  const wrong: string[] = [];
  let tried = 0;
  for (const [what, bytes] of damagesOf(whole, bitsOf)) {
    place.put(file, bytes);
    tried++;
    try {
      const said = read(place.root);
      if (said !== undefined && said !== written) wrong.push(`${file} ${what}: ${said}`);
    } catch (cause) {
      wrong.push(`${file} ${what}: ${cause instanceof Error ? cause.stack : cause}`);
    }
  }
  place.put(file, whole);
  return { tried, wrong };
}

/**
 * What goes wrong in the passes after a damage: nothing may be a conflict, nothing lost, nothing land twice, and the
 * file is sound again. `grows`: a record waits behind the cursor; else the pass has only the damage to notice.
 */
export async function mended(
  place: CacheRoot,
  file: string,
  bytes: Buffer,
  grows: boolean,
): Promise<string[]> {
  place.put(file, bytes);
  if (grows) place.grow();
  const before = verifyLanded(place.root, SESSION).records;
  const tally = await place.pass();
  const wrong = tally.errors.map(({ message }) => message);
  if (tally.conflicts > 0) wrong.push('a conflict');
  const landed = verifyLanded(place.root, SESSION);
  if (landed.records - before !== Number(grows)) wrong.push(`${landed.records - before} records landed`);
  if (landed.relanded > 0) wrong.push(`${landed.relanded} landed again`);
  wrong.push(...place.findings());
  // The index is loaded when something lands, and not to see that nothing has.
  const isRead = grows || !file.endsWith('entries.bin');
  if (isRead && CACHES[file]!(place.root) === undefined) wrong.push('it is not written again');
  return wrong.map((words) => `${file}: ${words}`);
}
