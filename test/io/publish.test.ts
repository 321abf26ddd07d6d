import assert from 'node:assert/strict';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { publishNew, replaceFile, sweepTemporaries, writePrivate } from '../../src/io/publish.js';
import { temporaryFolder } from '../shared.js';

const modeOf = (path: string) => statSync(path).mode & 0o777;

function failing(code: string) {
  return () => {
    throw Object.assign(new Error(`${code}: acted out`), { code, syscall: 'link' });
  };
}

test('a state file is made with its folders, then replaced', () => {
  const path = join(temporaryFolder(), 'a/b/x.state');
  replaceFile(path, 'one\n');
  replaceFile(path, 'two\n');
  assert.equal(readFileSync(path, 'utf8'), 'two\n');
  assert.equal(modeOf(path), 0o644);
  assert.deepEqual(readdirSync(join(path, '..')), ['x.state']);
});

test('a file is published whole and read-only from every form of content', () => {
  const folder = temporaryFolder();
  const large = Buffer.alloc(200_001, 'é');
  const contents = ['é\n', Buffer.from('é\n'), [Buffer.from('é'), Buffer.from('\n')], large, []] as const;
  for (const [i, content] of contents.entries()) {
    const path = join(folder, `${i}.sd`);
    publishNew(path, content);
    const expected = typeof content === 'string' ? Buffer.from(content) : Buffer.concat([content].flat());
    assert.deepEqual(readFileSync(path), expected);
    assert.equal(modeOf(path), 0o444);
  }
  assert.equal(readdirSync(folder).length, contents.length, 'no temporary file is left');
});

for (const [name, link] of [
  ['a hard link', undefined],
  ['a reservation', failing('EPERM')],
] as const)
  test(`publishing by ${name} never replaces, also not through a dangling link`, () => {
    const folder = temporaryFolder();
    const path = join(folder, 'x.sd');
    const options = link === undefined ? {} : { link };
    publishNew(path, 'first', options);
    assert.equal(modeOf(path), 0o444);
    const refused = { code: 'STORAGE', message: `storage: target already exists: ${path}` };
    assert.throws(() => publishNew(path, 'second', options), refused);
    assert.equal(readFileSync(path, 'utf8'), 'first');
    symlinkSync(join(folder, 'nowhere'), join(folder, 'y.sd'));
    assert.throws(() => publishNew(join(folder, 'y.sd'), 'z', options), /target already exists/);
    assert.deepEqual(readdirSync(folder).sort(), ['x.sd', 'y.sd']);
  });

for (const code of ['ENOTSUP', 'EOPNOTSUPP'])
  test(`a file system that answers ${code} to links gets a reservation`, () => {
    const path = join(temporaryFolder(), 'x.sd');
    publishNew(path, 'whole', { link: failing(code) });
    assert.equal(readFileSync(path, 'utf8'), 'whole');
  });

test('a failed publication leaves neither temporary file nor reservation', () => {
  const folder = temporaryFolder();
  const path = join(folder, 'x.sd');
  const message = new RegExp(`^storage: publish ${path}: `);
  assert.throws(() => publishNew(path, 'x', { link: failing('EIO') }), { code: 'STORAGE', message });
  assert.throws(() => publishNew(path, 'x', { link: failing('EPERM'), rename: failing('EIO') }), { message });
  assert.deepEqual(readdirSync(folder), []);
});

test('a clean-up that fails too is told beside the first cause', () => {
  const folder = temporaryFolder();
  const link = (temporary: string) => {
    rmSync(temporary);
    mkdirSync(temporary); // a folder is not removed as a file is
    failing('EIO')();
  };
  assert.throws(
    () => publishNew(join(folder, 'x.sd'), 'x', { link }),
    ({ cause }: Error) => cause instanceof AggregateError && cause.errors.length === 2,
  );
});

test('a folder that cannot be made is not taken for a taken name', () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'file'), '');
  assert.throws(
    () => publishNew(join(folder, 'file/x.sd'), ''),
    /storage: publish .*not a directory|file exists/,
  );
  assert.throws(() => replaceFile(join(folder, 'file/x.state'), ''), /^StorageError: storage: write /);
});

test('the sweep takes old temporary files at any depth, and nothing else', () => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'streams/main'), { recursive: true });
  const elsewhere = temporaryFolder();
  for (const path of ['streams/main/.tmp-old', 'streams/main/.tmp-new', 'streams/main/x.sd'])
    writeFileSync(join(folder, path), '');
  writeFileSync(join(elsewhere, '.tmp-old'), '');
  symlinkSync(elsewhere, join(folder, 'link'));
  const now = Date.now();
  for (const path of [join(folder, 'streams/main/.tmp-old'), join(elsewhere, '.tmp-old')])
    utimesSync(path, now / 1000 - 90, now / 1000 - 90);
  sweepTemporaries(folder, 60_000, now);
  assert.deepEqual(readdirSync(join(folder, 'streams/main')).sort(), ['.tmp-new', 'x.sd']);
  assert.ok(existsSync(join(elsewhere, '.tmp-old')), 'links are not followed');
  sweepTemporaries(join(folder, 'missing'));
});

test('a file that somebody asked for is theirs alone, and whole or not there', () => {
  const folder = temporaryFolder();
  const path = join(folder, 'x');
  function* pieces(fails: boolean): Generator<Uint8Array> {
    yield Buffer.from('one ');
    if (fails) throw new RangeError('no more');
    yield Buffer.from('two');
  }
  assert.throws(() => writePrivate(path, pieces(true), false), /^StorageError: storage: write .*x: no more$/);
  assert.deepEqual(readdirSync(folder), []);
  writePrivate(path, pieces(false), false);
  assert.deepEqual([readFileSync(path, 'utf8'), modeOf(path)], ['one two', 0o600]);
  assert.throws(() => writePrivate(path, pieces(false), false), /storage: target already exists: /);
  assert.throws(() => writePrivate(path, pieces(true), true), /no more/);
  assert.equal(readFileSync(path, 'utf8'), 'one two');
  writePrivate(path, pieces(false), true);
  assert.deepEqual(readdirSync(folder), ['x']);
});
