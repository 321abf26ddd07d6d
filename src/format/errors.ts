/**
 * The error family. A command prints `asz: <message>` and exits with `exitCode`; nothing else prints.
 *
 * `code` is stable and meant for programs, `message` for people: it names the object, the rule broken and,
 * where it helps, what to do. Causes are kept, never swallowed.
 */
export class AszError extends Error {
  readonly code: string;
  /** 1: the work failed. 2: the command was misused. */
  readonly exitCode: 1 | 2 = 1;

  constructor(code: string, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = new.target.name;
    this.code = code;
  }
}

/** Bytes break a rule of a format: sd/1, sf/1, the index, a state file. */
export class FormatError extends AszError {
  constructor(message: string, options?: { cause?: unknown }) {
    super('FORMAT', message, options);
  }
}

/** Rounds do not fit together, or do not fit what is landed. */
export class ChainError extends AszError {
  constructor(message: string, options?: { cause?: unknown }) {
    super('CHAIN', message, options);
  }
}

/** The storage root could not do what was asked of it. */
export class StorageError extends AszError {
  constructor(message: string, options?: { cause?: unknown }) {
    super('STORAGE', message, options);
  }
}

/** Another process holds what this one wanted. Waiting or trying again later is the remedy. */
export class LockedError extends AszError {
  constructor(message: string, options?: { cause?: unknown }) {
    super('LOCKED', message, options);
  }
}

/** The command line or the configuration asks for something that cannot be meant. */
export class UsageError extends AszError {
  override readonly exitCode = 2;
  constructor(message: string, options?: { cause?: unknown }) {
    super('USAGE', message, options);
  }
}

/** The configuration file is wrong: `asz: config: …`, exit code 1 (cli spec, section 4). */
export class ConfigError extends AszError {
  constructor(message: string, options?: { cause?: unknown }) {
    super('CONFIG', message, options);
  }
}

/**
 * The words of a cause, for use inside another message. A file-system error keeps the call and the path it
 * names; one on an open file names neither, and whoever opened it says which it was.
 */
export function causeText(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  const { code, syscall, path } = cause as NodeJS.ErrnoException;
  if (code === undefined || syscall === undefined) return cause.message;
  const words = ERRNO_WORDS[code] ?? cause.message.replace(/^[A-Z0-9]+: /, '').replace(/,.*$/s, '');
  return path === undefined ? words : `${syscall} ${path}: ${words}`;
}

/** Whether `cause` is a file-system error of this code, `ENOENT` for instance. */
export function isErrno(cause: unknown, ...codes: string[]): boolean {
  return cause instanceof Error && codes.includes((cause as NodeJS.ErrnoException).code ?? '');
}

const ERRNO_WORDS: Record<string, string> = {
  ENOENT: 'no such file or directory',
  EACCES: 'permission denied',
  EEXIST: 'file exists',
  ENOTDIR: 'not a directory',
  EISDIR: 'is a directory',
  ENOSPC: 'no space left on device',
};
