/**
 * One call of `asz`, from its words to its exit code: which command, its flags, its configuration, and how an
 * error is printed. Nothing else prints an error or knows exit codes.
 */
import type { Readable, Writable } from 'node:stream';
import { inspect } from 'node:util';
import type { Config } from '../config/config.js';
import { AszError, causeText, UsageError } from '../format/errors.js';
import { type Flag, firstArgument, HelpWanted, type ParsedArguments, parseArguments } from './arguments.js';
import { ACCEPTED_EVERYWHERE, COMMANDS, type Command, commandNamed } from './commands.js';
import type { CommandContext, Terminal } from './context.js';
import { flagLines, helpLines, usageLines } from './help.js';
import { printable, printableLines } from './print.js';

/** What a call takes from the process around it. */
export interface Surroundings {
  readonly stdin: Readable;
  readonly stdout: Writable;
  readonly stderr: Terminal;
  readonly environment: NodeJS.ProcessEnv;
  readonly workingDirectory: string;
  /** A signal that is aborted when the process is asked to end. */
  interruption(): AbortSignal;
}

/** Runs `asz ...argv` and gives its exit code. Never throws. */
export async function main(argv: readonly string[], around: Surroundings): Promise<number> {
  const fail = (lines: readonly string[]) => around.stderr.write(`${lines.join('\n')}\n`);
  const [command, rest] = commandOf(argv);
  if (command === undefined) {
    fail([...unknownCommand(argv[0]), ...usageLines()]);
    return 2;
  }
  try {
    const options = parseArguments(rest, acceptedFlags(command));
    checkArguments(command, options);
    const config = command.readsConfiguration ? await configuration(options, around) : undefined;
    const { run } = await command.load();
    return await run(new Call(options, config, around));
  } catch (error) {
    if (error instanceof HelpWanted) {
      around.stdout.write(`${helpLines(command).join('\n')}\n`);
      return 0;
    }
    if (error instanceof Error && error.name === 'AbortError') return INTERRUPTED;
    if (around.environment.ASZ_DEBUG) fail([printableLines(inspect(error, { colors: false }))]);
    fail([`asz: ${errorText(error)}`, ...(error instanceof UsageError ? flagLines(command) : [])]);
    return error instanceof AszError ? error.exitCode : 1;
  }
}

/** What stands before the usage: which command there is none of, or what a command with subcommands wants. */
function unknownCommand(name: string | undefined): string[] {
  if (name === undefined) return [];
  const subcommands = COMMANDS.filter((command) => command.name.startsWith(`${name} `));
  if (subcommands.length === 0) return [`asz: unknown command ${JSON.stringify(printable(name))}`, ''];
  return [`asz: say which: ${subcommands.map((command) => `asz ${command.name}`).join(', ')}`, ''];
}

/** The command that the words name, and the words without its name. Flags may stand before a subcommand. */
function commandOf([name = '', ...rest]: readonly string[]): [Command | undefined, readonly string[]] {
  if (['-h', '-help', '--help'].includes(name)) return [commandNamed('help'), []];
  if (name === '--version') return [commandNamed('version'), rest];
  for (const subcommand of COMMANDS.filter((command) => command.name.startsWith(`${name} `))) {
    const at = firstArgument(rest, acceptedFlags(subcommand));
    if (`${name} ${rest[at]}` === subcommand.name) return [subcommand, rest.toSpliced(at, 1)];
  }
  return [commandNamed(name), rest];
}

function acceptedFlags({ flags, readsConfiguration }: Command): readonly Flag[] {
  return readsConfiguration ? [...flags, ...ACCEPTED_EVERYWHERE] : flags;
}

function checkArguments({ name, atMost, required }: Command, { args }: ParsedArguments): void {
  if (args.length > atMost) {
    const extra = printable(JSON.stringify(args[atMost]));
    throw new UsageError(
      `${name} takes ${atMost === 0 ? 'no arguments' : `at most ${atMost}`}; ${extra} is too many`,
    );
  }
  if (required !== undefined && args.length < required.atLeast) throw new AszError('USAGE', required.message);
}

/** Imported here, so that commands which read no configuration do not wait for a YAML parser. */
async function configuration(options: ParsedArguments, around: Surroundings): Promise<() => Config> {
  const [{ loadConfig }, { adapterNamed }] = await Promise.all([
    import('../config/config.js'),
    import('../adapters/registry.js'),
  ]);
  let config: Config | undefined;
  return () => {
    if (config !== undefined) return config;
    config = loadConfig(options.text('config'), around.workingDirectory);
    for (const { name, enabled } of config.adapters)
      if (enabled && adapterNamed(name) === undefined)
        around.stderr.write(`skipping unknown adapter ${JSON.stringify(printable(name))}\n`);
    return config;
  };
}

/** As a shell reports an end by SIGINT. */
const INTERRUPTED = 130;

class Call implements CommandContext {
  readonly options: ParsedArguments;
  readonly args: readonly string[];
  readonly stdin: Readable;
  readonly stdout: Writable;
  readonly stderr: Terminal;
  readonly environment: NodeJS.ProcessEnv;
  readonly config: () => Config;
  readonly #interruption: () => AbortSignal;

  constructor(options: ParsedArguments, config: (() => Config) | undefined, around: Surroundings) {
    this.options = options;
    this.args = options.args;
    this.stdin = around.stdin;
    this.stdout = around.stdout;
    this.stderr = around.stderr;
    this.environment = around.environment;
    this.#interruption = around.interruption;
    this.config =
      config ??
      (() => {
        throw new Error('this command reads no configuration');
      });
  }

  get signal(): AbortSignal {
    return this.#interruption();
  }

  readonly print = (line: string): void => {
    this.stdout.write(`${printable(line)}\n`);
  };

  readonly warn = (line: string): void => {
    this.stderr.write(`${printable(line)}\n`);
  };
}

/** One line; only the errors of a collector's pass are several, one a line. Messages can quote data. */
function errorText(error: unknown): string {
  const isOfPass = error instanceof AszError && error.code === 'COLLECT';
  return (isOfPass ? printableLines : printable)(causeText(error).trimEnd());
}
