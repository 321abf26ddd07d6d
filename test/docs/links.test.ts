/** Every relative link in the README and the docs leads to something that is there. */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { test } from 'node:test';
import { REPOSITORY } from '../shared.js';

const pages = [
  join(REPOSITORY, 'README.md'),
  join(REPOSITORY, 'samples/README.md'),
  ...readdirSync(join(REPOSITORY, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => join(REPOSITORY, 'docs', name)),
];

/** Code is not searched: what looks like a link there is none. */
function linksOf(markdown: string): string[] {
  const prose = markdown
    .replaceAll(/^```[\s\S]*?^```/gm, '')
    .replaceAll(/`[^`]*`/g, (code) => code.replaceAll(/[[\]()]/g, ' '));
  return [...prose.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target]) => target!);
}

/** Anchors as they are made of headings: lower case, punctuation gone, hyphens for spaces. */
function anchorsOf(markdown: string): Set<string> {
  const headings = markdown.replaceAll(/^```[\s\S]*?^```/gm, '').matchAll(/^#+ (.+)$/gm);
  return new Set(
    [...headings].map(([, text]) =>
      text!
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}\s-]/gu, '')
        .replaceAll(' ', '-'),
    ),
  );
}

for (const page of pages)
  test(`links in ${relative(REPOSITORY, page)} lead somewhere`, () => {
    const text = readFileSync(page, 'utf8');
    for (const link of linksOf(text)) {
      if (/^[a-z]+:/.test(link)) continue;
      const [path = '', anchor] = link.split('#');
      const target = path === '' ? page : resolve(dirname(page), path);
      assert.ok(existsSync(target), link);
      if (anchor !== undefined && target.endsWith('.md'))
        assert.ok(anchorsOf(readFileSync(target, 'utf8')).has(anchor), `${link}: no such heading`);
    }
  });

test('the README leads to every page of the docs', () => {
  const readme = readFileSync(join(REPOSITORY, 'README.md'), 'utf8');
  for (const page of pages.slice(2)) assert.ok(readme.includes(`](${relative(REPOSITORY, page)})`), page);
});
