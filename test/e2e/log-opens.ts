/**
 * To be loaded before `asz` with `--import`: writes every path that is opened to `$ASZ_TEST_OPENS`, a line each, in
 * the form in which `strace` shows it. For machines that have no `strace`.
 */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

const log = process.env.ASZ_TEST_OPENS ?? '/dev/null';
const append = fs.appendFileSync;
const OPENING = ['openSync', 'open', 'readFileSync', 'readFile', 'createReadStream'] as const;

for (const name of OPENING) {
  // biome-ignore lint/suspicious/noExplicitAny: arguments are passed on as they came
  const original = fs[name] as (...args: any[]) => any;
  // biome-ignore lint/suspicious/noExplicitAny: as above
  const logging = (...args: any[]) => {
    if (typeof args[0] === 'string' && args[0] !== log) append(log, `open("${args[0]}") = 1\n`);
    return original(...args);
  };
  Object.assign(fs, { [name]: logging });
}
syncBuiltinESMExports();
