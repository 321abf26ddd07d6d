/** How each call of the file-system seam can fail: what a system really answers, as far as it says something new. */
import type * as seam from '../../src/io/file-system.js';

/** The calls of the seam, without its types and constants. */
export type CallName = Exclude<keyof typeof seam, 'constants'>;

export interface CallKind {
  /** What its first argument is. */
  readonly takes: 'path' | 'descriptor';
  /** Error codes. `existsSync` throws none: it then says no. */
  readonly codes: readonly string[];
  /** Whether it may do a part of what it was asked and say how much. */
  readonly mayBeShort?: true;
  /** Whether it needs room, so that a full disk refuses it. */
  readonly needsRoom?: true;
}

export const CALLS: Readonly<Record<CallName, CallKind>> = {
  closeSync: { takes: 'descriptor', codes: ['EIO'] },
  existsSync: { takes: 'path', codes: ['EACCES'] },
  fchmodSync: { takes: 'descriptor', codes: ['EIO', 'EPERM'] },
  fstatSync: { takes: 'descriptor', codes: ['EIO'] },
  fsyncSync: { takes: 'descriptor', codes: ['EIO', 'ENOSPC'], needsRoom: true },
  ftruncateSync: { takes: 'descriptor', codes: ['EIO'] },
  linkSync: { takes: 'path', codes: ['EIO', 'ENOSPC', 'EACCES', 'EPERM', 'EMLINK'], needsRoom: true },
  lstatSync: { takes: 'path', codes: ['EIO', 'EACCES'] },
  mkdirSync: { takes: 'path', codes: ['EIO', 'ENOSPC', 'EACCES'], needsRoom: true },
  openSync: { takes: 'path', codes: ['EIO', 'ENOSPC', 'EACCES', 'EMFILE'] },
  readdirSync: { takes: 'path', codes: ['EIO', 'EACCES', 'EMFILE'] },
  readFileSync: { takes: 'path', codes: ['EIO', 'EACCES', 'EMFILE'] },
  readSync: { takes: 'descriptor', codes: ['EIO'], mayBeShort: true },
  realpathSync: { takes: 'path', codes: ['EIO', 'EACCES'] },
  renameSync: { takes: 'path', codes: ['EIO', 'ENOSPC', 'EACCES'], needsRoom: true },
  rmdirSync: { takes: 'path', codes: ['EIO', 'EACCES'] },
  rmSync: { takes: 'path', codes: ['EIO', 'EACCES'] },
  statSync: { takes: 'path', codes: ['EIO', 'EACCES'] },
  unlinkSync: { takes: 'path', codes: ['EIO', 'EACCES'] },
  writeSync: { takes: 'descriptor', codes: ['EIO', 'ENOSPC'], mayBeShort: true, needsRoom: true },
};
