/** What must hold of a storage root whatever was done to whoever wrote it. */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { encodeIndex } from '../../src/format/index-file.js';
import { checkRound } from '../../src/format/round-reader.js';
import { IndexBuilder } from '../../src/format/session-index.js';
import { listRounds } from '../../src/io/chain-directory.js';
import { indexLandedFile } from '../../src/io/index-store.js';
import { readLandedFile } from '../../src/io/landed-file.js';
import {
  indexFolder,
  listConversations,
  listLandedFiles,
  listSessions,
  roundsFolder,
  sessionFolder,
} from '../../src/io/storage-root.js';
import { foldChain } from '../../src/rounds/read-chain.js';

/** What a root says, told by the lines of its sources instead of by landed positions. */
export interface Told {
  /** Per session, every source line that landed: path, line, digest. */
  readonly lines: Readonly<Record<string, readonly string[]>>;
  /** Per conversation, every entity of its fold, but for references that were resolved: those are history. */
  readonly entities: Readonly<Record<string, readonly string[]>>;
  /** Landed records that say again what an earlier one said. */
  readonly relanded: number;
}

export function tell(root: string): Told {
  const lines: Record<string, string[]> = {};
  const entities: Record<string, string[]> = {};
  let relanded = 0;
  for (const session of listSessions(root)) {
    const places = placesOf(root, session);
    if (places.size === 0) continue;
    const landed = [...new Set(places.values())];
    relanded += places.size - landed.length;
    lines[session] = landed.sort();
    const told = [...foldChain(root, session).entities.node.values()].map((e) => e.line(0));
    const { relation, unresolved } = foldChain(root, session).entities;
    for (const entity of relation.values()) told.push(entity.line(0));
    for (const entity of unresolved.values())
      if (!entity.tail.includes('"state":"resolved"')) told.push(entity.line(0));
    entities[session] = [...new Set(told.map((line) => withPlaces(line, places)))].sort();
  }
  return { lines, entities, relanded };
}

/** Landed position, `seq/row`, to the source line that landed there. */
function placesOf(root: string, session: string): Map<string, string> {
  const places = new Map<string, string>();
  for (const { path, seq } of listLandedFiles(sessionFolder(root, session))) {
    const [header, ...records] = readFileSync(path, 'utf8').trimEnd().split('\n').slice(0, -1);
    const { src } = JSON.parse(header!) as { src: string };
    for (const [i, record] of records.entries()) {
      const { ord, sha } = JSON.parse(record) as { ord: number; sha: string };
      places.set(`${seq}/${i + 1}`, `<${src.replaceAll('/', '|')} line ${ord} ${sha}>`);
    }
  }
  return places;
}

