/** Holds docs/architecture.md to the sources, and the sources to its arrows. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { test } from 'node:test';
import { REPOSITORY } from '../shared.js';

const sources = readdirSync(join(REPOSITORY, 'src'), { recursive: true, encoding: 'utf8' })
  .map((name) => name.replaceAll('\\', '/'))
  .filter((name) => /\.tsx?$/.test(name))
  .sort();
const isSource = new Set(sources);

interface Import {
  readonly from: string;
  /** Of ours: relative to `src`, with `.ts`. Otherwise as it is written: `node:fs`, `split2`. */
  readonly target: string;
  readonly isOurs: boolean;
  readonly isType: boolean;
  /** `import()`: happens when a function is called, not when the module is loaded. */
  readonly isLazy: boolean;
  readonly isExport: boolean;
}

/** The import and export-from statements of a file. Formatted sources only: a statement begins its line. */
function importsOf(file: string): Import[] {
  const text = readFileSync(join(REPOSITORY, 'src', file), 'utf8');
  const found: Import[] = [];
  const add = (specifier: string, rest: Pick<Import, 'isType' | 'isLazy' | 'isExport'>) => {
    const isOurs = specifier.startsWith('.');
    const target = isOurs ? sourceOf(posix.join(dirname(file), specifier)) : specifier;
    found.push({ from: file, target, isOurs, ...rest });
  };
  for (const [, keyword, type, names, specifier] of text.matchAll(STATEMENT)) {
    const isType = type !== undefined || (names?.startsWith('{') === true && onlyTypes(names));
    add(specifier!, { isType, isLazy: false, isExport: keyword === 'export' });
  }
  for (const [, specifier] of text.matchAll(/^import '([^']+)';/gm))
    add(specifier!, { isType: false, isLazy: false, isExport: false });
  for (const [, specifier] of text.matchAll(/\bimport\('([^']+)'\)/g))
    add(specifier!, { isType: false, isLazy: true, isExport: false });
  return found;
}

/** The source behind a module's name: `.js` is what it becomes. */
function sourceOf(module: string): string {
  const name = module.replace(/\.js$/, '.ts');
  return isSource.has(`${name}x`) ? `${name}x` : name;
}

const STATEMENT = /^(import|export) (type )?([^;'"]*?) from '([^']+)';/gm;

function onlyTypes(names: string): boolean {
  const list = names.replaceAll(/[{}]/g, '').split(',');
  return list.map((name) => name.trim()).every((name) => name === '' || name.startsWith('type '));
}

const imports = sources.flatMap(importsOf);

/** A room is a folder under `src`. What a room may know of: arrows point down this list and never up. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  format: [],
  io: ['format'],
  stages: ['format'],
  config: ['io', 'format'],
  adapters: ['io', 'format'],
  landing: ['adapters/adapter.ts', 'io', 'format'],
  rounds: ['stages', 'io', 'format'],
  view: ['rounds', 'io', 'format'],
  page: ['format/view-document.ts'],
  http: ['format'],
  server: ['view', 'adapters', 'http', 'io', 'format'],
  push: ['io', 'format'],
  receive: ['http', 'io', 'format'],
  workers: ['rounds', 'landing', 'adapters', 'io', 'format'],
  repack: ['workers', 'rounds', 'io', 'format'],
  collector: ['push', 'workers', 'landing', 'adapters', 'config', 'io', 'format'],
  scenario: ['view', 'push', 'repack', 'rounds', 'landing', 'adapters', 'config', 'io', 'format'],
  cli: [
    ...['server', 'view', 'scenario', 'collector', 'repack', 'workers', 'rounds', 'landing', 'adapters'],
    ...['push', 'receive', 'http'],
    ...['stages', 'config', 'io', 'format'],
  ],
};

/** What is pure stays pure: the only modules of Node these rooms may import. */
const MODULES_OF_NODE: Readonly<Record<string, readonly string[]>> = {
  format: ['node:crypto', 'node:zlib', 'node:buffer'],
  stages: ['node:stream'],
};

/** Adapters translate; the one that lists directories is named here, and none reads a file. */
const MAY_LIST_DIRECTORIES = ['adapters/claude-code/discovery.ts'];

/** The one door to files: what a test puts in the place of a call is met by everybody. */
const FILE_SYSTEM = 'io/file-system.ts';

const roomOf = (file: string) => (file.includes('/') ? file.slice(0, file.indexOf('/')) : '');

test('every file under src is on the page in exactly one line, and no other', () => {
  const page = readFileSync(join(REPOSITORY, 'docs/architecture.md'), 'utf8');
  const listed = [...page.matchAll(/^\| `([^`]+\.tsx?)` \| \S/gm)].map(([, file]) => file!);
  const missing = sources.filter((file) => !listed.includes(file));
  const wrong = listed.filter((file, i) => !sources.includes(file) || listed.indexOf(file) !== i);
  assert.deepEqual(
    { missing, wrong },
    { missing: [], wrong: [] },
    'docs/architecture.md needs a row for each',
  );
});

test('every import leads to a file that is there', () => {
  assert.ok(imports.length > 300, `${imports.length} imports found`);
  const known = new Set(sources);
  for (const { from, target, isOurs } of imports)
    if (isOurs) assert.ok(known.has(target), `${from} imports ${target}`);
});

test('arrows between the rooms point down', () => {
  const wrong = imports.filter(({ from, target, isOurs }) => {
    const room = roomOf(from);
    if (!isOurs || room === '' || roomOf(target) === room) return false;
    return !MAY_IMPORT[room]?.some((allowed) => allowed === target || allowed === roomOf(target));
  });
  assert.deepEqual(wrong.map(arrow), []);
});

test('format and stages use nothing of Node that reads a file, a clock or the network', () => {
  const wrong = imports.filter(({ from, target, isOurs }) => {
    const allowed = MODULES_OF_NODE[roomOf(from)];
    return !isOurs && allowed !== undefined && !allowed.includes(target);
  });
  assert.deepEqual(wrong.map(arrow), []);
});

test('the page uses nothing of Node, and what is pure in it no package either', () => {
  const outside = imports.filter(({ from, isOurs }) => roomOf(from) === 'page' && !isOurs);
  const wrong = outside.filter(({ from, target }) => {
    const isPure = from.startsWith('page/model/');
    return isPure || target.startsWith('node:');
  });
  assert.deepEqual(wrong.map(arrow), []);
  const ofPure = imports.filter(({ from, target }) => {
    return from.startsWith('page/model/') && !/^(page\/model\/|format\/view-document\.ts$)/.test(target);
  });
  assert.deepEqual(ofPure.map(arrow), []);
  const shared = readFileSync(join(REPOSITORY, 'src/format/view-document.ts'), 'utf8');
  assert.doesNotMatch(shared, /^export (?!type |interface )/m, 'what the page shares is types only');
});

test('one module imports the file system of Node, and does nothing else', () => {
  const importers = imports.filter(({ target }) => /^(node:)?fs\b/.test(target)).map(({ from }) => from);
  // A scenario plays the agent and its user: it makes and loses the files that asz is then to cope with.
  const ofAsz = importers.filter((from) => !/^(cli\/)?scenario\b/.test(from));
  assert.deepEqual(ofAsz, [FILE_SYSTEM]);
  const text = readFileSync(join(REPOSITORY, 'src', FILE_SYSTEM), 'utf8');
  assert.match(text, /^\/\*\*[\s\S]+?\*\/\nexport \{[\w,\s]+\} from 'node:fs';\n$/);
  for (const file of sources)
    assert.doesNotMatch(
      readFileSync(join(REPOSITORY, 'src', file), 'utf8'),
      /getBuiltinModule|createRequire/,
      file,
    );
});

test('no adapter opens a file, and one lists directories', () => {
  const readers = imports.filter(({ from, target }) => roomOf(from) === 'adapters' && target === FILE_SYSTEM);
  assert.deepEqual([...new Set(readers.map(({ from }) => from))], MAY_LIST_DIRECTORIES);
});

test('no adapter knows another', () => {
  const wrong = imports.filter(({ from, target, isOurs }) => {
    const [room, adapter, file] = from.split('/');
    const [targetRoom, other, otherFile] = target.split('/');
    const bothInFolders = file !== undefined && otherFile !== undefined;
    if (!isOurs || room !== 'adapters' || targetRoom !== room || !bothInFolders) return false;
    return adapter !== other;
  });
  assert.deepEqual(wrong.map(arrow), []);
});

test('but for the file system, the one file that passes on what others define is src/index.ts, and it names each thing', () => {
  const passers = imports
    .filter(({ isExport, from }) => isExport && from !== FILE_SYSTEM)
    .map(({ from }) => from);
  assert.deepEqual([...new Set(passers)], ['index.ts']);
  for (const file of sources)
    assert.doesNotMatch(readFileSync(join(REPOSITORY, 'src', file), 'utf8'), /^export \*/m, file);
  assert.deepEqual(
    imports.filter(({ target, isOurs }) => isOurs && target === 'index.ts'),
    [],
  );
});

test('modules do not load each other in a circle, but for types', () => {
  const next = new Map<string, string[]>(sources.map((file) => [file, []]));
  for (const { from, target, isOurs, isType, isLazy } of imports)
    if (isOurs && !isType && !isLazy) next.get(from)!.push(target);
  const done = new Set<string>();
  const visit = (file: string, path: readonly string[]): void => {
    assert.ok(!path.includes(file), `${[...path.slice(path.indexOf(file)), file].join(' → ')}`);
    if (done.has(file)) return;
    for (const target of next.get(file)!) visit(target, [...path, file]);
    done.add(file);
  };
  for (const file of sources) visit(file, []);
});

test('a package is imported exactly where docs/dependencies.md says', () => {
  const page = readFileSync(join(REPOSITORY, 'docs/dependencies.md'), 'utf8');
  const { dependencies, devDependencies } = JSON.parse(
    readFileSync(join(REPOSITORY, 'package.json'), 'utf8'),
  ) as Record<'dependencies' | 'devDependencies', Record<string, string>>;
  const used = imports
    .filter(({ target, isOurs }) => !isOurs && !target.startsWith('node:'))
    .map(({ from, target }) => ({ from, target: /^(@[^/]+\/)?[^/]+/.exec(target)![0] }));
  for (const { from, target } of used) {
    // What the page uses is bundled when it is built, so nothing of it is there to be installed.
    const isPage = roomOf(from) === 'page';
    const listed = isPage ? devDependencies : dependencies;
    assert.ok(target in listed, `${from} imports ${target}, which package.json does not list`);
    const row = page.split('\n').find((line) => line.startsWith(`| \`${target}\` |`));
    const place = isPage ? 'src/page' : `src/${from}`;
    assert.ok(row?.includes(`\`${place}\``), `docs/dependencies.md: ${target} is used in ${place}`);
  }
  for (const name of Object.keys(dependencies))
    assert.ok(
      used.some(({ target }) => target === name),
      `nothing in src imports ${name}`,
    );
  for (const [name, version] of Object.entries({ ...dependencies, ...devDependencies }))
    assert.ok(page.includes(`| \`${name}\` | ${version} |`), `docs/dependencies.md: ${name} ${version}`);
});

function arrow({ from, target }: Import): string {
  return `${from} → ${target}`;
}
