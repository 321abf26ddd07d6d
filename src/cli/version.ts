import { readFileSync } from '../io/file-system.js';
import type { CommandContext } from './context.js';
import { jsonText } from './print.js';

/** `asz version`: one line, for bug reports. */
export async function run({ options, print, stdout }: CommandContext): Promise<number> {
  const { version: node, platform, arch } = process;
  const version = packageVersion();
  if (options.switch('json')) stdout.write(`${jsonText({ version, node, platform, arch })}\n`);
  else print(`asz ${version} (node ${node} ${platform}/${arch})`);
  return 0;
}

/** The version of asz: that of its package, three folders up from the built module. */
export function packageVersion(): string {
  const text = readFileSync(new URL('../../../package.json', import.meta.url), 'utf8');
  return (JSON.parse(text) as { version?: string }).version ?? 'dev';
}
