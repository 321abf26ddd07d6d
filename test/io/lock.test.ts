import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { takeLock, takeLocks } from '../../src/io/lock.js';
import { temporaryFolder } from '../shared.js';

const BUSY = 'storage: it is held';

const MODULE = JSON.stringify(new URL('../../src/io/lock.js', import.meta.url).href);

/** Takes the lock of its argument, says so, and keeps it until it is killed. */
const HOLD = `const { takeLock } = await import(${MODULE});
  takeLock(process.argv[1], 'busy');
  process.stdout.write('held');
  setInterval(() => {}, 1000);`;

/** The same for two locks taken together, in the folder that is its argument. */
const HOLD_TWO = `const { takeLocks } = await import(${MODULE});
  takeLocks([process.argv[1] + '/1', process.argv[1] + '/2'], 'busy');
  process.stdout.write('held');
  setInterval(() => {}, 1000);`;

/** Waits for a byte, tries once, and says how it went; a winner stays until its input ends. */
const RACE = `const { takeLock } = await import(${MODULE});
  process.stdin.once('data', () => {
    try { takeLock(process.argv[1], 'busy'); process.stdout.write('won'); }
    catch (error) { process.stdout.write(error.code); }
  });
  process.stdout.write('ready ');`;

const children: ChildProcess[] = [];
after(() => {
  for (const child of children) child.kill('SIGKILL');
});

