import { appendFileSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import fastGlob from 'fast-glob';
import { CLAUDE_CODE } from '../../src/adapters/claude-code/claude-code.js';

/**
 * Copies of a folder of Claude Code's history (the `projects` directory itself), each with session ids of its own,
 * until there are so many bytes.
 */
export function copyHistory(from: string, out: string, atLeastBytes: number): void {
  const ids = CLAUDE_CODE.discover(from).sessions.map(({ id }) => id);
  const files = fastGlob.sync('**/*', { cwd: from }).sort();
  if (files.length === 0) throw new RangeError(`${from} holds no history`);
  for (let copy = 0, bytes = 0; bytes < atLeastBytes; copy++)
    for (const file of files) {
      const text = renumbered(ids, readFileSync(join(from, file), 'utf8'), copy);
      const path = join(out, renumbered(ids, file, copy));
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, text);
      bytes += Buffer.byteLength(text);
    }
}

/** Every session's id with its first digits counted up: no two copies share a session. */
function renumbered(ids: readonly string[], text: string, copy: number): string {
  return ids.reduce((result, id) => {
    const digits = (Number.parseInt(id.slice(0, 8), 16) + copy) % 2 ** 32;
    return result.replaceAll(id, digits.toString(16).padStart(8, '0') + id.slice(8));
  }, text);
}

/**
 * The largest transcript of such a folder so many times over, as one session: every id but the session's own is
 * another one in each repetition.
 */
export function repeatLargest(from: string, out: string, times: number): void {
  const sized = fastGlob
    .sync('*/*.jsonl', { cwd: from })
    .map((file) => ({ file, bytes: statSync(join(from, file)).size }));
  const [largest] = sized.sort((a, b) => b.bytes - a.bytes);
  if (largest === undefined) throw new RangeError(`${from} holds no history`);
  const session = basename(largest.file, '.jsonl');
  const text = readFileSync(join(from, largest.file), 'utf8');
  const path = join(out, largest.file);
  mkdirSync(dirname(path), { recursive: true });
  for (let copy = 0; copy < times; copy++) {
    const suffix = copy.toString(16).padStart(4, '0');
    const own = (id: string) => (id === session ? id : id.slice(0, -suffix.length) + suffix);
    appendFileSync(path, text.replace(ID, own));
  }
}

/** Of records, and of what a provider gives ids to. */
const ID = /\b(?:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|(?:toolu|msg|req)_\w{8,})\b/g;
