/** One run of one variant, in this process: the answer goes to standard output as JSON. Started by `bench.ts`. */
import { rmSync } from 'node:fs';
import type { Corpus } from './corpora.js';
import { scratchFolder } from './corpora.js';
import { lastCounted, timed } from './harness.js';
import { QUESTIONS } from './questions/questions.js';

const [questionName, variantName, corpus] = process.argv.slice(2);
const question = QUESTIONS.find(({ name }) => name === questionName);
const variant = question?.variants.find(({ name }) => name === variantName);
if (variant === undefined || corpus === undefined) throw new RangeError('run QUESTION VARIANT CORPUS');

const scratch = scratchFolder(String(process.pid));
try {
  const { ms, bytes, parts } = await variant.measure(JSON.parse(corpus) as Corpus, { scratch, timed });
  process.stdout.write(JSON.stringify({ ms, bytes, parts, counted: lastCounted() }));
} finally {
  rmSync(scratch, { recursive: true });
}
