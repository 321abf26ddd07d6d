import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { MAX_STATE_BYTES, readRegularFile, readSmallFile } from '../../src/io/small-file.js';
import { temporaryFolder } from '../shared.js';

const folder = temporaryFolder();
const file = join(folder, 'file');
writeFileSync(file, 'text');

const refuses = (path: string, rule: string) =>
  assert.throws(() => readSmallFile(path), { code: 'STORAGE', message: `storage: read ${path}: ${rule}` });

test('a regular file is read whole, and a missing one is none', () => {
  assert.equal(readSmallFile(file)?.toString(), 'text');
  assert.equal(readSmallFile(join(folder, 'none')), undefined);
  const empty = join(folder, 'empty');
  writeFileSync(empty, '');
  assert.equal(readSmallFile(empty)?.length, 0);
});

test('a pipe, a device and a directory are refused, and not waited for', () => {
  const pipe = join(folder, 'pipe');
  execFileSync('mkfifo', [pipe]);
  mkdirSync(join(folder, 'directory'));
  for (const path of [pipe, '/dev/zero', join(folder, 'directory')])
    refuses(path, 'it is not a regular file');
});

test('a link is refused, also a dangling one, unless links are asked for', () => {
  const [link, dangling] = [join(folder, 'link'), join(folder, 'dangling')];
  symlinkSync('file', link);
  symlinkSync('none', dangling);
  for (const path of [link, dangling]) refuses(path, 'it is a symbolic link');
  assert.equal(readRegularFile(link, { followLinks: true }).toString(), 'text');
});

test('a file larger than its bound is refused before it is read', () => {
  const large = join(folder, 'large');
  writeFileSync(large, '');
  truncateSync(large, MAX_STATE_BYTES + 1);
  refuses(large, 'it is larger than 64 MiB');
});

test('a file that may not be reached says so', () => {
  refuses(join(file, 'below'), `open ${join(file, 'below')}: not a directory`);
});
