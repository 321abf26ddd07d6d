import { StorageError } from '../format/errors.js';
import { compareCodePoints } from '../format/json-text.js';
import { directoryEntries } from './directory-entries.js';

/**
 * Names that some disks take for one: they differ by case, or by the Unicode form of their characters, alone. Two ids
 * like that would be two directories here and one there, and a root that is carried over would mix two sessions. So
 * the name that came first stands, and the second is refused.
 */
export class Twins {
  readonly #names = new Map<string, string>();

  /** `present`: names that are there already, of which every one stands. */
  constructor(present: Iterable<string> = []) {
    for (const name of present) if (!this.#names.has(keyOf(name))) this.#names.set(keyOf(name), name);
  }

  /** Of the sessions in a storage root, which need not be there yet. */
  static among(root: string): Twins {
    const directories = directoryEntries(root).filter((entry) => entry.isDirectory());
    return new Twins(directories.map(({ name }) => name).sort(compareCodePoints));
  }

  /** The name that was there first and differs from this one by case or form alone; else this one is now there. */
  firstOf(name: string): string | undefined {
    const key = keyOf(name);
    const first = this.#names.get(key);
    if (first === undefined) this.#names.set(key, name);
    return first === name ? undefined : first;
  }

  /** Throws `StorageError` for a name with such a first. */
  claim(name: string): void {
    const first = this.firstOf(name);
    if (first !== undefined) throw new StorageError(twinWords(name, first));
  }
}

export function twinWords(name: string, first: string): string {
  return `storage: ${JSON.stringify(name)} differs only by case or Unicode form from ${JSON.stringify(first)}, which came first; a disk may take both for one`;
}

/** Back and forth: some letters have two lower-case forms, and some upper-case forms are two letters. */
function keyOf(name: string): string {
  return name.normalize('NFC').toLowerCase().toUpperCase().toLowerCase().normalize('NFC');
}
