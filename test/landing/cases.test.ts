/** Folders with one peculiarity each, collected. Their figures come with the shared data. */
import assert from 'node:assert/strict';
import { cpSync, existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { listSessions } from '../../src/io/storage-root.js';
import { isComplete } from '../../src/landing/pass-tally.js';
import { needsShared, sharedData, temporaryFolder } from '../shared.js';
import { Collection, checkProvenance, filesBelow, type LandedContent, SESSION } from './collecting.js';

const cases = join(sharedData() ?? '', 'cases');

interface Expected {
  readonly files: number;
  readonly records: number;
  readonly complete?: false;
  readonly warns?: RegExp;
  readonly errs?: RegExp;
  readonly check?: (collection: Collection) => void;
}

const CASES: Readonly<Record<string, Expected>> = {
  base: { files: 1, records: 10, check: (c) => assert.ok(c.records().some((r) => r.value.label === 'demo')) },
  'blank-lines': {
    files: 1,
    records: 21,
    check: (c) => {
      const blank = c.records().filter(({ value }) => value.bytes === 0);
      assert.ok(blank.length > 0);
      for (const { value } of blank) assert.equal(value.sha, 'e3b0c44298fc');
    },
  },
  bom: {
    files: 1,
    records: 10,
    check: (c) => {
      const unknown = c.records().filter(({ value }) => value.parts[0].k === 'unknown');
      assert.deepEqual(
        unknown.map(({ value }) => [value.ord, value.parts[0].text, value.parts[0].data.charCodeAt(0)]),
        [[1, 'the record is not valid JSON', 0xfeff]],
      );
    },
  },
  crlf: { files: 1, records: 10 },
  'deep-json-300': {
    files: 1,
    records: 10,
    check: (c) => {
      const deep = c.records().filter((r) => r.value.parts[0].text === 'the record cannot be encoded');
      assert.equal(deep.length, 1);
      assert.ok(deep[0]?.value.id && deep[0].value.parts.length === 1);
    },
  },
  'drive-letter-case': {
    files: 1,
    records: 10,
    complete: false,
    errs: /^claudecode: C--w-demo\/\S+ and c--w-demo\/\S+ both map to \S+transcript\.cursor; refusing to interleave them$/,
  },
  empty: { files: 0, records: 0, check: (c) => assert.ok(!existsSync(c.root)) },
  'fork-copy': { files: 2, records: 19 },
  'hostile-ids': { files: 2, records: 20, warns: /agent-\.\.%2f\.\.%2fevil\.jsonl/ },
  'no-final-newline': { files: 1, records: 9 },
  'notified-twice': { files: 1, records: 9 },
  'old-2.1.37-style': {
    files: 1,
    records: 10,
    warns: /2 file\(s\).*agent-afc096d\.jsonl|agent-a2898e3\.jsonl/,
  },
  'raw-number-spelling': {
    files: 1,
    records: 10,
    check: (c) => {
      const text = c
        .records()
        .map((record) => record.text)
        .join('\n');
      for (const spelling of ['1.0', '1e3', /\d{20}/]) assert.match(text, new RegExp(spelling));
    },
  },
  'surrogate-and-bad-utf8': {
    files: 1,
    records: 10,
    check: (c) => {
      const whole = c.records().filter(({ value }) => value.parts.at(-1).encoding === 'base64');
      assert.ok(whole.length > 0);
      for (const { value } of whole) {
        assert.ok(value.id, 'ids survive');
        assert.equal(value.parts.at(-1).text, 'the record is not valid UTF-8');
        assert.equal(Buffer.from(value.parts.at(-1).data, 'base64').length, value.bytes);
      }
    },
  },
  'time-disorder': { files: 1, records: 10 },
  'unknown-types': { files: 1, records: 18 },
};

for (const [name, expected] of Object.entries(CASES))
  test(`case ${name}`, needsShared, async () => {
    const sources = join(cases, name, 'projects');
    const collection = new Collection(sources, join(temporaryFolder(), 'data'));
    const tally = await collection.pass();
    assert.equal(isComplete(tally), expected.complete ?? true, tally.errors.join('\n'));
    if (expected.errs) assert.match(tally.errors.map((e) => e.message).join('\n'), expected.errs);
    if (expected.warns) assert.match(tally.warnings.join('\n'), expected.warns);
    else assert.deepEqual(tally.warnings, []);
    const sessions = existsSync(collection.root) ? listSessions(collection.root) : [];
    const files = sessions.flatMap((session) => collection.landed(session));
    assert.deepEqual([files.length, tally.records], [expected.files, expected.records]);
    assert.equal(checkProvenance(sources, files), expected.records);
    checkGivesBack(sources, files);
    expected.check?.(collection);
    assert.equal((await collection.pass()).records, 0, 'collecting twice lands nothing');
  });

/** The landed lines of a source joined by newlines are the file up to its last newline. */
function checkGivesBack(sources: string, files: readonly LandedContent[]): void {
  for (const src of new Set(files.map((file) => file.header.src))) {
    const records = files.filter((file) => file.header.src === src).flatMap((file) => file.records);
    const source = readFileSync(join(sources, src));
    const lines = records.map(({ value }) =>
      source.subarray(value.off, value.off + value.bytes).toString('latin1'),
    );
    const whole = source.subarray(0, source.lastIndexOf(0x0a)).toString('latin1');
    assert.equal(lines.join('\n'), whole);
  }
}

test('case pruned: the main transcript vanished between two passes', needsShared, async () => {
  const collection = new Collection();
  cpSync(join(cases, 'pruned/step1/projects'), collection.sources, { recursive: true });
  assert.equal(isComplete(await collection.pass()), true);
  const before = filesBelow(collection.root).filter((path) => path.endsWith('.sd'));
  assert.equal(before.length, 2);
  rmSync(collection.sources, { recursive: true });
  cpSync(join(cases, 'pruned/step2/projects'), collection.sources, { recursive: true });
  const tally = await collection.pass();
  assert.deepEqual([isComplete(tally), tally.gone, tally.records], [true, 1, 0]);
  assert.equal(collection.cursor('streams/main/transcript.cursor', SESSION).state, 'source_gone');
  assert.deepEqual(
    filesBelow(collection.root).filter((path) => path.endsWith('.sd')),
    before,
  );
});

test('every case of the shared folder is held here', needsShared, async () => {
  const { readdirSync } = await import('node:fs');
  const folders = readdirSync(cases, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  assert.deepEqual(folders.map(({ name }) => name).sort(), [...Object.keys(CASES), 'pruned'].sort());
});
