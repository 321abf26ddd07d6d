/** From step to step along what hangs together: relations and children, and the way back. */
import type { Edge } from '../../format/view-document.js';
import { isKnown } from '../model/inspect.js';
import { goTo, openStream } from './moves.js';
import { outline, said, selected, selectedNode, stream } from './state.js';

/** A step that `]` or Enter led away from, and where they led. */
interface Leap {
  readonly from: string;
  readonly stream: string;
  readonly selected: string | null;
}
const leaps: Leap[] = [];

/** `[` leads back while the reader stands where the leap ended. */
function leap(go: () => void): void {
  const from = selected.value;
  go();
  if (from !== null && selected.value !== from)
    leaps.push({ from, stream: stream.value, selected: selected.value });
}

/** Along the first relation that leads from what is selected. */
export function relationOn(): void {
  const edge = firstRelation('out');
  if (edge === undefined) said.value = 'No relation leads from here';
  else leap(() => goTo(edge.other));
}

/** To where the reader came from; else against the first relation that leads here, or out of a child. */
export function relationBack(): void {
  const last = leaps.at(-1);
  if (
    last?.stream === stream.value &&
    last.selected === selected.value &&
    isKnown(outline.value, last.from)
  ) {
    leaps.pop();
    goTo(last.from);
    return;
  }
  const opening =
    selected.value === null ? outline.value.streams.get(stream.value)?.opened_by[0]?.step : undefined;
  const back = firstRelation('in')?.other ?? opening;
  if (back === undefined) said.value = 'No relation leads here';
  else goTo(back);
}

function firstRelation(dir: Edge['dir']): Edge | undefined {
  return selectedNode.value?.edges?.find((edge) => edge.dir === dir && isKnown(outline.value, edge.other));
}

/** Into the child that what is selected started; else back, from an output to the call that received it. */
export function diveIn(): void {
  const node = selectedNode.value;
  if (node === undefined) return;
  const [child] = outline.value.startedBy(node);
  const reported = node.edges?.find(({ type, dir }) => type === 'reports' && dir === 'out');
  if (child !== undefined) leap(() => openStream(child.name));
  else if (reported !== undefined) leap(() => goTo(reported.other));
}
