/**
 * The storage root: which path everything has, and what is there.
 *
 *     <root>/<session>/session.state  .lock  streams/<stream>/  runs/<run>/  provider_body/  index/
 *     <root>/_conversations/<conversation>/conversation.state  .lock  rounds/
 *
 * Directories whose names start with `_` are never sessions. Symbolic links are never followed: no
 * session, stream, run or landed file can be one (storage spec 1, 1.1).
 */
import { dirname, join } from 'node:path';
import { causeText, StorageError } from '../format/errors.js';
import { compareCodePoints } from '../format/json-text.js';
import { landedKind, readLandedName } from '../format/landed-name.js';
import { directoryEntries } from './directory-entries.js';
import { type Dirent, lstatSync, readdirSync } from './file-system.js';
import { checkPathSegment } from './path-segment.js';
import { isTemporary } from './publish.js';

/** One landed file as its name and place tell it; nothing has been opened. */
export interface LandedFile {
  readonly path: string;
  readonly name: string;
  readonly seq: number;
  /** What stands before the name's first `-`: `transcript`, `meta`, `changes`, … */
  readonly kindPrefix: string;
  /** The stream whose directory holds it; empty for files of a run and of the session. */
  readonly stream: string;
  /** The run whose directory holds it; else empty. */
  readonly batch: string;
}

/** A directory that holds landed files and their cursors. */
export interface EvidenceFolder {
  readonly path: string;
  /** The stream's id, or empty. */
  readonly stream: string;
  /** The run's id, or empty. */
  readonly batch: string;
}

// ---- layout ----

/** Throws `StorageError` for an id that may not become a directory, as every function below does. */
export function sessionFolder(root: string, session: string): string {
  return join(root, checkPathSegment(session));
}

export function sessionLockFile(root: string, session: string): string {
  return join(sessionFolder(root, session), '.lock');
}

export function sessionStateFile(root: string, session: string): string {
  return join(sessionFolder(root, session), 'session.state');
}

/** Derived, and may be deleted at any time. */
export function indexFolder(root: string, session: string): string {
  return join(sessionFolder(root, session), 'index');
}

/** Where files of a kind land. `id` is the stream's or the run's, and unused for kinds of the whole session. */
export function landedFolder(root: string, session: string, kind: string, id: string): string {
  const { place } = landedKind(kind);
  const folder = join(sessionFolder(root, session), place);
  return place === 'provider_body' ? folder : join(folder, checkPathSegment(id));
}

/** The cursor beside the files of a kind. */
export function cursorFile(root: string, session: string, kind: string, id: string): string {
  return join(landedFolder(root, session, kind, id), `${landedKind(kind).prefix}.cursor`);
}

export function conversationFolder(root: string, conversation: string): string {
  return join(root, '_conversations', checkPathSegment(conversation));
}

export function conversationLockFile(root: string, conversation: string): string {
  return join(conversationFolder(root, conversation), '.lock');
}

export function conversationStateFile(root: string, conversation: string): string {
  return join(conversationFolder(root, conversation), 'conversation.state');
}

export function roundsFolder(root: string, conversation: string): string {
  return join(conversationFolder(root, conversation), 'rounds');
}

// ---- listings ----

/**
 * Ids of the sessions in a root, by code point. Throws `StorageError` `open <root>: no such file or directory`
 * for a root that does not exist; the commands that make one do it before they list.
 */
export function listSessions(root: string): string[] {
  try {
    return directoriesIn(readdirSync(root, { withFileTypes: true })).filter((name) => !name.startsWith('_'));
  } catch (cause) {
    const words = causeText(cause).replace(/^scandir /, 'open ');
    throw new StorageError(words, { cause });
  }
}

/** Ids of the conversations in a root, by code point; none when nothing was parsed yet. */
export function listConversations(root: string): string[] {
  return directoriesIn(directoryEntries(join(root, '_conversations')));
}

/**
 * Refuses a link in place of a directory of a session: what is read and written through it would be outside the root.
 * Throws `StorageError` that names it.
 */
export function refuseSessionLinks(session: string): void {
  refuseLink(session);
  for (const name of ['streams', 'runs', 'provider_body']) refuseLink(join(session, name));
}

/** The same for the directories of a chain, told by that of its rounds. */
export function refuseChainLinks(rounds: string): void {
  const chain = dirname(rounds);
  for (const folder of [dirname(chain), chain, rounds]) refuseLink(folder);
}

