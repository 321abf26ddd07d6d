/** The files of a root in the order in which they are sent (export spec 1, 2). */
import { join } from 'node:path';
import { compareCodePoints } from '../format/json-text.js';
import { directoryEntries } from '../io/directory-entries.js';
import { lstatSync } from '../io/file-system.js';
import {
  type LandedFile,
  listConversations,
  listLandedFiles,
  listSessions,
  refuseChainLinks,
  roundsFolder,
  sessionFolder,
} from '../io/storage-root.js';

/** One file to send. `path` is below the root, with `/`. */
export type Sendable =
  | { readonly kind: 'landed'; readonly path: string; readonly session: string; readonly file: LandedFile }
  | { readonly kind: 'round'; readonly path: string; readonly conversation: string };

/** Lists the landed files of a session that are sent, by sequence. Throws as `listLandedFiles` does. */
export function landedFilesOf(root: string, session: string): LandedFile[] {
  return listLandedFiles(sessionFolder(root, session)).filter(isOfStreamOrRun);
}

/** What lies beside the streams has no attribute that says where. */
function isOfStreamOrRun({ stream, batch }: LandedFile): boolean {
  return stream !== '' || batch !== '';
}

/** What is in a root, in the order in which it is sent. */
export interface Listing {
  /** Listed before the sessions: so a conversation that comes meanwhile does not go before its landed files. */
  readonly conversations: readonly string[];
  readonly sessions: readonly string[];
}

/** Lists a root. Throws as `listLandedFiles` does. */
export function listRoot(root: string): Listing {
  return { conversations: listConversations(root), sessions: sessionsByAge(root) };
}

/**
 * The landed files of each session, which `filesOf` lists when its turn comes, and then its rounds, as they were before
 * that: none goes before a file that it was built from. At the end the rounds of conversations that are no session. A
 * conversation whose rounds cannot be listed is told to `failed`, and the others follow.
 */
export function* filesInOrder(
  root: string,
  { conversations, sessions }: Listing,
  filesOf: (session: string) => readonly LandedFile[],
  failed: (cause: unknown) => void,
): Generator<Sendable> {
  for (const session of sessions) {
    const rounds = roundsOf(root, session, failed);
    for (const file of filesOf(session))
      yield { kind: 'landed', path: landedPath(session, file), session, file };
    yield* rounds;
  }
  const known = new Set(sessions);
  for (const conversation of conversations)
    if (!known.has(conversation)) yield* roundsOf(root, conversation, failed);
}

/**
 * The sessions of a root, the one first that landed first: by the time of its first landed file, equal ones by id. Each
 * is listed for it, and none of the lists is kept. Throws as `listLandedFiles` does.
 */
function sessionsByAge(root: string): string[] {
  return listSessions(root)
    .map((session) => ({ session, landedMs: modifiedMs(landedFilesOf(root, session)[0]) }))
    .sort((a, b) => a.landedMs - b.landedMs || compareCodePoints(a.session, b.session))
    .map(({ session }) => session);
}

function modifiedMs(file: LandedFile | undefined): number {
  return (file && lstatSync(file.path, { throwIfNoEntry: false }))?.mtimeMs ?? 0;
}

function landedPath(session: string, { stream, batch, name }: LandedFile): string {
  return stream !== '' ? `${session}/streams/${stream}/${name}` : `${session}/runs/${batch}/${name}`;
}

function roundsOf(root: string, conversation: string, failed: (cause: unknown) => void): Sendable[] {
  try {
    return namesOfRounds(root, conversation).map((name) => ({
      kind: 'round',
      path: `_conversations/${conversation}/rounds/${name}`,
      conversation,
    }));
  } catch (cause) {
    failed(cause);
    return [];
  }
}

/** By name, which is the order of rounds. Throws `StorageError` for a link in the way, and the system's error. */
export function namesOfRounds(root: string, conversation: string): string[] {
  const folder = roundsFolder(root, conversation);
  refuseChainLinks(folder);
  return directoryEntries(folder)
    .filter((entry) => entry.isFile() && entry.name.endsWith('.sf'))
    .map(({ name }) => name)
    .sort(compareCodePoints);
}

/** Where a sendable file is. */
export function placeOf(root: string, path: string): string {
  return join(root, ...path.split('/'));
}
