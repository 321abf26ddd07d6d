/** Where landed files are cut changes nothing of what they say (scenario spec 10). */
import { mkdirSync } from 'node:fs';
import { parseTime } from '../../format/time.js';
import { type RepackedSession, repackSession } from '../../repack/repack-session.js';
import { type CheckedRoot, inRoot } from './checked-root.js';
import { foldDifferences, landedEntries, recordDifferences } from './compare.js';

/** Another day than the one on which the files landed: a time may only be in a state file. */
const REPACKED_AT = parseTime('2026-01-02T00:00:00Z');

/** Cut anew with one record a file, the session has the same records and gives the same conversation. */
export async function repackKeepsStructure(root: CheckedRoot): Promise<string[]> {
  const entries = landedEntries(root.root, root.session);
  if (entries.length === 0) return [];
  return inRoot(root.beside('repack'), async (twin) => {
    const { session } = root;
    mkdirSync(twin.root);
    const cut = repackSession({
      ...{ root: root.root, destination: twin.root, session },
      budgetBytes: 1,
      now: REPACKED_AT,
    });
    await twin.parse();
    return [
      ...cutDifferences(cut),
      ...recordDifferences(entries, landedEntries(twin.root, session)),
      ...foldDifferences(root.fold(), twin.fold()),
    ];
  });
}

function cutDifferences({ filesIn, filesOut, records }: RepackedSession): string[] {
  const isCut = filesOut > filesIn || records === filesIn;
  return isCut
    ? []
    : [`${filesIn} files of ${records} records are ${filesOut} files under a budget of one byte`];
}
