import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import * as fs from '../../src/io/file-system.js';
import { replaceFile } from '../../src/io/publish.js';
import { contentsOf } from '../e2e/run-asz.js';
import { randomFrom } from '../random.js';
import { temporaryFolder } from '../shared.js';
import { DurableDisk } from './durable-disk.js';
import { Faults } from './faults.js';

/** Runs calls on a disk that holds `old`, pulls the plug, and gives what is left. */
function left(work: (folder: string) => void, chance?: number): Record<string, string> {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'old'), 'old bytes');
  mkdirSync(join(folder, 'd'));
  const disk = new DurableDisk(folder);
  const faults = new Faults({ folders: [folder], seed: 1, disk });
  faults.install();
  try {
    work(folder);
  } finally {
    faults.uninstall();
  }
  disk.lose(chance === undefined ? undefined : randomFrom(chance));
  return Object.fromEntries(contentsOf(folder));
}

function write(path: string, text: string, { sync = false } = {}): void {
  const fd = fs.openSync(path, 'w');
  fs.writeSync(fd, text);
  if (sync) fs.fsyncSync(fd);
  fs.closeSync(fd);
}

function sync(path: string): void {
  const fd = fs.openSync(path, 'r');
  fs.fsyncSync(fd);
  fs.closeSync(fd);
}

const OLD = { old: 'old bytes' };

test('a name whose folder was not synced is gone; a synced one leads to what was synced of its file', () => {
  assert.deepEqual(
    left((at) => write(join(at, 'new'), 'x', { sync: true })),
    OLD,
  );
  const synced = (options: { sync: boolean }) =>
    left((at) => {
      write(join(at, 'new'), 'x', options);
      sync(at);
    });
  assert.deepEqual(synced({ sync: true }), { ...OLD, new: 'x' });
  assert.deepEqual(synced({ sync: false }), { ...OLD, new: '' });
});

test('a file that was replaced holds its old bytes until the folder is synced', () => {
  const replace = (at: string) => {
    write(join(at, 'new'), 'new bytes', { sync: true });
    fs.renameSync(join(at, 'new'), join(at, 'old'));
  };
  assert.deepEqual(left(replace), OLD);
  const synced = (at: string) => {
    replace(at);
    sync(at);
  };
  assert.deepEqual(left(synced), { old: 'new bytes' });
});

test('what lies in a folder goes with the folder, whatever was synced in it', () => {
  const make = (at: string) => {
    fs.mkdirSync(join(at, 'a/b'), { recursive: true });
    write(join(at, 'a/b/x'), 'x', { sync: true });
    for (const folder of ['a/b', 'a']) sync(join(at, folder));
  };
  assert.deepEqual(left(make), OLD);
  const synced = (at: string) => {
    make(at);
    sync(at);
  };
  assert.deepEqual(left(synced), { ...OLD, 'a/b/x': 'x' });
});

test('what was removed comes back until the folder is synced', () => {
  assert.deepEqual(
    left((at) => fs.rmSync(join(at, 'old'))),
    OLD,
  );
  const synced = (at: string) => {
    fs.rmSync(join(at, 'old'));
    sync(at);
  };
  assert.deepEqual(left(synced), {});
});

test('keeping count of what is synced is not counted itself', () => {
  const [without, counted] = [false, true].map((kept) => {
    const folder = temporaryFolder();
    const faults = new Faults({
      folders: [folder],
      seed: 1,
      disk: kept ? new DurableDisk(folder) : undefined,
    });
    faults.install();
    try {
      replaceFile(join(folder, 'a/b'), 'x');
    } finally {
      faults.uninstall();
    }
    return faults.calls.map(({ name }) => name);
  });
  assert.deepEqual(counted, without);
});

test('by chance each name and each file may be found in any state it has been in, and in no other', () => {
  const seen = new Set<string>();
  for (let chance = 0; chance < 200; chance++)
    seen.add(
      JSON.stringify(
        left((at) => {
          write(join(at, 'new'), 'ab', { sync: true });
          fs.linkSync(join(at, 'new'), join(at, 'd/name'));
          fs.unlinkSync(join(at, 'new'));
          write(join(at, 'torn'), 'yz');
        }, chance),
      ),
    );
  const all = [...seen].map((text) => JSON.parse(text) as Record<string, string>);
  const states = (name: string) => new Set(all.map((files) => files[name]));
  assert.deepEqual(states('old'), new Set(['old bytes']));
  assert.deepEqual(states('new'), new Set([undefined, 'ab']));
  assert.deepEqual(states('d/name'), new Set([undefined, 'ab']));
  assert.deepEqual(states('torn'), new Set([undefined, '', 'y', 'yz', '\0\0']));
});
