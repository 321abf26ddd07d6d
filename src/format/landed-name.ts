/**
 * Names of landed files: what kind of evidence, when its pass began, and the sequence that orders it.
 *
 *     transcript-20260301T090000.000000000Z-000001.sd
 *     <prefix>  -<stamp: UTC, nine fraction digits> -<seq, six digits or more>.sd
 *
 * The sequence alone orders files and is what positions name; stamp and prefix are for people and for filters.
 * Source: storage spec 1.1, dialect spec 1.2.
 */
import { FormatError } from './errors.js';

/** Where under its session a kind lies: `streams/<stream>/`, `runs/<batch>/`, or `provider_body/`. */
export type LandedPlace = 'streams' | 'runs' | 'provider_body';

/** One kind of landed file. Its prefix names its files and their cursor. */
export interface LandedKind {
  readonly kind: string;
  readonly prefix: string;
  readonly place: LandedPlace;
}

/**
 * The kinds asz knows. The last three are evidence that others land: read, and set aside from structure.
 * Three prefixes are shorter than their kind.
 */
export const LANDED_KINDS: readonly LandedKind[] = [
  { kind: 'transcript', prefix: 'transcript', place: 'streams' },
  { kind: 'agent_meta', prefix: 'meta', place: 'streams' },
  { kind: 'journal', prefix: 'journal', place: 'runs' },
  { kind: 'workflow_manifest', prefix: 'manifest', place: 'runs' },
  { kind: 'workflow_script', prefix: 'script', place: 'runs' },
  { kind: 'changes', prefix: 'changes', place: 'streams' },
  { kind: 'execution', prefix: 'execution', place: 'streams' },
  { kind: 'provider_body', prefix: 'provider_body', place: 'provider_body' },
];

/** The table's row for a header's `kind`. Throws `FormatError` for a kind nobody may land. */
export function landedKind(kind: string): LandedKind {
  const row = LANDED_KINDS.find((known) => known.kind === kind);
  if (row === undefined) throw new FormatError(`sessiondata: no file name for kind ${JSON.stringify(kind)}`);
  return row;
}

/** The kind a file's prefix stands for; the prefix itself when nobody knows it. */
export function kindOfPrefix(prefix: string): string {
  return LANDED_KINDS.find((known) => known.prefix === prefix)?.kind ?? prefix;
}

/** `stamp` as `formatStamp` writes it; `seq` from 1. */
export function landedName(prefix: string, stamp: string, seq: number): string {
  return `${prefix}-${stamp}-${String(seq).padStart(6, '0')}.sd`;
}

const LANDED_NAME = /-(\d{6,})\.sd$/;

/**
 * Reads a file's base name; `undefined` when it is no landed name.
 * Throws `FormatError` for a sequence beyond 2^53 - 1: its position could not be told from its neighbour's.
 */
export function readLandedName(name: string): { readonly prefix: string; readonly seq: number } | undefined {
  const match = LANDED_NAME.exec(name);
  if (match === null) return undefined;
  const seq = Number(match[1]);
  if (!Number.isSafeInteger(seq))
    throw new FormatError(
      `storage: landed file ${name}: its sequence is larger than ${Number.MAX_SAFE_INTEGER}`,
    );
  return { prefix: name.slice(0, name.indexOf('-')), seq };
}
