/** Roots to push, which may be written to. */
import { chmodSync, cpSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { REPOSITORY, temporaryFolder } from '../shared.js';

/** A copy of one of the golden roots. */
export function goldenCopy(name: string): string {
  return copyOfRoot(join(REPOSITORY, 'test/golden', name));
}

export function copyOfRoot(from: string): string {
  const root = join(temporaryFolder(), 'root');
  cpSync(from, root, { recursive: true, preserveTimestamps: true });
  for (const entry of readdirSync(root, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    chmodSync(path, entry.isDirectory() ? 0o755 : 0o644);
  }
  return root;
}
