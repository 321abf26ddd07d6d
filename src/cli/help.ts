/** `asz help [COMMAND]`, and the texts every other command's `--help` and misuse print. */
import { UsageError } from '../format/errors.js';
import { COMMANDS, type Command, commandNamed } from './commands.js';
import type { CommandContext } from './context.js';
import { tableLines } from './print.js';

export async function run({ args, print }: CommandContext): Promise<number> {
  const name = args.join(' ');
  const command = commandNamed(name);
  if (name !== '' && command === undefined) throw new UsageError(`unknown command ${JSON.stringify(name)}`);
  for (const line of command === undefined ? usageLines() : helpLines(command)) print(line);
  return 0;
}

/** All commands, one line each. */
export function usageLines(): string[] {
  return [
    'usage: asz COMMAND [flags] [arguments]',
    '',
    ...tableLines(
      COMMANDS.map(({ name, synopsis, summary }) => [`  ${`${name} ${synopsis}`.trim()}`, summary]),
    ),
    '',
    'asz COMMAND --help prints the flags of a command.',
  ];
}

/** One command: how to call it, what it does, its flags. */
export function helpLines(command: Command): string[] {
  const { name, synopsis, summary, details = [] } = command;
  return [
    `usage: asz ${[name, command.flags.length > 0 ? '[flags]' : '', synopsis].filter(Boolean).join(' ')}`,
    '',
    `${summary[0]!.toUpperCase()}${summary.slice(1)}.`,
    ...details,
    ...flagLines(command),
  ];
}

/** The flags alone: what a wrong flag is answered with. */
export function flagLines({ flags }: Command): string[] {
  if (flags.length === 0) return [];
  const rows = flags.map((flag) => [
    `  --${[flag.name, flag.value].filter(Boolean).join(' ')}`,
    flag.summary,
  ]);
  return ['', 'flags:', ...tableLines(rows)];
}
