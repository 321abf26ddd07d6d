/**
 * What of a conversation is shown. A filter decides node by node: hiding a tool hides neither the call that asked for
 * it nor the words beside it (view spec 12.3).
 */
import type { ViewNode } from '../../format/view-document.js';

export interface Filter {
  /** Only these kinds; `undefined`: all. */
  readonly only: ReadonlySet<string> | undefined;
  /** None of these. */
  readonly without: ReadonlySet<string>;
  /** Only what failed. */
  readonly failed: boolean;
}

export const EVERYTHING: Filter = { only: undefined, without: new Set(), failed: false };

/** Kinds by what they are to a reader. */
export const TYPED = 'message.external';
export const TOOL_KINDS: ReadonlySet<string> = new Set(['tool', 'agent.call', 'agent.launch_ack']);

export type PresetName = 'everything' | 'typed' | 'no-tools' | 'failures';

export const PRESETS: readonly {
  readonly name: PresetName;
  readonly label: string;
  readonly filter: Filter;
}[] = [
  { name: 'everything', label: 'Everything', filter: EVERYTHING },
  { name: 'typed', label: 'Only what the person typed', filter: { ...EVERYTHING, only: new Set([TYPED]) } },
  { name: 'no-tools', label: 'Hide tools', filter: { ...EVERYTHING, without: TOOL_KINDS } },
  { name: 'failures', label: 'Failures', filter: { ...EVERYTHING, failed: true } },
];

/** A call that failed, or an error of the provider. What nobody said failed did not. */
export function isFailure(node: ViewNode): boolean {
  return node.failed === true || node.kind === 'error.api';
}

export function shows(filter: Filter, node: ViewNode): boolean {
  return showsKind(filter, node.kind) && (!filter.failed || isFailure(node));
}

export function showsKind({ only, without }: Filter, kind: string): boolean {
  return (only === undefined || only.has(kind)) && !without.has(kind);
}

/** Whether what is shown is picked out, so that it is laid open and the rest goes; hiding alone leaves folds be. */
export function picksOut(filter: Filter): boolean {
  return filter.only !== undefined || filter.failed;
}

/** The same filter with one kind shown or hidden. */
export function withKind(filter: Filter, kind: string, shown: boolean): Filter {
  if (filter.only !== undefined) {
    const only = new Set(filter.only);
    if (shown) only.add(kind);
    else only.delete(kind);
    return { ...filter, only };
  }
  const without = new Set(filter.without);
  if (shown) without.delete(kind);
  else without.add(kind);
  return { ...filter, without };
}

/** The preset that a filter is, if it is one. */
export function presetOf(filter: Filter): PresetName | undefined {
  return PRESETS.find((preset) => sameFilter(preset.filter, filter))?.name;
}

function sameFilter(a: Filter, b: Filter): boolean {
  return a.failed === b.failed && sameSet(a.only, b.only) && sameSet(a.without, b.without);
}

function sameSet(a: ReadonlySet<string> | undefined, b: ReadonlySet<string> | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  return a.size === b.size && [...a].every((word) => b.has(word));
}
