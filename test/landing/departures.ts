/**
 * How our landed records may differ from the reference's, each by name (docs/departures.md). A predicate gets
 * both records and the source line, and says whether this departure, and nothing else, explains the difference.
 */
import { isDeepStrictEqual } from 'node:util';

// biome-ignore lint/suspicious/noExplicitAny: records of every shape
type Value = any;

interface Difference {
  readonly kind: string;
  readonly want: Value;
  readonly got: Value;
  /** The source's own record; `undefined` when its line is no JSON. */
  readonly source: Value;
}

export const DEPARTURES: Readonly<Record<string, (difference: Difference) => boolean>> = {
  // The sidecar's tool-use id is the record's tool.
  'sidecar-tool': ({ kind, want, got, source }) =>
    kind === 'agent_meta' && got.tool === source.toolUseId && isDeepStrictEqual(without(got, 'tool'), want),

  // One member of an unexpected type no longer hides the whole toolUseResult.
  'mixed-tool-result': ({ want, got, source }) =>
    isPlain(source.toolUseResult) &&
    hasUnexpectedType(source.toolUseResult) &&
    isDeepStrictEqual(withoutEnrichment(got), withoutEnrichment(want)) &&
    (want.flags ?? []).every((flag: string) => got.flags.includes(flag)) &&
    got.flags?.includes('child_result') === (source.toolUseResult.status === 'completed' || undefined) &&
    got.parts
      .filter((part: Value) => part.k === 'result')
      .every((part: Value) => isDeepStrictEqual(part.data, source.toolUseResult)),

  // A file whose earlier content was left out, but which its own patch or type shows to have existed.
  'original-file-null': ({ want, got, source }) => {
    const result = source.toolUseResult;
    const existed = result?.type === 'update' || result?.structuredPatch?.some((h: Value) => h.oldLines > 0);
    if (!existed || (result.originalFile ?? null) !== null) return false;
    const undone = got.parts.map((part: Value) =>
      part.data?.schema === 'changes/1'
        ? {
            ...part,
            bytes: 0,
            data: {
              ...part.data,
              changes: part.data.changes.map((change: Value) => ({
                ...change,
                operation: 'create',
                before: { present: false, bytes: null },
              })),
            },
          }
        : part,
    );
    const wanted = want.parts.map((part: Value) =>
      part.data?.schema === 'changes/1' ? { ...part, bytes: 0 } : part,
    );
    const hasPatch = result.structuredPatch?.length > 0;
    return isDeepStrictEqual(
      { ...got, parts: undone },
      { ...want, parts: hasPatch ? wanted : wanted.filter((p: Value) => p.data?.schema !== 'changes/1') },
    );
  },

  // A member of an unexpected type no longer makes the whole line unknown.
  'field-by-field': ({ want, source }) =>
    isPlain(source) && want.parts?.[0]?.text === 'the record is not valid JSON',
};

/** The names of the departures that explain a difference. */
export function explain(difference: Difference): string[] {
  return Object.entries(DEPARTURES)
    .filter(([, explains]) => explains(difference))
    .map(([name]) => name);
}

function without(object: Value, key: string): Value {
  const { [key]: _, ...rest } = object;
  return rest;
}

function withoutEnrichment(record: Value): Value {
  const flags = (record.flags ?? []).filter((f: string) => f !== 'child_result' && f !== 'launch_ack');
  const parts = (record.parts ?? [])
    .filter((part: Value) => part.data?.schema !== 'changes/1')
    .map((part: Value) => (part.k === 'result' ? without(part, 'data') : part));
  return { ...record, flags, parts };
}

/** Members the reference reads as text, number or list of their own, and which this client wrote otherwise. */
function hasUnexpectedType(result: Value): boolean {
  return (
    ('content' in result && result.content !== null && typeof result.content !== 'string') ||
    ('status' in result && result.status !== null && typeof result.status !== 'string') ||
    ('type' in result && result.type !== null && typeof result.type !== 'string')
  );
}

function isPlain(value: Value): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
