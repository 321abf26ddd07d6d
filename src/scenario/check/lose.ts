/** Takes a landed file out of a root, as a person would who deletes it (scenario spec 9.3). */
import { chmodSync, rmSync } from 'node:fs';
import { relative } from 'node:path';
import { listLandedFiles, sessionFolder } from '../../io/storage-root.js';
import { ScenarioError } from '../yaml-file.js';
import type { CheckedRoot } from './checked-root.js';
import type { Lose } from './expectation.js';

/** Gives the path below the root. Throws `ScenarioError` when there is no such file. */
export function loseFile(
  { root, session }: CheckedRoot,
  lose: Lose,
  streams: ReadonlyMap<string, string>,
): string {
  const stream = streams.get(lose.stream) ?? lose.stream;
  const files = listLandedFiles(sessionFolder(root, session)).filter(
    (file) =>
      (lose.run === '' ? file.stream === stream : file.batch === lose.run) &&
      (lose.kind === '' || file.kindPrefix === lose.kind),
  );
  const file = files[lose.nth - 1];
  if (file === undefined) {
    const whose = lose.run || lose.stream;
    throw new ScenarioError(
      `${lose.where}: ${whose} has ${files.length} such files, none is number ${lose.nth}`,
    );
  }
  chmodSync(file.path, 0o644);
  rmSync(file.path);
  return relative(root, file.path).replaceAll('\\', '/');
}
