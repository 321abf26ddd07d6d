/**
 * Which sessions lie below a source root, and which files each is made of (dialect spec 2.3).
 *
 * Exactly the places of `source-names.ts` are looked at, nothing deeper. A session is gathered across project
 * directories: a workflow's script is filed under whatever directory its agent worked in.
 */
import { join } from 'node:path';
import { AszError, causeText, isErrno } from '../../format/errors.js';
import { compareCodePoints } from '../../format/json-text.js';
import { type Dirent, lstatSync, readdirSync } from '../../io/file-system.js';
import type { DiscoveredSession, Discovery, Source, SourceLocation } from '../adapter.js';
import { isSessionId, locate } from './source-names.js';

/** See `Adapter.discover`. Throws the file system's error when the root cannot be listed. */
export function discover(sourceRoot: string): Discovery {
  const found = new Findings();
  // Links at this level are skipped, so that a loop cannot show one project twice.
  const projects = readdirSync(sourceRoot, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  for (const { name } of projects.sort(byName)) searchProject(sourceRoot, name, found);
  return found.discovery();
}

function searchProject(root: string, project: string, found: Findings): void {
  let entries: Listed[];
  try {
    entries = list(root, project);
  } catch (cause) {
    if (isErrno(cause, 'ENOENT')) {
      // Removed since the root was listed, or a name that is not UTF-8 and so cannot be asked for.
      if (project.includes('\ufffd')) found.passedOver.push(project);
      return;
    }
    const words = causeText(cause).replace(/^scandir /, 'open ');
    found.faults.push(new AszError('SOURCE', `claudecode: read ${project}: ${words}`, { cause }));
    return;
  }
  for (const { name, path, type } of entries) {
    if (type === 'directory' && isSessionId(name)) {
      searchSession(root, path, found);
      continue;
    }
    const location = locate(path);
    if (location !== undefined) found.take(location);
    // A session's directory behind a link is not looked into.
    else if (type === 'link' && isSessionId(name)) found.passedOver.push(path);
    // Early clients left children beside the main transcript; their session stands only inside the file.
    else if (type !== 'directory' && /^agent-.*\.jsonl$/s.test(name)) found.passedOver.push(path);
  }
}

function searchSession(root: string, session: string, found: Findings): void {
  searchAgents(root, `${session}/subagents`, found);
  const runs = `${session}/subagents/workflows`;
  for (const { path, type } of listIfReadable(root, runs, found)) {
    if (type !== 'directory') continue;
    if (locate(`${path}/journal.jsonl`) === undefined) found.refusedRuns.add(path);
    searchAgents(root, path, found);
  }
  for (const { name, path, type } of listIfReadable(root, `${session}/workflows`, found))
    found.consider(path, type !== 'directory' && name.startsWith('wf_') && name.endsWith('.json'));
  for (const { path } of listIfReadable(root, `${session}/workflows/scripts`, found))
    found.consider(path, false);
}

/** A directory of children; a run's also holds its journal. */
function searchAgents(root: string, folder: string, found: Findings): void {
  const refused = found.refusedRuns.has(folder);
  for (const { name, path, type } of listIfReadable(root, folder, found))
    found.consider(
      path,
      type !== 'directory' && (name.startsWith('agent-') || (refused && name === 'journal.jsonl')),
    );
}

type EntryType = 'directory' | 'link' | 'other';

interface Listed {
  readonly name: string;
  /** Relative to the source root. */
  readonly path: string;
  readonly type: EntryType;
}

class Findings {
  readonly faults: Error[] = [];
  readonly passedOver: string[] = [];
  /** Links in place of directories, among those. */
  readonly links: string[] = [];
  /** Directories of runs whose name may not become a directory of ours. */
  readonly refusedRuns = new Set<string>();
  readonly #sessions = new Map<string, { primary: string; directories: string[]; sources: Source[] }>();

  /**
   * Whatever stands where a source would is one: should it be a link, a pipe or a directory, it fails in its turn,
   * by name, and is never opened.
   */
  take({ session: id, directory, isMain, source }: SourceLocation): void {
    const session = this.#sessions.get(id) ?? { primary: '', directories: [], sources: [] };
    this.#sessions.set(id, session);
    session.sources.push(source);
    if (session.directories.at(-1) !== directory) session.directories.push(directory);
    if (isMain && session.primary === '') session.primary = directory;
  }

  /** A file that is a source, or else, when `looksLikeOne`, is named as passed over. */
  consider(path: string, looksLikeOne: boolean): void {
    const location = locate(path);
    if (location !== undefined) this.take(location);
    else if (looksLikeOne) this.passedOver.push(path);
  }

  discovery(): Discovery {
    const sessions: DiscoveredSession[] = [...this.#sessions].map(([id, session]) => ({ id, ...session }));
    // This order decides the sequence numbers: main transcript, children, runs, scripts, manifests.
    for (const { sources } of this.#sessions.values())
      sources.sort((a, b) => compareCodePoints(a.relativePath, b.relativePath));
    return {
      sessions: sessions.sort((a, b) => compareCodePoints(a.id, b.id)),
      faults: this.faults,
      passedOver: this.passedOver,
    };
  }
}

function list(root: string, folder: string): Listed[] {
  const entries = readdirSync(join(root, folder), { withFileTypes: true }).sort(byName);
  return entries.map((entry) => {
    const path = `${folder}/${entry.name}`;
    return { name: entry.name, path, type: typeOf(entry) };
  });
}

/**
 * Inside a session a directory that is missing or unreadable is skipped without a word (dialect spec 2.3), and a link
 * in its place is named: behind it might be anything.
 */
function listIfReadable(root: string, folder: string, found: Findings): Listed[] {
  if (found.links.some((link) => folder.startsWith(`${link}/`))) return [];
  try {
    if (!lstatSync(join(root, folder)).isSymbolicLink()) return list(root, folder);
    found.links.push(folder);
    found.passedOver.push(folder);
  } catch {
    // As above.
  }
  return [];
}

function typeOf(entry: Dirent): EntryType {
  if (entry.isDirectory()) return 'directory';
  return entry.isSymbolicLink() ? 'link' : 'other';
}

function byName(a: Dirent, b: Dirent): number {
  return compareCodePoints(a.name, b.name);
}
