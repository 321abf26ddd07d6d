/** A history in Claude Code's own form: its lines appended to the files it would stand in. */
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Pass } from './history.js';

/** Writes what one pass found below `sourceRoot`, the `projects` directory. */
export function writeSources(sourceRoot: string, pass: Pass): void {
  for (const [relativePath, { growth, lines }] of pass) {
    const path = join(sourceRoot, relativePath);
    mkdirSync(dirname(path), { recursive: true });
    const text = `${lines.join('\n')}\n`;
    if (growth === 'append') appendFileSync(path, text);
    else writeFileSync(path, text);
  }
}
