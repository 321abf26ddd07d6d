/**
 * Every call by which asz reads or changes a file, under its own name. No other module imports `node:fs`, so this
 * list is all that can fail, be cut short or be interrupted, and tests act that out by replacing these calls of Node
 * from outside (`test/faults`). Add a call here before using it; tests then want to know how it can fail.
 */
export {
  closeSync,
  constants,
  type Dirent,
  existsSync,
  fchmodSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  realpathSync,
  renameSync,
  rmdirSync,
  rmSync,
  type Stats,
  statSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
