/** What does it cost to push a root? */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { pushRoot } from '../../src/push/push-root.js';
import { receiverOf } from '../../src/push/receiver.js';
import { landedPaths, roundPaths } from '../corpora.js';
import { linkedRoot, type Question, type Sample, type Tools } from '../harness.js';

const BATCH_BYTES = 8 * 1024 * 1024;

export const PUSH: Question = {
  name: 'push',
  asks: 'Pushing a root that nobody pushed, to a receiver that keeps nothing; and again, with nothing new.',
  suits: ({ behind }) => behind !== undefined,
  variants: [
    {
      name: 'floor: reading and digesting the files, and posting zeros of their sizes',
      isFloor: true,
      measure: ({ parsed }, tools) => floorOf(filesOf(parsed), tools),
    },
    { name: 'push', measure: ({ parsed }, tools) => measured(linkedRoot(parsed, tools), tools) },
    {
      name: 'push again',
      async measure({ parsed }, tools) {
        const root = linkedRoot(parsed, tools);
        await measured(root, { ...tools, timed: untimed });
        return measured(root, tools);
      },
    },
  ],
};

/** The size of a landed file of a busy session; five thousand are a hundred megabytes. */
const FILE_BYTES = 20_000;

/** That `push.state` is written whole after every request must not show: twice the files take twice the time. */
export const PUSH_MANY: Question = {
  name: 'push many files',
  asks: `Pushing 5,000 and 10,000 landed files of ${FILE_BYTES} bytes, made for it, at the default batch.`,
  suits: ({ name }) => name === '20k',
  variants: [
    {
      name: 'floor: 5,000 files',
      isFloor: true,
      measure: (_, tools) => floorOf(filesOf(rootOf(5000, tools)), tools),
    },
    { name: '5,000 files', measure: (_, tools) => measured(rootOf(5000, tools), tools) },
    { name: '10,000 files', measure: (_, tools) => measured(rootOf(10_000, tools), tools) },
  ],
};

const untimed: Tools['timed'] = async (work) => ({ ms: 0, result: await work() });

function filesOf(root: string): string[] {
  return [...landedPaths(root), ...roundPaths(root)];
}

async function measured(root: string, tools: Tools): Promise<Sample> {
  const { ms, result } = await withSink((port) =>
    tools.timed(() =>
      pushRoot({
        root,
        receiver: receiverOf(`http://127.0.0.1:${port}`, {}),
        identity: {
          serviceName: '',
          agents: new Map(),
          instanceId: 'bench',
          layer: 'AI_AGENT',
          version: '0',
        },
        ...{ batchBytes: BATCH_BYTES, maxBytesPerMinute: 0, requestMs: 60_000, lockMs: 0 },
        now: () => ({ ms: Date.now(), ns: 0 }),
        sleep: async () => {},
        signal: new AbortController().signal,
      }),
    ),
  );
  if (result.errors.length > 0) throw new Error(result.errors[0]);
  const { bytes, files, requests } = result;
  return { ms, bytes, parts: { files, requests } };
}

async function floorOf(paths: readonly string[], tools: Tools): Promise<Sample> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const zeros = Buffer.alloc(BATCH_BYTES * 4);
  let total = 0;
  const { ms } = await withSink((port) =>
    tools.timed(async () => {
      let batch = 0;
      for (const path of paths) {
        const bytes = readFileSync(path);
        createHash('sha256').update(bytes).digest('hex');
        total += bytes.length;
        if (batch > 0 && batch + bytes.length > BATCH_BYTES) {
          await post(port, agent, zeros.subarray(0, batch));
          batch = 0;
        }
        batch += bytes.length;
      }
      await post(port, agent, zeros.subarray(0, batch));
    }),
  );
  agent.destroy();
  return { ms, bytes: total };
}

function post(port: number, agent: Agent, body: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    const posted = request(
      { host: '127.0.0.1', port, method: 'POST', agent, headers: { 'Content-Length': body.length } },
      (response) => {
        response.resume();
        response.once('end', resolve);
      },
    );
    posted.once('error', reject);
    posted.end(body);
  });
}

async function withSink<T>(work: (port: number) => Promise<T>): Promise<T> {
  const sink = spawn(process.execPath, [join(import.meta.dirname, '../sink.js')], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, NODE_OPTIONS: '' },
  });
  const [said] = (await once(sink.stdout, 'data')) as [Buffer];
  try {
    return await work(Number(said.toString()));
  } finally {
    sink.stdin.end();
    await once(sink, 'close');
  }
}

/** A root of so many files in ten sessions. */
function rootOf(files: number, { scratch }: Tools): string {
  const root = join(scratch, 'many');
  rmSync(root, { recursive: true, force: true });
  for (let i = 0; i < files; i++) {
    const session = `s${i % 10}`;
    const folder = join(root, session, 'streams/main');
    if (i < 10) mkdirSync(folder, { recursive: true });
    const seq = Math.floor(i / 10) + 1;
    const header = `{"h":1,"schema":"sd/1","seq":${seq},"at":"2026-01-01T00:00:00Z","kind":"transcript","adapter":"mock/0","dialect":"mock/1","src":"s","session":"${session}","stream":"main"}\n`;
    const line = `{"ord":1,"time":"2026-01-01T00:00:00.000Z","parts":[{"k":"text","text":"${'weather '.repeat(100)}"}]}\n`;
    const lines = Math.floor((FILE_BYTES - header.length) / line.length);
    const name = `transcript-20260101T000000.000000000Z-${String(seq).padStart(6, '0')}.sd`;
    writeFileSync(join(folder, name), header + line.repeat(lines));
  }
  return root;
}
