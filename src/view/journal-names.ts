/**
 * Names for child streams that nothing else names: what a workflow's journal says the child returned
 * (view spec 3.6).
 */
import type { RecordGlance } from '../format/record-glance.js';
import { isObject, type Members, objectsIn } from './record-text.js';
import { clipped, collapsed } from './text-rules.js';
import type { Withheld } from './withheld.js';

const MAX_NAME_BYTES = 160;

export class JournalNames {
  readonly #withheld: Withheld;
  readonly #names = new Map<string, string>();

  constructor(withheld: Withheld) {
    this.#withheld = withheld;
  }

  /** Takes the name a record of a run gives its child. The first usable one stays. */
  see(record: RecordGlance): void {
    if (record.child === '' || this.#names.has(record.child) || this.#withheld.hides(record.flags)) return;
    for (const object of objectsIn(record, 'result', isResult)) {
      const name = isObject(object.result) ? collapsed(nameIn(object.result)) : '';
      if (name === '') continue;
      const cut = clipped(name, MAX_NAME_BYTES);
      this.#names.set(record.child, cut === name ? name : `${cut}…`);
      return;
    }
  }

  /** Empty when no journal names the stream. */
  of(stream: string): string {
    return this.#names.get(stream) ?? '';
  }
}

function isResult({ type }: Members): boolean {
  return type === 'result';
}

function nameIn({ surface, summary, verdict, refuted_claims: claims }: Members): string {
  for (const name of [surface, summary]) if (typeof name === 'string' && name !== '') return name;
  if (typeof verdict !== 'string' || verdict === '') return '';
  const [first] = Array.isArray(claims) ? (claims as unknown[]) : [];
  const claim = isObject(first) && typeof first.claim === 'string' ? first.claim : '';
  return claim === '' ? verdict : `${verdict} · ${claim}`;
}
