import type { Adapter } from '../adapters/adapter.js';
import { ADAPTERS } from '../adapters/registry.js';
import type { CommandContext } from './context.js';
import { jsonText, tableLines } from './print.js';

/** `asz glossary`: for each dialect, the runtime's words for the model's names (cli spec 3.11). */
export async function run({ options, print, stdout }: CommandContext): Promise<number> {
  if (options.switch('json')) {
    const dialects = ADAPTERS.map(({ dialect, runtime, glossary }) => ({
      dialect,
      runtime,
      terms: glossary,
    }));
    stdout.write(`${jsonText({ dialects })}\n`);
    return 0;
  }
  for (const [i, adapter] of ADAPTERS.entries()) {
    if (i > 0) print('');
    for (const line of dialectLines(adapter)) print(line);
  }
  return 0;
}

/** A word without a native one is this project's own: it names what no single record says. */
function dialectLines({ dialect, glossary }: Adapter): string[] {
  const rows = glossary.map(({ unified, native, where, note = '' }) =>
    native === '' ? [unified, '—', 'derived here', note] : [unified, native, where, note],
  );
  const named = glossary.filter(({ native }) => native !== '').length;
  return [
    `dialect ${dialect}`,
    '',
    ...tableLines([['MODEL', 'RUNTIME', 'WHERE', 'NOTE'], ...rows]).map((line) => line.trimEnd()),
    '',
    `${glossary.length} terms: ${named} named by the runtime, ${glossary.length - named} derived by this project`,
  ];
}
