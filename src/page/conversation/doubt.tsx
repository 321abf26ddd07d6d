/** The mark of what rests on a round that is not verified. */
import type { ViewNode } from '../../format/view-document.js';
import { doubtedBy, doubtOf } from '../model/doubt.js';
import { outline } from './state.js';

/** On a step, a talk or a run; nothing when what it rests on is verified. */
export function Doubt({ node }: { readonly node: ViewNode }) {
  const round = doubtOf(outline.value.document, node);
  return round === undefined ? null : (
    <span class="badge warn" title={`Round ${round} is not verified: the problems say why`}>
      its evidence is in doubt (round {round})
    </span>
  );
}

/** On a landed file. */
export function FileDoubt({ seq }: { readonly seq: number }) {
  const round = doubtedBy(outline.value.document, seq);
  return round === undefined ? null : (
    <span class="badge warn" title={`Round ${round} is not verified: the problems say why`}>
      not what round {round} bound, or one of them
    </span>
  );
}
