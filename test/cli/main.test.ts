import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { COMMANDS, commandNamed } from '../../src/cli/commands.js';
import { REPOSITORY, temporaryFolder } from '../shared.js';

const ASZ = fileURLToPath(new URL('../../src/cli/asz.js', import.meta.url));

const folder = temporaryFolder();

function asz(argv: readonly string[], { cwd = folder, env = {} } = {}) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [ASZ, ...argv], {
    cwd,
    encoding: 'utf8',
    env: { ...process.env, ASZ_DEBUG: '', ...env },
  });
  return { status, stdout, stderr };
}

test('asz alone prints the usage on standard error and is misuse', () => {
  const { status, stdout, stderr } = asz([]);
  assert.equal(status, 2);
  assert.equal(stdout, '');
  assert.match(stderr, /^usage: asz COMMAND/);
});

for (const name of ['bogus', 'constructor', 'a\x1b[2J'])
  test(`${JSON.stringify(name)} is no command`, () => {
    const { status, stdout, stderr } = asz([name]);
    assert.equal(status, 2);
    assert.equal(stdout, '');
    assert.match(stderr, /^asz: unknown command ".*"\n\nusage: asz COMMAND/);
    assert.doesNotMatch(stderr, /\x1b/);
  });

for (const argv of [['help'], ['--help'], ['-h']])
  test(`asz ${argv} prints the usage and is done`, () => {
    const { status, stdout, stderr } = asz(argv);
    assert.deepEqual([status, stderr], [0, '']);
    for (const { name } of COMMANDS) assert.match(stdout, new RegExp(`^  ${name} `, 'm'));
  });

for (const command of COMMANDS)
  test(`${command.name} has a module, and help that neither loads nor needs anything`, async () => {
    assert.equal(typeof (await command.load()).run, 'function');
    const { status, stdout, stderr } = asz([...command.name.split(' '), '--help'], { cwd: '/' });
    assert.deepEqual([status, stderr], [0, '']);
    assert.match(stdout, new RegExp(`^usage: asz ${command.name}`));
    for (const { name } of command.flags) assert.match(stdout, new RegExp(`--${name}\\b`));
  });

test('help of one command, and of one that is none', () => {
  assert.equal(asz(['help', 'index', 'cat']).stdout, asz(['index', 'cat', '-h']).stdout);
  const { status, stderr } = asz(['help', 'bogus']);
  assert.deepEqual([status, stderr], [2, 'asz: unknown command "bogus"\n']);
});

test('a wrong flag is misuse, with the flags the command takes', () => {
  const { status, stdout, stderr } = asz(['parse', '--bogus']);
  assert.deepEqual([status, stdout], [2, '']);
  assert.match(stderr, /^asz: unknown flag --bogus\n\nflags:\n {2}--jobs N /);
});

test('too many arguments are misuse, missing ones an error', () => {
  assert.deepEqual([asz(['version', 'x']).status, asz(['parse', 'a', 'b']).status], [2, 2]);
  assert.deepEqual(asz(['show', 's1']), {
    status: 1,
    stdout: '',
    stderr: 'asz: usage: asz show SESSION ID   (a record uuid or a tool_use id)\n',
  });
});

test('flags of other commands are accepted where the configuration is read', () => {
  const { stderr } = asz(['index', '-once', '-terms', 'both', '--yaml', '--config=none.yaml']);
  assert.equal(stderr, 'asz: config: read none.yaml: open none.yaml: no such file or directory\n');
  assert.equal(asz(['version', '--once']).status, 2);
});

test('an error is one line, and where it happened only when asked for', () => {
  const expected = 'asz: open ./data: no such file or directory\n';
  assert.deepEqual(asz(['index'], { cwd: folder }), { status: 1, stdout: '', stderr: expected });
  const { stderr } = asz(['index'], { env: { ASZ_DEBUG: '1' } });
  assert.match(stderr, /^StorageError: [\s\S]* at [\s\S]*\nasz: open \.\/data: no such file or directory\n$/);
});

