/**
 * Copies of a folder of Claude Code's history, each with session ids of its own, until there are so many bytes:
 *
 *     node dist/bench/corpus/copies.js FOLDER --megabytes 150 --out FOLDER
 *
 * For measuring with real history, which is nobody's to publish. The folder is the `projects` directory itself.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import fastGlob from 'fast-glob';
import { CLAUDE_CODE } from '../../src/adapters/claude-code/claude-code.js';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { megabytes: { type: 'string', default: '150' }, out: { type: 'string' } },
});
const [from] = positionals;
if (from === undefined || values.out === undefined) throw new RangeError('copies FOLDER --out FOLDER');

const ids = CLAUDE_CODE.discover(from).sessions.map(({ id }) => id);
const files = fastGlob.sync('**/*', { cwd: from }).sort();
const wanted = Number(values.megabytes) * 1e6;
for (let copy = 0, bytes = 0; bytes < wanted; copy++)
  for (const file of files) {
    const text = renumbered(readFileSync(join(from, file), 'utf8'), copy);
    const path = join(values.out, renumbered(file, copy));
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    bytes += Buffer.byteLength(text);
  }

/** Every session's id with its first digits counted up: no two copies share a session. */
function renumbered(text: string, copy: number): string {
  return ids.reduce((result, id) => {
    const digits = (Number.parseInt(id.slice(0, 8), 16) + copy) % 2 ** 32;
    return result.replaceAll(id, digits.toString(16).padStart(8, '0') + id.slice(8));
  }, text);
}
