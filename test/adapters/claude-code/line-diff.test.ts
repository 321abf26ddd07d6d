import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Hunk, lineDiff, MAX_LINES } from '../../../src/adapters/claude-code/line-diff.js';

test('a side without lines is named by the line before it', () => {
  assert.deepEqual(lineDiff('', 'a\nb'), [
    { old_start: 0, old_lines: 0, new_start: 1, new_lines: 2, lines: ['+a', '+b'] },
  ]);
  assert.deepEqual(lineDiff('a\n', ''), [
    { old_start: 1, old_lines: 1, new_start: 0, new_lines: 0, lines: ['-a'] },
  ]);
  assert.deepEqual(lineDiff('', ''), []);
});

test('removed lines stand before added ones, and a carriage return stays on its line', () => {
  assert.deepEqual(lineDiff('a\r\nb\n', 'a\r\nc\r\n')?.[0]?.lines, [' a\r', '-b', '+c\r']);
  assert.deepEqual(lineDiff('a\n', 'a'), [], 'lines are compared without their newline');
});

test('changes at most six lines apart share a hunk, seven do not', () => {
  const lines = Array.from({ length: 20 }, (_, i) => `l${i}`);
  const edited = (...at: number[]) => lines.map((line, i) => (at.includes(i) ? 'x' : line)).join('\n');
  assert.equal(lineDiff(lines.join('\n'), edited(4, 11))?.length, 1);
  const two = lineDiff(lines.join('\n'), edited(4, 12));
  assert.deepEqual(
    two?.map((h) => [h.old_start, h.old_lines]),
    [
      [2, 7],
      [10, 7],
    ],
  );
});

test('random texts: hunks apply, and no script is shorter', () => {
  const seed = 7;
  let state = seed;
  const random = (n: number) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * n);
  };
  for (let round = 0; round < 4000; round++) {
    const letters = 1 + random(6);
    const side = () => Array.from({ length: random(14) }, () => String.fromCharCode(97 + random(letters)));
    const [a, b] = [side(), side()];
    const hunks = lineDiff(a.map((l) => `${l}\n`).join(''), b.map((l) => `${l}\n`).join(''));
    assert.ok(hunks, `seed ${seed} round ${round}`);
    assert.deepEqual(applied(a, hunks), b, `seed ${seed} round ${round}`);
    const edits = hunks.flatMap((h) => h.lines).filter((line) => !line.startsWith(' ')).length;
    assert.equal(edits, a.length + b.length - 2 * longestCommon(a, b), `seed ${seed} round ${round}`);
  }
});

test('a side of more lines than the bound has no diff, and neither has a diff of too many edits', () => {
  assert.equal(lineDiff('x\n'.repeat(MAX_LINES + 1), ''), undefined);
  const count = (from: number) => Array.from({ length: 15_000 }, (_, i) => `${from + i}`).join('\n');
  assert.equal(lineDiff(count(0), `x\n${count(50_000)}\ny`), undefined);
});

function applied(a: readonly string[], hunks: readonly Hunk[]): string[] {
  const out: string[] = [];
  let at = 0;
  for (const hunk of hunks) {
    const start = hunk.old_lines === 0 ? hunk.old_start : hunk.old_start - 1;
    out.push(...a.slice(at, start));
    for (const line of hunk.lines) if (!line.startsWith('-')) out.push(line.slice(1));
    assert.deepEqual(
      hunk.lines.filter((line) => !line.startsWith('+')).map((line) => line.slice(1)),
      a.slice(start, start + hunk.old_lines),
    );
    at = start + hunk.old_lines;
  }
  return [...out, ...a.slice(at)];
}

function longestCommon(a: readonly string[], b: readonly string[]): number {
  let row = new Array<number>(b.length + 1).fill(0);
  for (const x of a) {
    const next = [0];
    for (let j = 0; j < b.length; j++)
      next.push(x === b[j] ? (row[j] ?? 0) + 1 : Math.max(next[j] ?? 0, row[j + 1] ?? 0));
    row = next;
  }
  return row.at(-1) ?? 0;
}
