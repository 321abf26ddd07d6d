import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import { aPrompt, Collection, MAIN } from './collecting.js';

/** Collects in a process of its own and prints how it went. `KILL_AFTER` ends it without warning by then. */
const COLLECTOR = `
import { Collection } from ${JSON.stringify(new URL('./collecting.js', import.meta.url).href)};
const [sources, root] = process.argv.slice(1);
const c = new Collection(sources, root);
const { busy, records, errors } = await c.pass({ maxDeltaBytes: 4096 });
console.log(JSON.stringify({ busy, records, errors: errors.map(String) }));
process.exit(0);
`;

async function collect(c: Collection, killAfterMs?: number): Promise<string> {
  const child = spawn(process.execPath, ['--input-type=module', '-e', COLLECTOR, c.sources, c.root], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (killAfterMs !== undefined) setTimeout(() => child.kill('SIGKILL'), killAfterMs);
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  await once(child, 'close');
  return output;
}

test('two collectors at once: no number twice, nothing twice, the loser counts busy', async () => {
  const c = new Collection();
  c.write(MAIN, Array.from({ length: 300 }, (_, i) => aPrompt(`u${i}`, 'x'.repeat(200))).join(''));
  const outcomes = (await Promise.all([collect(c), collect(c), collect(c)])).map((text) => JSON.parse(text));
  for (const { errors } of outcomes) assert.deepEqual(errors, []);
  assert.equal(
    outcomes.reduce((sum, { records }) => sum + records, 0),
    300,
  );
  assert.deepEqual(
    c.landed().map(({ seq }) => seq),
    c.landed().map((_, i) => i + 1),
  );
  assert.equal(c.records().length, 300);
});

test('killed at any moment: the next pass lands the rest, and every line has landed', async () => {
  const count = 400;
  for (let round = 0; round < 8; round++) {
    const c = new Collection();
    c.write(MAIN, Array.from({ length: count }, (_, i) => aPrompt(`u${i}`, 'x'.repeat(200))).join(''));
    await collect(c, 40 + round * 25);
    const tally = await c.pass({ maxDeltaBytes: 4096 });
    assert.deepEqual(tally.errors, []);
    const ords = c.records().map(({ value }) => value.ord);
    assert.deepEqual([...new Set(ords)].length, count);
    // A line landed twice was in the one file that the kill cut off from its cursor.
    assert.ok(ords.length - count < 20, `${ords.length}`);
    const seqs = c.landed().map(({ seq }) => seq);
    assert.deepEqual(
      seqs,
      seqs.map((_, i) => i + 1),
    );
  }
});
