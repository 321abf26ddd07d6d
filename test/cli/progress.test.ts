import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import { Progress } from '../../src/cli/progress.js';

function terminal(isTTY: boolean) {
  const stream = Object.assign(new PassThrough({ encoding: 'utf8' }), { isTTY, columns: 10 });
  return { stream, written: () => (stream.read() as string | null) ?? '' };
}

test('nothing is written where no terminal is', () => {
  const { stream, written } = terminal(false);
  const progress = new Progress(stream);
  progress.show('1 of 2');
  progress.clear();
  assert.equal(written(), '');
});

test('the line is overwritten, cut to the width, and taken away', () => {
  const { stream, written } = terminal(true);
  let now = 0;
  const progress = new Progress(stream, () => now);
  progress.show('session 1 of 20\x1b[2J');
  assert.equal(written(), '\r\x1b[Ksession …');
  progress.show('too soon');
  assert.equal(written(), '');
  now += 100;
  progress.show('2');
  assert.equal(written(), '\r\x1b[K2');
  progress.clear();
  progress.clear();
  assert.equal(written(), '\r\x1b[K');
  progress.show('again at once');
  assert.equal(written(), '\r\x1b[Kagain at…');
});
