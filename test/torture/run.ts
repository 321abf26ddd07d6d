/**
 * The long forms of the tests: `npm run torture -- [parts] [--seed N]`. Every module beside this one whose name ends
 * in `.part.js` is a part; its name is the word to ask for it. Each prints what it tried and what went wrong, and the
 * exit code is 1 when anything did. The seed repeats a run.
 */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** What a part is given. */
export interface Torture {
  /** An empty folder of its own, removed afterwards. */
  readonly folder: string;
  readonly seed: number;
  print(line: string): void;
}

/** What a part counted: numbers to print, and what went wrong, which must be nothing. */
export interface Toll {
  readonly counts: Readonly<Record<string, number>>;
  readonly wrong: readonly string[];
}

export interface Part {
  run(torture: Torture): Promise<Toll>;
}

const SUFFIX = '.part.js';
const MAX_SHOWN = 20;

async function main(argv: readonly string[]): Promise<number> {
  const at = argv.indexOf('--seed');
  const seed = at < 0 ? Date.now() % 2 ** 31 : Number(argv[at + 1]);
  const wanted = argv.filter((_, i) => at < 0 || (i !== at && i !== at + 1));
  const parts = readdirSync(import.meta.dirname)
    .filter((name) => name.endsWith(SUFFIX))
    .map((name) => name.slice(0, -SUFFIX.length))
    .sort();
  const unknown = wanted.find((name) => !parts.includes(name));
  if (unknown !== undefined || !Number.isSafeInteger(seed)) {
    console.error(`usage: npm run torture -- [${parts.join('] [')}] [--seed N]`);
    return 2;
  }
  console.log(`seed ${seed}`);
  // Parts that draw numbers as the tests do go by it too: they are loaded only now.
  process.env.ASZ_SEED = String(seed);
  let wrong = 0;
  for (const name of wanted.length > 0 ? wanted : parts) {
    const part = (await import(`./${name}${SUFFIX}`)) as Part;
    const folder = mkdtempSync(join(tmpdir(), 'asz-torture-'));
    const begun = Date.now();
    try {
      const toll = await part.run({ folder, seed, print: (line) => console.log(`  ${line}`) });
      const counts = Object.entries(toll.counts).map(([what, count]) => `${what} ${count}`);
      console.log(
        `${name}: ${counts.join(', ')}; wrong ${toll.wrong.length} (${Math.round((Date.now() - begun) / 1000)}s)`,
      );
      for (const words of toll.wrong.slice(0, MAX_SHOWN)) console.log(`  WRONG ${words}`);
      wrong += toll.wrong.length;
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }
  return wrong > 0 ? 1 : 0;
}

process.exitCode = await main(process.argv.slice(2));
