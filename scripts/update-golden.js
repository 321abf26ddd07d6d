// Makes the golden files again, from the sessions told in `test/golden-roots.ts` and from the samples, and stores
// them. To be run on purpose, after `npm run build`; read the difference before you commit it: every changed byte
// is a change of what users' chains will say.
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const repository = resolve(import.meta.dirname, '..');
const golden = join(repository, 'test/golden');
// An argument names another output folder of the compiler.
const built = resolve(repository, process.argv[2] ?? 'dist', 'test/golden-files.js');
const { makeGolden } = await import(pathToFileURL(built).href);

/** Written by hand. */
const KEPT = new Set(['README.md', '.gitattributes']);

const scratch = mkdtempSync(join(tmpdir(), 'asz-golden-'));
try {
  const files = await makeGolden(scratch, join(repository, 'samples/projects'));
  mkdirSync(golden, { recursive: true });
  for (const name of readdirSync(golden))
    if (!KEPT.has(name)) rmSync(join(golden, name), { recursive: true });
  for (const { path, content } of files) {
    mkdirSync(dirname(join(golden, path)), { recursive: true });
    writeFileSync(join(golden, path), content);
  }
  console.log(`${files.length} files in ${golden}`);
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