/** An entity with each position, in its references and in the ids made of one, as its source line. */
function withPlaces(line: string, places: ReadonlyMap<string, string>): string {
  return line
    .replaceAll(/"seq":(\d+),"row":(\d+)/g, (_, seq, row) => `"at":"${places.get(`${seq}/${row}`)}"`)
    .replaceAll(/"row":(\d+),"seq":(\d+)/g, (_, row, seq) => `"at":"${places.get(`${seq}/${row}`)}"`)
    .replaceAll(/([a-z])([/_])(\d+)\2(\d+)(?=[":_/])/g, (all, prefix, joint, seq, row) =>
      places.has(`${seq}/${row}`) ? `${prefix}${joint}${places.get(`${seq}/${row}`)}` : all,
    );
}

/** Every landed file and every round, by path, with its bytes. */
export function evidence(box: string): Map<string, string> {
  const found = new Map<string, string>();
  if (!existsSync(box)) return found;
  for (const entry of readdirSync(box, { withFileTypes: true, recursive: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isFile() && /\.s[df]$/.test(entry.name)) found.set(path, readFileSync(path, 'latin1'));
  }
  return found;
}

/** What had landed and what was published is still there, byte for byte. */
export function assertKept(before: ReadonlyMap<string, string>, box: string): void {
  const now = evidence(box);
  for (const [path, bytes] of before) {
    assert.ok(now.has(path), `${path} is lost`);
    assert.ok(now.get(path) === bytes, `${path} was changed`);
  }
}

/** Under a final name stands a whole file or none. */
export function assertNothingHalf(root: string): void {
  if (!existsSync(root)) return;
  for (const session of listSessions(root))
    for (const { path } of listLandedFiles(sessionFolder(root, session))) readLandedFile(path);
  for (const conversation of listConversations(root))
    for (const { path } of listRounds(roundsFolder(root, conversation))) checkRound(readFileSync(path));
  for (const entry of readdirSync(root, { withFileTypes: true, recursive: true })) {
    if (!/^[^.].*\.(state|cursor)$/.test(entry.name)) continue;
    const path = join(entry.parentPath, entry.name);
    const text = readFileSync(path, 'utf8');
    assert.ok(
      /^schema +\d/.test(text) && /^updated_at +\S/m.test(text) && text.endsWith('\n'),
      `${path} is half`,
    );
  }
}

/** Each index on the disk says what one says that is made anew from the landed files. */
export function assertIndexesTrue(root: string): void {
  for (const session of listSessions(root)) {
    const files = listLandedFiles(sessionFolder(root, session));
    if (files.length === 0) continue;
    const builder = new IndexBuilder(session);
    for (const file of files) indexLandedFile(builder, root, file);
    const stored = readFileSync(join(indexFolder(root, session), 'entries.bin'));
    assert.ok(
      Buffer.concat([encodeIndex(builder.finish())].flat()).equals(stored),
      `the index of ${session} differs`,
    );
  }
}

/**
 * Both roots say the same, but for two things. Records without an id that landed twice count twice where records are
 * counted. And where the sources of a session landed in another order, because one failed and the others went on, what several
 * records tell of rests on the first of them to land, which may be another: a relation, a stream, an epoch, a talk.
 */
export function assertSame(told: Told, wanted: Told, landed: 'the same order' | 'another order'): void {
  assert.deepEqual(Object.keys(told.lines).sort(), Object.keys(wanted.lines).sort());
  for (const [session, lines] of Object.entries(wanted.lines)) {
    assertSameLines(told.lines[session]!, lines, 0, `landed of ${session}`);
    const [has, wants] = [told, wanted].map(({ entities }) =>
      entities[session]!.map((line) => (landed === 'the same order' ? line : withoutWitness(line))),
    );
    assertSameLines(has!, wants!, told.relanded - wanted.relanded, `told of ${session}`);
  }
}

function withoutWitness(line: string): string {
  if (line.startsWith('{"t":"relation"')) return line.replace(/,"via":"[^"]*"(,"evidence":.*)?}$/, '}');
  return /"kind":"(stream|epoch|talk)"/.test(line) ? line.replace(/,"ref":{[^}]*}/, '') : line;
}

/** `tolerance` is by how much a count of records may exceed. In few words, for there are thousands of lines. */
function assertSameLines(
  actual: readonly string[],
  wanted: readonly string[],
  tolerance: number,
  what: string,
): void {
  const [has, wants] = [counted(actual), counted(wanted)];
  const missing = [...wants.keys()].filter((line) => !has.has(line));
  const extra = [...has.keys()].filter((line) => !wants.has(line));
  const words = `${what}: ${missing.length} missing, ${extra.length} too many\n- ${missing[0]}\n+ ${extra[0]}`;
  assert.ok(missing.length === 0 && extra.length === 0, words);
  for (const [line, count] of has) {
    const excess = count - wants.get(line)!;
    assert.ok(excess >= 0 && excess <= tolerance, `${what}: ${excess} records more in ${line}`);
  }
}

/** Lines with their count of records taken out. */
function counted(lines: readonly string[]): Map<string, number> {
  return new Map(
    lines.map((line) => [line.replace(RECORDS, '"records":…'), Number(RECORDS.exec(line)?.[1] ?? 0)]),
  );
}

const RECORDS = /"records":(\d+)/;
