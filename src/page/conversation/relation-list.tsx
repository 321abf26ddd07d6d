/** Every relation of the conversation, in the order they happened. */
import { computed } from '@preact/signals';
import type { Relation } from '../../format/view-document.js';
import { endWords, isKnown } from '../model/inspect.js';
import { VirtualRows } from '../shared/virtual-rows.js';
import { Word } from '../shared/word.js';
import { meaning } from './glossary.js';
import { goTo } from './moves.js';
import { outline } from './state.js';

const rows = computed(() =>
  outline.value.document.relations.map((relation, i) => ({ key: `${i}`, relation })),
);

export function RelationList() {
  if (rows.value.length === 0) return <p class="muted pad">No relation is known.</p>;
  return (
    <VirtualRows
      rows={rows.value}
      of="relations"
      estimate={usualHeight}
      draw={({ relation }) => <RelationRow relation={relation} />}
      sought={undefined}
      label="Relations"
      class="relation-list"
    />
  );
}

const usualHeight = () => 46;

function RelationRow({ relation: { type, from, to, quality, via } }: { readonly relation: Relation }) {
  return (
    <div class="relation-row">
      <End id={from} /> <Word word={type} meaning={meaning(type)} /> <End id={to} />
      <div class="muted">
        <Word word={quality} meaning={meaning(quality)} />
        {via === undefined ? '' : ` · ${via}`}
      </div>
    </div>
  );
}

function End({ id }: { readonly id: string }) {
  return isKnown(outline.value, id) ? (
    <button type="button" class="link-button" title={id} onClick={() => goTo(id)}>
      {endWords(outline.value, id)}
    </button>
  ) : (
    <code>{id}</code>
  );
}
