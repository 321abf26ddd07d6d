/**
 * Whether a landed file stands where it landed. Rounds bind the digests of files as a set (storage spec 4), so only
 * its header tells that a file stands under another's sequence, in another's stream or in another session: it is
 * whole, and what is said of its place is not so.
 */
import { kindOfPrefix } from '../format/landed-name.js';
import type { SdHeaderRead } from '../format/session-data.js';
import type { LandedFile } from './storage-root.js';

/** In place of the digest of a file that stands where it did not land: no round is bound to it there. */
export const NO_DIGEST = '';

type Place = Pick<LandedFile, 'seq' | 'kindPrefix' | 'stream' | 'batch'>;

/** What a header says of its file's place that the place does not, each as words; empty for a file that fits. */
export function misplaced(header: SdHeaderRead, file: Place, session: string): string[] {
  const found: string[] = [];
  if (header.session !== session) found.push(`it belongs to session ${JSON.stringify(header.session)}`);
  if (header.seq !== 0 && header.seq !== file.seq) found.push(`it was landed as sequence ${header.seq}`);
  if (header.kind !== kindOfPrefix(file.kindPrefix)) found.push(`it holds ${JSON.stringify(header.kind)}`);
  if (file.stream !== '' && header.stream !== '' && header.stream !== file.stream)
    found.push(`it belongs to stream ${JSON.stringify(header.stream)}`);
  if (file.batch !== '' && header.batch !== '' && header.batch !== file.batch)
    found.push(`it belongs to run ${JSON.stringify(header.batch)}`);
  return found;
}
