/** Two roots that hold the same records under other sequences, made comparable. */
import { dirname, join } from 'node:path';
import { readLandedName } from '../../src/format/landed-name.js';
import { isClosing } from '../../src/format/session-data.js';
import { chainOf, entitiesOf, indexOf } from '../vectors/in-memory.js';
import type { Vector } from '../vectors/landed-root.js';

/** The record lines of a session as bytes, one a character, by directory and kind, in landed order: each with what its header says. */
export function recordsOf(vector: Vector): Map<string, string[]> {
  const slots = new Map<string, string[]>();
  for (const { slot, header, records } of bodiesOf(vector)) {
    const words = header.replace(/"seq":\d+,"at":"[^"]*",/, '');
    slots.set(slot, [...(slots.get(slot) ?? []), ...records.map((line) => `${words}\n${line}`)]);
  }
  return new Map([...slots].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** What one full assembly says of a session, with every landed position replaced by whose record it is. */
export async function structureOf(vector: Vector): Promise<string[]> {
  const places = new Map<string, string>();
  const counts = new Map<string, number>();
  for (const { slot, seq, records } of bodiesOf(vector))
    for (let row = 1; row <= records.length; row++) {
      const nth = (counts.get(slot) ?? 0) + 1;
      counts.set(slot, nth);
      places.set(`${seq}.${row}`, `${slot} #${nth}`);
    }
  const placed = (whole: string, seq: string, row: string) => places.get(`${seq}.${row}`) ?? whole;
  const { fold } = await chainOf(indexOf(vector));
  return entitiesOf(fold)
    .map((entity) =>
      entity
        .replace(/"seq":(\d+),"row":(\d+)/g, (whole, seq, row) => `"at":"${placed(whole, seq, row)}"`)
        .replace(/"(?:refs|evidence)":\[[^\]]*\]/g, sortedList)
        .replace(/"row":(\d+),"seq":(\d+)/g, (whole, row, seq) => `"at":"${placed(whole, seq, row)}"`)
        .replace(POSITION_IN_ID, (whole, kind, seq, row) => `${kind}(${placed(whole, seq, row)})`)
        // Rounds are numbered and cut by the budget alone.
        .replace(/"revision":\d+/, ''),
    )
    .sort();
}

/** Ids that are made of a position; inside another id the slashes are underscores. */
const POSITION_IN_ID = /(?<![a-z.])([a-z.]+)[/_](\d+)[/_](\d+)(?![\d-])/g;

/** What was observed more than once is listed in landed order, which is what differs. */
function sortedList(list: string): string {
  return list.replace(/\{[^}]*\}(?:,\{[^}]*\})*/, (items) =>
    items
      .split(/(?<=\}),/)
      .sort()
      .join(','),
  );
}

/**
 * Whether the files of each place land one after the other, so that a repack keeps the order of all records. Where it
 * does not, what follows landed order across places may change: which of two copies counts, which of two titles.
 */
export function keepsOrder(vector: Vector): boolean {
  const slots = bodiesOf(vector).map(({ slot }) => slot);
  const changes = slots.filter((slot, i) => slot !== slots[i - 1]).length;
  return changes === new Set(slots).size;
}

function bodiesOf({ files }: Vector): { slot: string; seq: number; header: string; records: string[] }[] {
  return [...files]
    .sort((a, b) => a.seq - b.seq)
    .map(({ path, seq, content }) => {
      const lines = content.toString('latin1').split('\n');
      const { prefix } = readLandedName(path.slice(path.lastIndexOf('/') + 1))!;
      return {
        slot: join(dirname(path), prefix),
        seq,
        header: lines[0]!,
        records: lines.slice(1, lines.findIndex(isClosing)),
      };
    });
}
