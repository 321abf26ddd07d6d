import { causeText, isErrno, StorageError } from '../format/errors.js';
import { type Dirent, readdirSync } from './file-system.js';

/**
 * What a directory holds, in no order; nothing when it is not there, because it was never made or is gone by now.
 * Throws `StorageError` `storage: <cause>` for one that cannot be read.
 */
export function directoryEntries(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (cause) {
    if (isErrno(cause, 'ENOENT')) return [];
    throw new StorageError(`storage: ${causeText(cause)}`, { cause });
  }
}
