/** Whether files are still those that were read, told by their names, sizes and times alone. */
import { createHash } from 'node:crypto';
import { causeText, StorageError } from '../format/errors.js';
import { listRoundNames } from '../io/chain-directory.js';
import { lstatSync } from '../io/file-system.js';
import { listLandedFiles, roundsFolder, sessionFolder } from '../io/storage-root.js';
import { sessionOf } from '../view/conversation-list.js';

/**
 * One text for everything a document is made from: the chain's rounds and the session's landed files. The time of
 * the last change of a file's entry is in it, because the other one can be set back. Throws `AszError` when they
 * cannot be listed.
 */
export function documentFingerprint(root: string, conversation: string): string {
  const hash = createHash('sha256');
  const add = (path: string) => {
    const stat = statOf(path);
    hash.update(`${path}\0${stat?.size}\0${stat?.mtimeNs}\0${stat?.ctimeNs}\0${stat?.ino}\n`);
  };
  for (const { path } of listRoundNames(roundsFolder(root, conversation))) add(path);
  const session = sessionOf(root, conversation);
  if (session !== '') for (const { path } of listLandedFiles(sessionFolder(root, session))) add(path);
  return hash.digest('hex');
}

function statOf(path: string) {
  try {
    return lstatSync(path, { bigint: true, throwIfNoEntry: false });
  } catch (cause) {
    throw new StorageError(`storage: ${causeText(cause)}`, { cause });
  }
}
