/** The words of a root's agents for the model's words, for the page (view spec 7.4). */
import { adapterOfDialect } from '../adapters/registry.js';
import { AszError } from '../format/errors.js';
import { compareCodePoints } from '../format/json-text.js';
import { readLandedHeader } from '../io/landed-file.js';
import { isPathSegment } from '../io/path-segment.js';
import { listLandedFiles, listSessions, sessionFolder } from '../io/storage-root.js';

/** What a landed record's fields hold. */
const FIELDS: Readonly<Record<string, string>> = {
  ord: 'line of the source, from 1',
  off: 'byte offset of that line in the source',
  sha: 'first 12 hex digits of the SHA-256 of the source bytes',
  bytes: 'size of the source bytes, or of a part',
  id: 'the record, or the call of a part',
  parent: 'the record it follows',
  call: 'the call to the model it is a fragment of',
  run: 'the cycle of the agent it belongs to',
  continues: 'the record it goes on from after a reset',
  tool: 'the tool use it is about',
  child: 'the child agent it is about',
  batch: 'the workflow run it is about',
  label: 'a name somebody gave',
  started_by: 'the stream that started a child',
  from: 'who speaks',
  time: 'when it happened, in the words of the runtime',
  trigger: 'what set a cycle off',
  flags: 'what a record says about itself',
  usage: 'tokens a call took',
  model: 'the model that answered',
  parts: 'the content, piece by piece',
  dropped: 'what was understood and not carried, and why',
};

/** `undefined` when no session of the root is in a dialect that is known, or the one asked for is not. */
export function glossaryOf(root: string, wanted: string | null): unknown {
  const dialects = dialectsOf(root);
  const dialect = wanted ?? dialects[0];
  const adapter = dialect === undefined ? undefined : adapterOfDialect(dialect);
  if (adapter === undefined) return undefined;
  const terms = adapter.glossary.map(({ unified, native, where, note = '' }) => [
    unified,
    { native, where, note },
  ]);
  return { dialect, dialects, terms: Object.fromEntries(terms), fields: FIELDS };
}

/** The known dialects of the sessions, by name. */
function dialectsOf(root: string): string[] {
  const found = new Set<string>();
  for (const session of listSessions(root).filter(isPathSegment)) {
    const dialect = dialectOf(root, session);
    if (adapterOfDialect(dialect) !== undefined) found.add(dialect);
  }
  return [...found].sort(compareCodePoints);
}

/** The header of a session's first transcript says it, else that of its first file. */
function dialectOf(root: string, session: string): string {
  try {
    const files = listLandedFiles(sessionFolder(root, session));
    const file = files.find(({ kindPrefix }) => kindPrefix === 'transcript') ?? files[0];
    return file === undefined ? '' : readLandedHeader(file.path).dialect;
  } catch (cause) {
    if (cause instanceof AszError) return ''; // A damaged session has no words of its own here; verify names it.
    throw cause;
  }
}