/** Throws `StorageError` for a link at a path of the root. */
export function refuseLink(path: string): void {
  let isLink: boolean | undefined;
  try {
    isLink = lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink();
  } catch (cause) {
    throw new StorageError(`storage: ${causeText(cause)}`, { cause });
  }
  if (isLink === true)
    throw new StorageError(`storage: ${path} is a symbolic link, and a storage root follows none`);
}

/**
 * The directories of a session that hold landed files: streams, then runs, then the session's own. Throws
 * `StorageError` for a link in place of one that holds them.
 */
export function listEvidenceFolders(session: string): EvidenceFolder[] {
  refuseSessionLinks(session);
  const [streams, runs] = [join(session, 'streams'), join(session, 'runs')];
  return [
    ...directoriesIn(directoryEntries(streams)).map((id) => ({
      path: join(streams, id),
      stream: id,
      batch: '',
    })),
    ...directoriesIn(directoryEntries(runs)).map((id) => ({ path: join(runs, id), stream: '', batch: id })),
    { path: join(session, 'provider_body'), stream: '', batch: '' },
  ];
}

/**
 * The landed files of a session directory, by sequence. A missing directory has none.
 *
 * Throws `FormatError` for a sequence no number can hold, and `StorageError` when two files carry one
 * sequence: every position in a round would then mean two things.
 */
export function listLandedFiles(session: string): LandedFile[] {
  const files: LandedFile[] = [];
  for (const { path: folder, stream, batch } of listEvidenceFolders(session))
    for (const entry of directoryEntries(folder)) {
      const named = entry.isFile() ? readLandedName(entry.name) : undefined;
      if (named === undefined) continue;
      const path = join(folder, entry.name);
      files.push({ path, name: entry.name, seq: named.seq, kindPrefix: named.prefix, stream, batch });
    }
  files.sort((a, b) => a.seq - b.seq);
  for (let i = 1; i < files.length; i++) refuseSameSequence(files[i - 1]!, files[i]!);
  return files;
}

/** The highest sequence of any landed name at any depth of a session directory; 0 for none. */
export function highestSequence(session: string): number {
  return surveySession(session).highestSequence;
}

/** What the names in a session directory tell, at any depth: one listing per folder, and no file is opened. */
export interface SessionSurvey {
  /** Of any landed name; 0 for none. */
  highestSequence: number;
  /** Somebody is writing, or left what was being written when it was killed. */
  hasTemporaries: boolean;
  /** Paths of all cursors. */
  readonly cursors: string[];
}

export function surveySession(session: string): SessionSurvey {
  const survey: SessionSurvey = { highestSequence: 0, hasTemporaries: false, cursors: [] };
  const visit = (folder: string) => {
    for (const entry of directoryEntries(folder)) {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) visit(path);
      if (!entry.isFile()) continue;
      const seq = readLandedName(entry.name)?.seq ?? 0;
      if (seq > survey.highestSequence) survey.highestSequence = seq;
      if (isTemporary(entry.name)) survey.hasTemporaries = true;
      if (entry.name.endsWith('.cursor')) survey.cursors.push(path);
    }
  };
  visit(session);
  return survey;
}

/**
 * About how much there is to read of a session: the bytes of its index, or of its landed files when there is no
 * index. 0 for what cannot be told. Costs a listing and a stat, and only without an index one for each landed file.
 */
export function sessionBytes(root: string, session: string): number {
  try {
    const index = bytesIn(indexFolder(root, session));
    if (index > 0) return index;
    const folders = listEvidenceFolders(sessionFolder(root, session));
    return folders.reduce((sum, { path }) => sum + bytesIn(path), 0);
  } catch {
    return 0; // what is wrong with it is told by who opens it
  }
}

/** Bytes of the rounds of a chain; 0 for what cannot be told. */
export function chainBytes(root: string, conversation: string): number {
  try {
    return bytesIn(roundsFolder(root, conversation));
  } catch {
    return 0;
  }
}

function bytesIn(folder: string): number {
  return directoryEntries(folder)
    .filter((entry) => entry.isFile())
    .reduce(
      (sum, { name }) => sum + (lstatSync(join(folder, name), { throwIfNoEntry: false })?.size ?? 0),
      0,
    );
}

function refuseSameSequence(a: LandedFile, b: LandedFile): void {
  if (a.seq !== b.seq) return;
  const [first, second] = [a.path, b.path].sort(compareCodePoints);
  throw new StorageError(`storage: ${first} and ${second} carry the same sequence ${a.seq}`);
}

function directoriesIn(entries: readonly Dirent[]): string[] {
  return entries
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort(compareCodePoints);
}
