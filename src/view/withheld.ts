/**
 * What a copy of a document may be asked not to show (view spec 7.6): the words of records that carry one of these
 * flags. Nothing that shows a session asks the flags itself; it asks here.
 */
import { UsageError } from '../format/errors.js';

export const WITHHOLDABLE: readonly string[] = ['system_prompt', 'tool_schemas'];

/** The names withheld from one copy, and how much each took away. */
export class Withheld {
  readonly names: ReadonlySet<string>;
  readonly #counts = new Map<string, number>();
  /** Labels that landed records give, and whether one of them is withheld. */
  readonly #labels = new Map<string, boolean>();

  /** Throws `UsageError` for a name that nothing is withheld by. */
  constructor(names: Iterable<string> = []) {
    for (const name of names)
      if (!WITHHOLDABLE.includes(name))
        throw new UsageError(
          `view: hide names ${JSON.stringify(name)}; the page can withhold ${WITHHOLDABLE.join(' and ')}`,
        );
    this.names = new Set(names);
  }

  /** Whether the words of a record with these flags are withheld. */
  hides(flags: readonly string[]): boolean {
    return this.names.size > 0 && flags.some((flag) => this.names.has(flag));
  }

  /** As `hides`, for a step, which is counted. */
  hidesStep(flags: readonly string[]): boolean {
    for (const name of this.names)
      if (flags.includes(name)) this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1);
    return this.hides(flags);
  }

  /** Takes note of a landed record's label. */
  seeLabel({ label, flags }: { readonly label: string; readonly flags: readonly string[] }): void {
    if (label !== '') this.#labels.set(label, this.#labels.get(label) === true || this.hides(flags));
  }

  /**
   * Whether a title or label of the fold is withheld. The fold does not say which record it comes from; so, while
   * anything is withheld, it is shown when a landed record gives it and none that is withheld does.
   */
  hidesLabel(label: unknown): boolean {
    return this.names.size > 0 && label !== '' && this.#labels.get(label as string) !== false;
  }

  /** How many steps each name took away, by name. */
  get counts(): readonly (readonly [string, number])[] {
    return WITHHOLDABLE.flatMap((name) => {
      const count = this.#counts.get(name);
      return count === undefined ? [] : [[name, count] as const];
    });
  }

  /** One text for one set of names. */
  get key(): string {
    return [...this.names].sort().join(',');
  }
}

/** Whether a record was put there by the program around the agent, and is nobody's words. */
export function isMachinery(flags: readonly string[]): boolean {
  return flags.some((flag) => WITHHOLDABLE.includes(flag));
}