test('a configuration that is wrong fails the command, an unknown adapter is only named', () => {
  const working = temporaryFolder();
  writeFileSync(
    join(working, 'asz.yaml'),
    'adapters: [{ name: x }, { name: mock }, { name: y, enabled: false }]\n',
  );
  const { status, stderr } = asz(['index'], { cwd: working });
  assert.equal(status, 1);
  assert.equal(stderr, 'skipping unknown adapter "x"\nasz: open ./data: no such file or directory\n');
  writeFileSync(join(working, 'asz.yaml'), 'view: { hide: ["\\e[2J"] }\n');
  const wrong = asz(['index'], { cwd: working });
  assert.equal(wrong.status, 1);
  assert.match(wrong.stderr, /^asz: config: view\.hide names /);
  assert.doesNotMatch(wrong.stderr, /\x1b/);
});

test('version is one line, also as a flag and as JSON, and reads no configuration', () => {
  const working = temporaryFolder();
  writeFileSync(join(working, 'asz.yaml'), '[');
  const { version } = JSON.parse(readFileSync(join(REPOSITORY, 'package.json'), 'utf8'));
  const line = `asz ${version} (node ${process.version} ${process.platform}/${process.arch})\n`;
  for (const argv of [['version'], ['--version']])
    assert.deepEqual(asz(argv, { cwd: working }), { status: 0, stdout: line, stderr: '' });
  assert.equal(JSON.parse(asz(['version', '--json']).stdout).version, version);
});

test('version imports neither the YAML parser nor an adapter', () => {
  // A loader that lets nothing but asz's own command line through.
  const hooks = `export async function resolve(specifier, context, next) {
    if (/^yaml|config|adapters|index|fast-glob/.test(specifier)) throw new Error('imported ' + specifier);
    return next(specifier, context);
  }`;
  const module = (text: string) => `data:text/javascript;base64,${Buffer.from(text).toString('base64')}`;
  const register = module(`import { register } from 'node:module'; register('${module(hooks)}');`);
  const { stdout, stderr } = spawnSync(process.execPath, ['--import', register, ASZ, 'version'], {
    encoding: 'utf8',
  });
  assert.equal(stderr, '');
  assert.match(stdout, /^asz /);
});

test('the glossary names every word once and counts both kinds', () => {
  const { status, stdout } = asz(['glossary']);
  assert.equal(status, 0);
  assert.match(stdout, /^dialect claude-code\/1\n\nMODEL +RUNTIME +WHERE +NOTE\n/);
  assert.match(stdout, /\n\n\d+ terms: \d+ named by the runtime, \d+ derived by this project\n/);
  assert.match(stdout, /^talk +— +derived here/m);
  const { dialects } = JSON.parse(asz(['glossary', '--json']).stdout);
  assert.equal(dialects[0].dialect, 'claude-code/1');
});

test('a reader that goes away ends the call quietly', async () => {
  const child = spawn(process.execPath, [ASZ, 'glossary'], { stdio: ['ignore', 'pipe', 'pipe'] });
  child.stdout.destroy();
  let stderr = '';
  child.stderr.on('data', (data) => {
    stderr += data;
  });
  const code = await new Promise((resolve) => child.on('close', resolve));
  assert.deepEqual([code, stderr], [0, '']);
});

test('output that cannot be written is a failure', { skip: !existsSync('/dev/full') }, () => {
  const { status, stderr } = spawnSync(process.execPath, [ASZ, 'glossary'], {
    encoding: 'utf8',
    stdio: ['ignore', openSync('/dev/full', 'w'), 'pipe'],
  });
  assert.equal(status, 1);
  assert.match(stderr, /^asz: standard output: no space left on device\n$/);
});

test('index cat is the subcommand of index', () => {
  assert.equal(commandNamed('cat'), undefined);
  assert.deepEqual(asz(['index', 'cat']), {
    status: 1,
    stdout: '',
    stderr: 'asz: usage: asz index cat SESSION [--through SEQ]\n',
  });
  for (const argv of [
    ['index', '--through', '1', 'cat', 's1'],
    ['index', '-config=none.yaml', '--json', 'cat', 's1'],
    ['index', 'cat', 's1', '--', 'x'],
  ])
    assert.match(asz(argv).stderr, /no landed records for session s1|none\.yaml|index cat takes at most 1/);
  assert.match(asz(['index', '--', 'cat']).stderr, /^asz: open /);
});
