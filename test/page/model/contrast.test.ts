/** Every colour of words on every ground they stand on, light and dark: WCAG 2 asks for 4.5. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { REPOSITORY } from '../../shared.js';

const LEAST = 4.5;
const GROUNDS = ['ground', 'surface', 'raised', 'sunken', 'hover', 'selected', 'accent-soft'];
const WORDS = ['text', 'text-muted', 'text-faint', 'accent', 'good', 'warn', 'bad'];
const SOFT = ['good', 'warn', 'bad'];

const theme = readFileSync(join(REPOSITORY, 'src/page/shared/theme.css'), 'utf8');
const colours = new Map(
  [...theme.matchAll(/--([\w-]+): light-dark\((#\w{6}), (#\w{6})\)/g)].map(([, name, light, dark]) => [
    name!,
    { light: light!, dark: dark! },
  ]),
);

/** WCAG 2.2, relative luminance. */
function luminance(colour: string): number {
  const [r, g, b] = [1, 3, 5]
    .map((at) => Number.parseInt(colour.slice(at, at + 2), 16) / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r! + 0.7152 * g! + 0.0722 * b!;
}

function contrast(one: string, other: string): number {
  const [low, high] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (high! + 0.05) / (low! + 0.05);
}

const lanes = [...colours.keys()].filter((name) => name.startsWith('lane-'));
const pairs = [
  ...[...WORDS, ...lanes].flatMap((word) => GROUNDS.map((ground) => [word, ground] as const)),
  ...SOFT.map((name) => [name, `${name}-soft`] as const),
];

for (const scheme of ['light', 'dark'] as const) {
  test(`words can be read on what they stand on: ${scheme}`, () => {
    const faint = pairs
      .map(([word, ground]) => ({
        word,
        ground,
        is: contrast(colours.get(word)![scheme], colours.get(ground)![scheme]),
      }))
      .filter(({ is }) => is < LEAST)
      .map(({ word, ground, is }) => `${word} on ${ground}: ${is.toFixed(2)}`);
    assert.deepEqual(faint, []);
  });
}
