/** A real OpenTelemetry Collector between a push and a receiver; only tests through it are skipped where it is absent. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { after } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import { REPOSITORY, temporaryFolder } from '../shared.js';

/** The program, packed; for Linux on x86-64. */
function packed(): string | undefined {
  const path = join(process.env.ASZ_SHARED ?? join(REPOSITORY, '../shared'), 'tools/otelcol.gz');
  const runs = process.platform === 'linux' && process.arch === 'x64';
  return runs && existsSync(path) ? path : undefined;
}

/** Options for a test that needs it. */
export const needsCollector =
  packed() === undefined ? { skip: 'skipped: no ../shared/tools/otelcol.gz that runs here' } : {};

let program: string | undefined;

function unpacked(): string {
  if (program !== undefined) return program;
  program = join(temporaryFolder(), 'otelcol');
  writeFileSync(program, gunzipSync(readFileSync(packed()!)));
  chmodSync(program, 0o755);
  return program;
}

export class Collector {
  readonly endpoint: string;
  readonly #configuration: string;
  #process: ChildProcess | undefined;

  private constructor(port: number, configuration: string) {
    this.endpoint = `http://127.0.0.1:${port}`;
    this.#configuration = configuration;
    after(() => this.stop());
  }

  /** One that hands on to an endpoint, in protobuf; `compression` undefined is its own default, gzip. */
  static async to(endpoint: string, compression: 'none' | undefined): Promise<Collector> {
    const port = await freePort();
    const exporter = {
      endpoint,
      encoding: 'proto',
      ...(compression && { compression }),
      sending_queue: { enabled: false },
      retry_on_failure: { enabled: false },
    };
    const path = join(temporaryFolder(), 'collector.yaml');
    // JSON is YAML.
    writeFileSync(
      path,
      JSON.stringify({
        receivers: { otlp: { protocols: { http: { endpoint: `127.0.0.1:${port}` } } } },
        exporters: { otlphttp: exporter },
        service: {
          telemetry: { metrics: { level: 'none' } },
          pipelines: { logs: { receivers: ['otlp'], exporters: ['otlphttp'] } },
        },
      }),
    );
    const collector = new Collector(port, path);
    await collector.start();
    return collector;
  }

  /** Starts it and waits until it answers. */
  async start(): Promise<void> {
    const child = spawn(unpacked(), ['--config', this.#configuration], {
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    this.#process = child;
    let said = '';
    child.stderr.on('data', (piece) => {
      said += piece;
    });
    for (let i = 0; i < 300; i++) {
      if (child.exitCode !== null) throw new Error(`the collector ended: ${said}`);
      if (await answers(this.endpoint)) return;
      await setTimeout(100);
    }
    throw new Error(`the collector does not answer: ${said}`);
  }

  async stop(): Promise<void> {
    const child = this.#process;
    this.#process = undefined;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  }
}

function answers(endpoint: string): Promise<boolean> {
  return new Promise((resolve) => {
    const asked = request(`${endpoint}/v1/logs`, (response) => {
      response.resume();
      resolve(true);
    });
    asked.on('error', () => resolve(false));
    asked.end();
  });
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
