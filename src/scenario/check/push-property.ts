/** What is pushed is what lies on the disk, and a root comes out of it again (scenario spec 10.1). */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { ADAPTERS } from '../../adapters/registry.js';
import { directoryEntries } from '../../io/directory-entries.js';
import { listLandedFiles, roundsFolder, sessionFolder } from '../../io/storage-root.js';
import { type PushReport, pushRoot } from '../../push/push-root.js';
import { receiverOf } from '../../push/receiver.js';
import { verifyChain } from '../../rounds/verify-chain.js';
import { verifyLanded } from '../../rounds/verify-landed.js';
import { type CheckedRoot, inRoot } from './checked-root.js';
import { foldDifferences } from './compare.js';
import { different, isLanded, PUSHED_AT, recordLines } from './pushed-records.js';
import { type WireAttributes, WireReceiver, type WireResource } from './wire-receiver.js';

const SERVICE = 'Scenario Check';
const VERSION = 'check';
const RESOURCE: WireAttributes = [
  ['service.name', SERVICE],
  ['service.instance.id', 'scenario-check'],
  ['telemetry.sdk.name', 'asz'],
  ['telemetry.sdk.version', VERSION],
  ['telemetry.sdk.language', 'nodejs'],
  ['service.layer', 'AI_AGENT'],
];
const SCOPE = { name: 'github.com/apache/skywalking-ai-sessionizer', version: VERSION };
const RUNTIMES = { 'claude-code': 'Claude Code', sd: 'Mock Agent' } as const;

/** Holds pushes as they are made. */
export async function pushFollowsTheWire(root: CheckedRoot): Promise<string[]> {
  return wireDifferences(root, pushRoot);
}

/** Pushes to a receiver of its own: by agent, refused, a file a request, and again; then builds a twin of what came. */
export function wireDifferences(root: CheckedRoot, pushing: typeof pushRoot): Promise<string[]> {
  return overTheWire(root, pushing, async (wire, push) => {
    const files = filesOf(root);
    if (files.size === 0) return [];
    const byAgent = await push({});
    const services = wire.resources.map(({ attributes }) => attributes[0]?.[1]);
    const runtime = [...files.keys()].some(isLanded) ? RUNTIMES[root.options.format] : 'unknown';
    const unlike = services.filter((service) => service !== runtime);
    forget(root, wire);
    wire.status = 503;
    const refused = await push({});
    forget(root, wire);
    wire.status = 200;
    const { requests } = await push({ serviceName: SERVICE, batchBytes: 1 });
    const { resources } = wire;
    const again = await push({ serviceName: SERVICE });
    const lines = [
      ...unlike.map((service) => `without a service name it is ${service}, want ${runtime}`),
      ...byAgent.errors,
      ...(refused.files === 0
        ? []
        : [`${refused.files} files count as sent to a receiver that refused them`]),
      ...(refused.errors.length > 0 ? [] : ['a receiver that refused everything is no error']),
      ...(requests === files.size ? [] : [`${requests} requests for ${files.size} files`]),
      ...resources.flatMap(resourceLines),
      ...recordLines(
        root.session,
        files,
        resources.flatMap(({ records }) => records),
      ),
      ...(again.requests === 0 ? [] : [`a second pass sent ${again.files} files once more`]),
    ];
    // What did not come as it is gives no root.
    return lines.length > 0 ? lines : twinLines(root, resources);
  });
}

/** Kinds of file that a push of the root does not carry. */
export function missingKinds(root: CheckedRoot, wanted: readonly string[]): Promise<string[]> {
  return overTheWire(root, pushRoot, async (wire, push) => {
    await push({});
    const carried = wire.resources.flatMap(({ records }) =>
      records.map(({ attributes }) => new Map(attributes).get('asz.file.kind')),
    );
    return wanted.filter((kind) => !carried.includes(kind)).map((kind) => `no ${kind} is pushed`);
  });
}

interface How {
  readonly serviceName?: string;
  readonly batchBytes?: number;
}

/** Works with a receiver, and leaves nothing of its pushes in the root. */
async function overTheWire(
  root: CheckedRoot,
  pushing: typeof pushRoot,
  work: (wire: WireReceiver, push: (how: How) => Promise<PushReport>) => Promise<string[]>,
): Promise<string[]> {
  const wire = await WireReceiver.start();
  const push = ({ serviceName = '', batchBytes = 8 * 1024 * 1024 }: How) =>
    pushing({
      root: root.root,
      receiver: receiverOf(wire.endpoint, {}),
      identity: {
        ...{ serviceName, instanceId: 'scenario-check', layer: 'AI_AGENT', version: VERSION },
        agents: new Map(ADAPTERS.map(({ name, runtime }) => [name, runtime])),
      },
      ...{ batchBytes, maxBytesPerMinute: 0, requestMs: 60_000, lockMs: 0 },
      ...{ now: () => PUSHED_AT, sleep: async () => {}, signal: new AbortController().signal },
    });
  try {
    return await work(wire, push);
  } finally {
    await wire.close();
    forget(root, wire);
    rmSync(join(root.root, '_export'), { recursive: true, force: true });
  }
}

function forget({ root }: CheckedRoot, wire: WireReceiver): void {
  rmSync(join(root, 'push.state'), { force: true });
  wire.requests.length = 0;
}

/** Every file that is to be sent, by its path below the root. */
function filesOf({ root, session }: CheckedRoot): Map<string, Buffer> {
  const rounds = roundsFolder(root, session);
  const paths = [
    ...listLandedFiles(sessionFolder(root, session)).map(({ path }) => path),
    ...directoryEntries(rounds).map(({ name }) => join(rounds, name)),
  ];
  return new Map(paths.map((path) => [relative(root, path).replaceAll('\\', '/'), readFileSync(path)]));
}

function resourceLines({ attributes, scopes, records }: WireResource): string[] {
  return [
    ...different('the resource', attributes, RESOURCE),
    ...different('the scope', scopes, [SCOPE]),
    ...(records.length === 1 ? [] : [`${records.length} files in a request of one byte`]),
  ];
}

/** Each body written to its path is a root that verifies and folds alike. */
function twinLines(root: CheckedRoot, resources: readonly WireResource[]): Promise<string[]> {
  return inRoot(root.beside('wire'), async (twin) => {
    for (const { attributes, body } of resources.flatMap(({ records }) => records)) {
      const path = join(twin.root, String(new Map(attributes).get('asz.file')));
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, body, { mode: 0o444 });
    }
    // A session of which everything was lost has nothing that travels, its folder included.
    mkdirSync(sessionFolder(twin.root, twin.session), { recursive: true });
    return [
      ...different('verify says of what came', problemsOf(twin), problemsOf(root)),
      ...foldDifferences(root.fold(), twin.fold()),
    ];
  });
}

/** Cursors do not travel. */
const OF_CURSORS: readonly string[] = ['end-gap', 'cursor-damaged'];

function problemsOf({ root, session }: CheckedRoot): string[] {
  const landed = verifyLanded(root, session);
  const chain = verifyChain(root, session, () => landed.digests);
  return [...landed.problems, ...chain.problems]
    .filter(({ id }) => !OF_CURSORS.includes(id))
    .map(({ id, file, line }) => `${id} ${file} ${line}`);
}
