import { compareCodePoints } from '../format/json-text.js';
import { directoryEntries } from '../io/directory-entries.js';
import { Twins } from '../io/twins.js';
import { Misfit } from './record-values.js';

/** The names in a folder, whatever they name; another writer may add some at any time. */
export class ClaimedNames {
  readonly #folder: string;
  readonly #known = new Set<string>();
  readonly #twins = new Twins();

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Throws `Misfit` for a name with a twin. One that was there at an earlier look has none. */
  claim(name: string): void {
    if (this.#known.has(name)) return;
    const added = directoryEntries(this.#folder).flatMap((entry) =>
      this.#known.has(entry.name) ? [] : [entry.name],
    );
    for (const other of added.sort(compareCodePoints))
      if (this.#twins.firstOf(other) === undefined) this.#known.add(other);
    const first = this.#twins.firstOf(name);
    if (first !== undefined)
      throw new Misfit(`${JSON.stringify(first)} is there, which some disk takes for the same name`);
  }
}
