/**
 * What a disk holds for certain while a program writes to it, and what a power cut leaves of the rest.
 *
 * POSIX promises little: the bytes of a file are those of its last `fsync`, and a name in a folder is as it was at
 * the folder's last `fsync`. Anything later may have reached the disk or not, each file and each name for itself and
 * in no order. `lose` acts out the worst of it, everything later is gone; `lose` with a source of chance draws for
 * each name one of the states it has been in, and for each file its old bytes, its new ones, a part of them, or as
 * many zeros. What no file system does is not drawn: a name that was moved or replaced never leads to nothing in
 * between, and what was synced stays.
 *
 * Symbolic links do not occur: asz makes none.
 */
import fs from 'node:fs';
import { basename, dirname, join, relative, sep } from 'node:path';
import type { Random } from '../random.js';

interface File {
  /** As of its last `fsync`; `undefined` before the first. */
  synced: { readonly bytes: Buffer; readonly mode: number } | undefined;
}

interface Folder {
  /** The names as the program sees them. */
  readonly names: Map<string, Node>;
  /** The names as of its last `fsync`. */
  synced: Map<string, Node>;
  /** What a name has led to since then, one after the other. */
  readonly since: Map<string, (Node | undefined)[]>;
}

type Node = File | Folder;

// The calls as they were before anything was put in their place.
const { lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } = fs;

export class DurableDisk {
  readonly #top: string;
  #tree: Folder;

  /** All that is below `top` is taken to be on the disk. */
  constructor(top: string) {
    this.#top = top;
    this.#tree = readTree(top);
  }

  holds(path: string): boolean {
    return path === this.#top || path.startsWith(this.#top + sep);
  }

  /** Has a name that is there be one that was never synced, as a killed process leaves it. */
  unsynced(path: string): void {
    const folder = this.#nodeAt(dirname(path)) as Folder;
    folder.synced.delete(basename(path));
    folder.since.set(basename(path), [folder.names.get(basename(path))]);
  }

  // ---- what the program did, told after each call that succeeded ----

  opened(path: string): void {
    if (this.#nodeAt(path) === undefined) this.#name(path, { synced: undefined });
  }

  synced(path: string): void {
    const node = this.#nodeAt(path);
    if (node === undefined) return; // unlinked meanwhile
    if (isFolder(node)) {
      node.synced = new Map(node.names);
      node.since.clear();
    } else node.synced = { bytes: readFileSync(path), mode: lstatSync(path).mode };
  }

  madeFolder(path: string): void {
    if (this.#nodeAt(path) !== undefined) return;
    if (path !== this.#top) this.madeFolder(dirname(path));
    this.#name(path, emptyFolder());
  }

  linked(from: string, to: string): void {
    this.#name(to, this.#nodeAt(from));
  }

  moved(from: string, to: string): void {
    const node = this.#nodeAt(from);
    this.#name(to, node);
    this.#name(from, undefined);
  }

  removed(path: string): void {
    if (this.#nodeAt(path) !== undefined) this.#name(path, undefined);
  }

  // ---- the power cut ----

  /** Puts the disk into a state it may be found in: all that was not synced is gone, or, by chance, some of it. */
  lose(chance?: Random): void {
    const present = new Map<Node, string>();
    visit(this.#tree, this.#top, (node, path) => present.set(node, path));
    const bytesNow = (file: File) => {
      const path = present.get(file);
      return path === undefined ? undefined : readFileSync(path);
    };
    const left = survivors(this.#tree, bytesNow, chance);
    for (const name of readdirSync(this.#top)) rmSync(join(this.#top, name), { recursive: true });
    write(left, this.#top);
    this.#tree = readTree(this.#top);
  }

  #nodeAt(path: string): Node | undefined {
    let node: Node | undefined = this.#tree;
    for (const name of relative(this.#top, path).split(sep)) {
      if (name === '') continue;
      if (node === undefined || !isFolder(node)) return undefined;
      node = node.names.get(name);
    }
    return node;
  }

  #name(path: string, node: Node | undefined): void {
    const folder = this.#nodeAt(dirname(path));
    if (folder === undefined || !isFolder(folder)) throw new Error(`nobody made ${dirname(path)}`);
    const name = basename(path);
    if (node === undefined) folder.names.delete(name);
    else folder.names.set(name, node);
    folder.since.set(name, [...(folder.since.get(name) ?? []), node]);
  }
}

type Left = { readonly bytes: Buffer; readonly mode: number } | ReadonlyMap<string, Left>;

function survivors(
  node: Node,
  bytesNow: (file: File) => Buffer | undefined,
  chance: Random | undefined,
): Left {
  if (!isFolder(node)) return fileLeft(node, bytesNow(node), chance);
  const left = new Map<string, Left>();
  for (const name of new Set([...node.synced.keys(), ...node.since.keys()])) {
    const states = [node.synced.get(name), ...(node.since.get(name) ?? [])];
    const state = chance === undefined ? states[0] : chance.pick(states);
    if (state !== undefined) left.set(name, survivors(state, bytesNow, chance));
  }
  return left;
}

function fileLeft(file: File, now: Buffer | undefined, chance: Random | undefined): Left {
  const synced = file.synced ?? { bytes: Buffer.alloc(0), mode: 0o600 };
  if (chance === undefined || now === undefined || now.equals(synced.bytes)) return synced;
  const { mode } = synced;
  const part = now.subarray(0, chance(now.length + 1));
  return chance.pick([synced, { bytes: now, mode }, { bytes: part, mode }, { bytes: zeros(now), mode }]);
}

function zeros({ length }: Buffer): Buffer {
  return Buffer.alloc(length);
}

function write(left: Left, path: string): void {
  if ('bytes' in left) writeFileSync(path, left.bytes, { mode: left.mode });
  else {
    mkdirSync(path, { recursive: true });
    for (const [name, of] of left) write(of, join(path, name));
  }
}

function readTree(path: string): Folder {
  const names = new Map<string, Node>();
  for (const entry of readdirSync(path, { withFileTypes: true })) {
    const below = join(path, entry.name);
    if (entry.isDirectory()) names.set(entry.name, readTree(below));
    else names.set(entry.name, { synced: { bytes: readFileSync(below), mode: lstatSync(below).mode } });
  }
  return { names, synced: new Map(names), since: new Map() };
}

function visit(node: Node, path: string, visitor: (node: Node, path: string) => void): void {
  visitor(node, path);
  if (isFolder(node)) for (const [name, below] of node.names) visit(below, join(path, name), visitor);
}

function emptyFolder(): Folder {
  return { names: new Map(), synced: new Map(), since: new Map() };
}

function isFolder(node: Node): node is Folder {
  return 'names' in node;
}
