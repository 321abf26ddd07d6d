// Runs the built tests. Node 20 takes no glob, and a folder argument would run the helpers too.
// Arguments narrow the run: `node scripts/run-tests.js stages` runs the test files whose path holds "stages".
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import fastGlob from 'fast-glob';

const wanted = process.argv.slice(2);
const files = fastGlob
  .sync('dist/test/**/*.test.js')
  // The build leaves the output of a test whose source was renamed or removed.
  .filter((file) => existsSync(file.replace(/^dist\//, '').replace(/\.js$/, '.ts')))
  .filter((file) => wanted.length === 0 || wanted.some((word) => file.includes(word)))
  .sort();
if (files.length === 0) {
  console.error(`no built test matches ${wanted.join(' ') || 'dist/test'}; run npm run build`);
  process.exit(1);
}
const { status, signal } = spawnSync(
  process.execPath,
  ['--enable-source-maps', '--test', '--test-reporter=spec', ...files],
  { stdio: 'inherit' },
);
if (signal !== null) console.error(`the test runner was ended by ${signal}`);
process.exit(status ?? 1);
