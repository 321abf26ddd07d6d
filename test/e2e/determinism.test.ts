/**
 * Rounds are a function of the evidence: locale, time zone, number of workers and the order in which a directory
 * lists its files change no byte of a round and no word of what `parse` prints.
 */
import assert from 'node:assert/strict';
import { cpSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, test } from 'node:test';
import { randomFrom, SEED } from '../random.js';
import { REPOSITORY, sharedData } from '../shared.js';
import { vectorsIn } from '../vectors/landed-root.js';
import { assertDone, contentsOf, type RunOptions, Workplace } from './run-asz.js';

const GOLDEN = join(REPOSITORY, 'test/golden');

/** Landed files of many sessions, by path: the golden roots, and the edge sessions where they are. */
const FILES = new Map(
  [...foldersIn(GOLDEN), ...(sharedData() === undefined ? [] : foldersIn(join(sharedData()!, 'edge')))]
    .flatMap(vectorsIn)
    .flatMap(({ files }) => files.map(({ path, content }) => [path, content] as const)),
);
const PATHS = [...FILES.keys()].sort();

function foldersIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => join(folder, name));
}

/** A fresh root in which the landed files were made in this order. */
function landed(paths: readonly string[]): Workplace {
  const place = new Workplace();
  for (const path of paths) {
    mkdirSync(dirname(join(place.root, path)), { recursive: true });
    writeFileSync(join(place.root, path), FILES.get(path)!);
  }
  return place;
}

/** What a parse of a root printed, and every round it holds afterwards. */
async function parsed(place: Workplace, argv: readonly string[] = [], options: RunOptions = {}) {
  const stdout = assertDone(await place.asz(['parse', ...argv], options));
  return { stdout, rounds: contentsOf(join(place.root, '_conversations'), /\.sf$/) };
}

const expected = await parsed(landed(PATHS), ['--jobs', '1']);

describe('rounds are a function of the evidence', { concurrency: 2 }, () => {
  test('there is something to compare', () => {
    assert.ok(expected.rounds.size >= 9);
    assert.match(expected.stdout, / [1-9]\d* round\(s\) written\n$|^[1-9]\d* round\(s\) written$/m);
  });

  const ENVIRONMENTS: readonly Readonly<Record<string, string>>[] = [
    { LC_ALL: 'tr_TR.UTF-8', LANG: 'tr_TR.UTF-8' },
    { LC_ALL: 'C', LANG: 'C', TZ: 'America/St_Johns' },
    { TZ: 'Pacific/Kiritimati', LANG: 'sv_SE.UTF-8' },
  ];

  for (const env of ENVIRONMENTS)
    test(`the same under ${Object.entries(env).flat().join(' ')}`, async () => {
      assert.deepEqual(await parsed(landed(PATHS), [], { env }), expected);
    });

  for (const jobs of ['2', '5'])
    test(`the same with --jobs ${jobs}`, async () => {
      assert.deepEqual(await parsed(landed(PATHS), ['--jobs', jobs]), expected);
    });

  const random = randomFrom();
  for (const [name, paths] of [
    ['in reverse', PATHS.toReversed()],
    [
      `shuffled by seed ${SEED}`,
      PATHS.map((path) => [random(2 ** 30), path] as const)
        .sort(([a], [b]) => a - b)
        .map(([, path]) => path),
    ],
  ] as const)
    test(`the same when the landed files were made ${name}`, async () => {
      assert.deepEqual(await parsed(landed(paths)), expected);
    });

  test('the same in a root that was copied, in one whose folder has an odd name, and session by session', async () => {
    const first = landed(PATHS);
    const odd = new Workplace({ root: join(first.folder, "ein Ordner, 'ſo' \u{1f326}") });
    cpSync(first.root, odd.root, { recursive: true });
    assert.deepEqual(await parsed(odd), expected);
    for (const session of ['every-kind', 'text']) await first.asz(['parse', session]);
    await first.asz(['parse']);
    assert.deepEqual(contentsOf(join(first.root, '_conversations'), /\.sf$/), expected.rounds);
  });

  test('a copied chain goes on where it was: nothing is left to parse', async () => {
    const first = landed(PATHS);
    await parsed(first);
    const copy = new Workplace();
    for (const [path, content] of contentsOf(first.root, /\.s[df]$/)) {
      mkdirSync(dirname(join(copy.root, path)), { recursive: true });
      writeFileSync(join(copy.root, path), content, 'latin1');
    }
    const { stdout, rounds } = await parsed(copy);
    assert.match(stdout, /^0 round\(s\) written$/m);
    assert.deepEqual(rounds, expected.rounds);
  });

  /** Records as landed, whatever the clock said when they did. */
  function recordsIn(root: string): string[] {
    return [...contentsOf(root, /\.sd$/).values()].flatMap((text) => text.split('\n').slice(1, -2)).sort();
  }

  test('collecting lands the same records and the same times of records everywhere', async () => {
    const samples = join(REPOSITORY, 'samples/projects');
    const roots: Workplace[] = [];
    for (const env of [{}, ...ENVIRONMENTS]) {
      const place = new Workplace({ projects: samples });
      assertDone(await place.asz(['collect', '--once'], { env }));
      roots.push(place);
    }
    const [first, ...others] = roots.map(({ root }) => recordsIn(root));
    assert.ok(first!.length > 50);
    for (const other of others) assert.deepEqual(other, first);
    for (const text of contentsOf(roots[3]!.root, /\.sd$/).values())
      assert.match(text.split('\n', 1)[0]!, /"at":"\d{4}-\d\d-\d\dT[\d:.]+Z"/);
  });
});
