/**
 * The command line of one command: flags with one dash or two, before or after the arguments.
 *
 *     asz parse -once --config=f.yaml s1 -- --a-session-that-looks-like-a-flag
 *
 * What a command takes is data (`Flag`), so its help and its parser cannot disagree (cli spec 1).
 */
import { UsageError } from '../format/errors.js';

export interface Flag {
  readonly name: string;
  /** `list`: may be given again, and every value counts. `count`: a whole number from 1. */
  readonly kind: 'switch' | 'text' | 'list' | 'count';
  /** What stands for the value in the help: `FILE`. Switches have none. */
  readonly value?: string;
  readonly summary: string;
}

/** Thrown for `-h` and `--help`, wherever they stand. */
export class HelpWanted extends Error {}

export class ParsedArguments {
  readonly args: readonly string[];
  readonly #values: ReadonlyMap<string, readonly string[]>;

  constructor(args: readonly string[], values: ReadonlyMap<string, readonly string[]>) {
    this.args = args;
    this.#values = values;
  }

  /** The last value given wins. */
  text(name: string): string | undefined {
    return this.#values.get(name)?.at(-1);
  }

  /** In the order given. */
  list(name: string): readonly string[] {
    return this.#values.get(name) ?? [];
  }

  switch(name: string): boolean {
    return this.text(name) === 'true';
  }

  count(name: string): number | undefined {
    const value = this.text(name);
    return value === undefined ? undefined : Number(value);
  }
}

/**
 * Splits what follows the command's name. Throws `UsageError` for a flag the command does not take, a value
 * that is missing or cannot be meant; `HelpWanted` when help is asked for.
 */
export function parseArguments(argv: readonly string[], flags: readonly Flag[]): ParsedArguments {
  const args: string[] = [];
  const values = new Map<string, string[]>();
  for (let i = 0; i < argv.length; i++) {
    const word = argv[i]!;
    if (word === '--') {
      args.push(...argv.slice(i + 1));
      break;
    }
    const match = FLAG_WORD.exec(word);
    if (match === null) {
      args.push(word);
      continue;
    }
    const [, name, attached] = match;
    const flag = flags.find((known) => known.name === name);
    if (flag === undefined) {
      if (name === 'h' || name === 'help') throw new HelpWanted();
      throw new UsageError(`unknown flag ${word.split('=')[0]}`);
    }
    const value = attached ?? (flag.kind === 'switch' ? 'true' : argv[++i]);
    if (value === undefined)
      throw new UsageError(`--${flag.name} needs a value: --${flag.name} ${flag.value}`);
    values.set(flag.name, [...(values.get(flag.name) ?? []), checkedValue(flag, value)]);
  }
  return new ParsedArguments(args, values);
}

/**
 * Where the first argument stands among words that may begin with flags; -1 when there is none, or only behind
 * a lone `--`. It is how a subcommand is found. An unknown flag counts as a switch; parsing will refuse it.
 */
export function firstArgument(argv: readonly string[], flags: readonly Flag[]): number {
  for (let i = 0; i < argv.length; i++) {
    const word = argv[i]!;
    if (word === '--') return -1;
    const match = FLAG_WORD.exec(word);
    if (match === null) return i;
    const flag = flags.find(({ name }) => name === match[1]);
    if (flag !== undefined && flag.kind !== 'switch' && match[2] === undefined) i++;
  }
  return -1;
}

/** One dash alone, and a dash before a digit, are arguments. */
const FLAG_WORD = /^--?([a-zA-Z][^=]*)(?:=(.*))?$/s;

const TRUE = ['1', 't', 'T', 'true', 'TRUE', 'True'];
const FALSE = ['0', 'f', 'F', 'false', 'FALSE', 'False'];

function checkedValue(flag: Flag, value: string): string {
  if (flag.kind === 'switch') {
    if (TRUE.includes(value)) return 'true';
    if (FALSE.includes(value)) return 'false';
    throw new UsageError(`--${flag.name}=${value}: want true or false`);
  }
  if (
    flag.kind === 'count' &&
    !(/^\d+$/.test(value) && Number(value) > 0 && Number.isSafeInteger(Number(value)))
  )
    throw new UsageError(`--${flag.name} ${JSON.stringify(value)}: want a whole number from 1`);
  return value;
}
