/** The agent's own words for the model's, and what fields of a record hold; nothing where no server knows them. */
import { signal } from '@preact/signals';
import { explained } from '../model/kind-words.js';
import { ApiError, askJson } from '../shared/api.js';

interface Term {
  readonly native: string;
  readonly where: string;
  readonly note: string;
}

interface Glossary {
  readonly dialect: string;
  readonly terms: ReadonlyMap<string, Term>;
  readonly fields: ReadonlyMap<string, string>;
}

const glossary = signal<Glossary | undefined>(undefined);

export async function loadGlossary(): Promise<void> {
  try {
    const { dialect, terms, fields } = await askJson<{
      readonly dialect: string;
      readonly terms: Readonly<Record<string, Term>>;
      readonly fields: Readonly<Record<string, string>>;
    }>('/api/glossary');
    glossary.value = {
      dialect,
      terms: new Map(Object.entries(terms)),
      fields: new Map(Object.entries(fields)),
    };
  } catch (cause) {
    // A root without a known dialect has none; the page does without.
    if (!(cause instanceof ApiError)) throw cause;
  }
}

/** What a word of the document means, and what the agent calls it; `undefined` when neither is known. */
export function meaning(word: string): string | undefined {
  const term = glossary.value?.terms.get(word);
  const native =
    term === undefined || term.native === ''
      ? undefined
      : `${glossary.value!.dialect}: ${term.native}${term.where === '' ? '' : `, ${term.where}`}${term.note === '' ? '' : ` (${term.note})`}`;
  const words = [explained(word), native].filter((part) => part !== undefined);
  return words.length === 0 ? undefined : words.join(' — ');
}

/** What a field of a landed record holds. */
export function fieldMeaning(name: string): string | undefined {
  return glossary.value?.fields.get(name);
}
