/** What must hold between an agent's files and what was collected from them (scenario spec 10, claude-code only). */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { CLAUDE_CODE } from '../../adapters/claude-code/claude-code.js';
import { locate } from '../../adapters/claude-code/source-names.js';
import { dataSlices } from '../../format/session-data.js';
import { listLandedFiles, sessionFolder } from '../../io/storage-root.js';
import { type CheckedRoot, inRoot } from './checked-root.js';
import { type LandedEntry, landedEntries } from './compare.js';

/** A second collect lands nothing. */
export async function recollectIdempotent(root: CheckedRoot): Promise<string[]> {
  const tally = await root.collect();
  const errors = tally.errors.map(({ message }) => message);
  return tally.records === 0 ? errors : [`a second collect landed ${tally.records} records`, ...errors];
}

/** Every line of every source is one record, and no line of another file is any. */
export async function everyLineARecord(root: CheckedRoot): Promise<string[]> {
  const landed = new Map<string, number>();
  for (const { src } of landedEntries(root.root, root.session)) landed.set(src, (landed.get(src) ?? 0) + 1);
  return filesBelow(root.sourceRoot).flatMap((file) => {
    if (!file.endsWith('.jsonl') || isPlugins(file)) return [];
    const isSource = locate(file)?.session === root.session;
    const lines = readFileSync(join(root.sourceRoot, file), 'utf8')
      .split('\n')
      .filter((line) => line.trim() !== '');
    const [want, have] = [isSource ? lines.length : 0, landed.get(file) ?? 0];
    // Other sessions of the same build are none of this one's business.
    if (want === have || (!isSource && have === 0)) return [];
    return [`${file} has ${want} lines to land, ${have} records landed`];
  });
}

/** A record's digest is that of its source's bytes, and its raw parts stand in them unchanged. */
export async function partsKeepSourceBytes(root: CheckedRoot): Promise<string[]> {
  const sources = new Map<string, Buffer>();
  const bytesOf = (src: string) => {
    if (!sources.has(src)) sources.set(src, readFileSync(join(root.sourceRoot, src)));
    return sources.get(src)!;
  };
  return landedEntries(root.root, root.session).flatMap((entry) => brokenBytes(entry, bytesOf(entry.src)));
}

function brokenBytes({ src, record, text }: LandedEntry, source: Buffer): string[] {
  const { off, bytes, sha, parts, ord } = record;
  const slice = source.subarray(off, off + bytes);
  const place = `${src} record ${ord}`;
  const found: string[] = [];
  if (createHash('sha256').update(slice).digest('hex').slice(0, 12) !== sha)
    found.push(`${place}: its digest is not that of its source's bytes`);
  const line = slice.toString('utf8');
  const data = dataSlices(text);
  for (const [i, part] of parts.entries()) {
    const raw = data[i];
    if (raw === undefined || !['call', 'result', 'data'].includes(part.k) || isComputed(raw)) continue;
    if (!line.includes(raw)) found.push(`${place} part ${i}: its data does not stand in the source`);
  }
  return found;
}

/** A change record that the adapter worked out, and no agent wrote. */
function isComputed(data: string): boolean {
  return data.startsWith('{"schema":"changes/1"');
}

/** Discovery finds this session, and nothing that only looks like one. */
export async function discoveryIgnoresNoise(root: CheckedRoot): Promise<string[]> {
  const { sessions } = CLAUDE_CODE.discover(root.sourceRoot);
  const others = sessions.map(({ id }) => id).filter((id) => id !== root.session);
  const paths = sessions.flatMap(({ sources }) => sources.map(({ relativePath }) => relativePath));
  return [
    ...(sessions.some(({ id }) => id === root.session) ? [] : [`session ${root.session} is not found`]),
    ...others.map((id) => `session ${id} is found, which nobody built`),
    ...paths
      .filter((path) => path.includes('not-a-uuid') || path.includes('/memory/'))
      .map((path) => `${path} is taken for a source`),
  ];
}

/** What an agent deletes stays landed: cursors say that it is gone, and nothing else changes. */
export async function prunedSourcesGone(root: CheckedRoot): Promise<string[]> {
  return inRoot(root.beside('pruned'), async (pruned) => {
    root.copyTo(pruned);
    // The copy's files are others to the system; what a collect notes of that is not what is looked at here.
    const { errors } = await pruned.collect();
    const main = filesBelow(pruned.sourceRoot).filter((file) => locate(file)?.isMain);
    const others = filesBelow(pruned.sourceRoot).filter((file) => locate(file) && !main.includes(file));
    const before = stateOf(pruned);
    const found = errors.map(({ message }) => message);
    const gone = new Set<string>();
    for (const files of [main, others]) {
      move(pruned.sourceRoot, `${pruned.sourceRoot}-away`, files);
      for (const file of files) gone.add(file);
      found.push(...(await afterCollect(pruned, before, gone)));
    }
    move(`${pruned.sourceRoot}-away`, pruned.sourceRoot, [...main, ...others]);
    found.push(...(await afterCollect(pruned, before, new Set())));
    const { round } = await pruned.parse();
    return round === 0 ? found : [...found, `a parse wrote round ${round}`];
  });
}

/** Per cursor file the source it names and its state; and the landed files. */
interface Kept {
  readonly cursors: ReadonlyMap<string, { readonly source: string; readonly state: string }>;
  readonly landed: string;
}

async function afterCollect(root: CheckedRoot, before: Kept, gone: ReadonlySet<string>): Promise<string[]> {
  const tally = await root.collect();
  const after = stateOf(root);
  const found = tally.errors.map(({ message }) => message);
  if (tally.records > 0)
    found.push(`with ${gone.size} sources gone a collect landed ${tally.records} records`);
  if (after.landed !== before.landed)
    found.push(`with ${gone.size} sources gone the landed files are others`);
  for (const [path, { source, state }] of before.cursors) {
    const want = gone.has(source) && state === 'active' ? 'source_gone' : state;
    const got = after.cursors.get(path)?.state;
    if (got !== want) found.push(`the cursor of ${source} says ${got}, want ${want}`);
  }
  return found;
}

function stateOf({ root, session }: CheckedRoot): Kept {
  const folder = sessionFolder(root, session);
  const cursors = filesBelow(folder)
    .filter((file) => file.endsWith('.cursor'))
    .map((file) => {
      const text = readFileSync(join(folder, file), 'utf8');
      const field = (name: string) => new RegExp(`^${name} +(.*)$`, 'm').exec(text)?.[1] ?? '';
      return [file, { source: field('source'), state: field('state') }] as const;
    });
  const landed = listLandedFiles(folder).map(({ path }) =>
    createHash('sha256').update(readFileSync(path)).digest('hex'),
  );
  return { cursors: new Map(cursors), landed: landed.join(' ') };
}

function move(from: string, to: string, files: readonly string[]): void {
  for (const file of files) {
    mkdirSync(dirname(join(to, file)), { recursive: true });
    renameSync(join(from, file), join(to, file));
  }
}

/** Names of the files below a folder, with `/`, by name. */
function filesBelow(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(folder.length + 1)
        .replaceAll('\\', '/'),
    )
    .sort();
}

/** What a plugin wrote is another adapter's. */
function isPlugins(file: string): boolean {
  return file.startsWith('plugins/data/');
}
