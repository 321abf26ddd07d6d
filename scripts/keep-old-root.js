// Keeps a root as this release writes it, for every later release to read: `test/old-roots/<version>`. Run it once, when
// a version is about to be released, after `npm run build`. It never writes over what is there, because what a
// release wrote cannot change any more.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const repository = resolve(import.meta.dirname, '..');
// An argument names another output folder of the compiler.
const built = resolve(repository, process.argv[2] ?? 'dist', 'src');
const load = (path) => import(pathToFileURL(join(built, path)).href);
const [{ CLAUDE_CODE }, { collectRoot, CollectorMemory }, { indexSink }, { parseSession }, { listSessions }] =
  await Promise.all([
    load('adapters/claude-code/claude-code.js'),
    load('landing/collect-root.js'),
    load('landing/index-sink.js'),
    load('rounds/parse-session.js'),
    load('io/storage-root.js'),
  ]);

const { version } = JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8'));
const kept = join(repository, 'test/old-roots', version);
if (existsSync(kept)) {
  console.error(`${kept} is there: what a release wrote does not change; count the version up first`);
  process.exit(1);
}

const samples = join(repository, 'samples/projects');
const [sources, root] = [join(kept, 'projects'), join(kept, 'root')];

/** Puts the samples in place of what is there, each file as `content` makes it; `undefined` leaves it out. */
function putSources(content) {
  rmSync(sources, { recursive: true, force: true });
  for (const path of filesBelow(samples)) {
    const bytes = content(readFileSync(join(samples, path)), path);
    if (bytes === undefined) continue;
    mkdirSync(dirname(join(sources, path)), { recursive: true });
    writeFileSync(join(sources, path), bytes);
  }
}

function filesBelow(folder) {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort();
}

async function pass(time) {
  const now = () => ({ ms: Date.parse(time), ns: 0 });
  const { errors } = await collectRoot({
    adapter: CLAUDE_CODE,
    sourceRoot: sources,
    storageRoot: root,
    filter: { include: [], exclude: [] },
    maxDeltaBytes: 8192,
    index: indexSink(root),
    now,
    memory: new CollectorMemory(),
  });
  if (errors.length > 0) throw new AggregateError(errors, 'the samples do not collect');
  for (const session of listSessions(root)) await parseSession(root, session, { maxBytes: 2 ** 21, now });
}

// Two rounds: the first half of every transcript, then all of everything.
putSources((bytes, path) => {
  if (!path.endsWith('.jsonl')) return undefined;
  const lines = bytes.toString('utf8').split(/(?<=\n)/);
  return lines.slice(0, Math.ceil(lines.length / 2)).join('');
});
await pass('2026-03-02T18:00:00Z');
putSources((bytes) => bytes);
await pass('2026-03-02T19:00:00Z');

// A lock says who held it, and that is nobody's business.
for (const path of filesBelow(root)) if (path.endsWith('.lock')) rmSync(join(root, path));
const digests = filesBelow(kept).map((path) => {
  const digest = createHash('sha256')
    .update(readFileSync(join(kept, path)))
    .digest('hex');
  return `${digest}  ${path.replaceAll('\\', '/')}\n`;
});
writeFileSync(join(kept, 'digests.txt'), digests.join(''));
console.log(`${digests.length} files in ${kept}`);