function start(script: string, path: string): ChildProcess {
  const child = spawn(process.execPath, ['--input-type=module', '-e', script, path], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  children.push(child);
  return child;
}

async function holder(path: string): Promise<ChildProcess> {
  const child = start(HOLD, path);
  await once(child.stdout!, 'data');
  return child;
}

async function kill(child: ChildProcess): Promise<void> {
  child.kill('SIGKILL');
  await once(child, 'exit');
}

const busy = (path: string) => assert.throws(() => takeLock(path, BUSY), { code: 'LOCKED' });

test('a lock makes its folder, excludes its own process too, and is free once released', () => {
  const path = join(temporaryFolder(), 's1/.lock');
  const lock = takeLock(path, BUSY);
  assert.equal(statSync(path).mode & 0o777, 0o644);
  assert.throws(() => takeLock(path, BUSY), {
    code: 'LOCKED',
    message: `${BUSY} (held by process ${process.pid} on ${hostname()})`,
  });
  lock.release();
  lock.release();
  assert.ok(existsSync(path), 'the file stays');
  const second = takeLock(path, BUSY);
  lock.release();
  busy(path);
  second.release();
});

test('a lock held by another process is refused at once and names it, until SIGKILL frees it', async () => {
  const path = join(temporaryFolder(), '.lock');
  const child = await holder(path);
  assert.throws(() => takeLock(path, BUSY), {
    message: `${BUSY} (held by process ${child.pid} on ${hostname()})`,
  });
  await kill(child);
  assert.match(
    readFileSync(path, 'utf8'),
    new RegExp(`^pid  ${child.pid}$`, 'm'),
    'the name of the dead is left',
  );
  takeLock(path, BUSY).release();
});

test('a child that outlives a killed holder does not keep its lock', async () => {
  const path = join(temporaryFolder(), '.lock');
  const script = `${HOLD}
    const { spawn } = await import('node:child_process');
    const child = spawn('sleep', ['30'], { detached: true, stdio: 'ignore' });
    process.stdout.write(String(child.pid));`;
  const holding = start(script, path);
  let said = '';
  while (!/held\d+/.test(said)) said += String((await once(holding.stdout!, 'data'))[0]);
  await kill(holding);
  takeLock(path, BUSY).release();
  process.kill(Number(said.replace('held', '')));
});

test('it is the lock that flock takes', { skip: process.platform !== 'linux' }, () => {
  const path = join(temporaryFolder(), '.lock');
  const status = () => spawnSync('flock', ['-n', '-E', '9', path, 'true']).status;
  const lock = takeLock(path, BUSY);
  assert.equal(status(), 9);
  lock.release();
  assert.equal(status(), 0);
});

test('a stopped holder is never robbed', async () => {
  const path = join(temporaryFolder(), '.lock');
  const child = await holder(path);
  child.kill('SIGSTOP');
  busy(path);
  child.kill('SIGCONT');
  busy(path);
  await kill(child);
  takeLock(path, BUSY).release();
});

for (const [what, text] of [
  ['a dead process', 'pid  999999999\nhost h\n'],
  ['a process id that somebody else has by now', `pid  ${process.pid}\nhost ${hostname()}\n`],
  ['nothing that reads', '\0\0 garbage'],
] as const)
  test(`a lock file that names ${what} is free`, () => {
    const path = join(temporaryFolder(), '.lock');
    writeFileSync(path, text);
    takeLock(path, BUSY).release();
    assert.equal(readFileSync(path, 'utf8'), '', 'a released lock names nobody');
  });

for (const [what, before] of [
  ['for a lock that was never held', async () => {}],
  ['for a lock whose holder was killed', async (path: string) => kill(await holder(path))],
  [
    'for a lock whose file names somebody who is alive and does not hold it',
    async (path: string) => writeFileSync(path, `pid  ${process.pid}\nhost ${hostname()}\n`),
  ],
] as const)
  test(`of many that race ${what}, exactly one wins`, async () => {
    const path = join(temporaryFolder(), '.lock');
    await before(path);
    const racers = Array.from({ length: 12 }, () => start(RACE, path));
    await Promise.all(racers.map((racer) => once(racer.stdout!, 'data')));
    for (const racer of racers) racer.stdin!.write('.');
    const answers = await Promise.all(
      racers.map(async (racer) => String((await once(racer.stdout!, 'data'))[0])),
    );
    assert.deepEqual(answers.sort(), [...Array<string>(11).fill('LOCKED'), 'won']);
    busy(path);
  });

test('a file removed under its holder and made again is another lock', () => {
  const path = join(temporaryFolder(), '.lock');
  const first = takeLock(path, BUSY);
  rmSync(path);
  const second = takeLock(path, BUSY);
  busy(path);
  second.release();
  first.release();
});

test('neither a link nor a folder is taken for a lock file', () => {
  const folder = temporaryFolder();
  symlinkSync(join(folder, 'target'), join(folder, 'link'));
  mkdirSync(join(folder, 'folder'));
  const link = join(folder, 'link');
  assert.throws(() => takeLock(link, BUSY), {
    code: 'STORAGE',
    message: `storage: lock ${link}: it is a symbolic link`,
  });
  assert.ok(!existsSync(join(folder, 'target')), 'nothing was made through the link');
  assert.throws(() => takeLock(join(folder, 'folder'), BUSY), { code: 'STORAGE' });
});

test('without the flock program the remedy is named', { skip: process.platform !== 'linux' }, () => {
  const path = join(temporaryFolder(), '.lock');
  const searched = process.env.PATH;
  process.env.PATH = join(temporaryFolder(), 'empty');
  try {
    assert.throws(() => takeLock(path, BUSY), { code: 'STORAGE', message: /install util-linux/ });
  } finally {
    process.env.PATH = searched;
  }
});

test('locks taken together: each is had or refused on its own, and each is given up on its own', () => {
  const folder = temporaryFolder();
  const [a, held, link, b] = ['a/.lock', 'held', 'link', 'b'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
    string,
  ];
  symlinkSync(join(folder, 'target'), link);
  const other = takeLock(held, BUSY);
  const [first, second, third, fourth, again] = takeLocks([a, held, link, b, a], BUSY);
  assert.ok(second instanceof Error && third instanceof Error && again instanceof Error);
  assert.equal(second.message, `${BUSY} (held by process ${process.pid} on ${hostname()})`);
  assert.equal(third.message, `storage: lock ${link}: it is a symbolic link`);
  assert.equal((again as { code?: string }).code, 'LOCKED', 'the same file twice is held once');
  assert.ok(
    first !== undefined && !(first instanceof Error) && fourth !== undefined && !(fourth instanceof Error),
  );
  busy(a);
  busy(b);
  first.release();
  takeLock(a, BUSY).release();
  busy(b);
  fourth.release();
  takeLock(b, BUSY).release();
  other.release();
});

test('locks taken together are all free when their holder is killed, and never while it is stopped', async () => {
  const folder = temporaryFolder();
  const child = start(HOLD_TWO, folder);
  await once(child.stdout!, 'data');
  child.kill('SIGSTOP');
  for (const name of ['1', '2']) busy(join(folder, name));
  await kill(child);
  for (const name of ['1', '2']) takeLock(join(folder, name), BUSY).release();
});
