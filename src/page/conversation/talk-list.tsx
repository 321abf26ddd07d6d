/** The talks of a conversation, those of child agents left to the tree of streams. */
import { computed, signal } from '@preact/signals';
import type { ViewNode } from '../../format/view-document.js';
import { ownTalks } from '../model/counts.js';
import { countOf, countText } from '../model/quantity-text.js';
import { firstLine, spokenText } from '../model/spoken-text.js';
import { partsOf } from '../model/talk-parts.js';
import { spanText } from '../model/time-text.js';
import { Time } from '../shared/time.js';
import { VirtualRows } from '../shared/virtual-rows.js';
import { goTo } from './moves.js';
import { counts, outline, selectedNode } from './state.js';
import { TokenCount, usage } from './tokens.js';

const wanted = signal('');
const onlyFailed = signal(false);

interface TalkRow {
  readonly key: string;
  readonly talk: ViewNode;
  readonly failed: number;
}

/** The label or reply holds what is asked for, in any case. */
const rows = computed((): readonly TalkRow[] => {
  const words = wanted.value.trim().toLowerCase();
  const failures = new Map<ViewNode, number>();
  for (const name of new Set(outline.value.document.talks.map(({ stream = '' }) => stream))) {
    for (const passage of outline.value.passagesOf(name)) {
      if (passage.talk !== undefined) failures.set(passage.talk, partsOf(passage).failed);
    }
  }
  return ownTalks(outline.value.document)
    .map((talk, i) => ({ key: `${i}:${talk.id}`, talk, failed: failures.get(talk) ?? 0 }))
    .filter(({ talk: { label = '', reply = '' } }) => `${label}\n${reply}`.toLowerCase().includes(words))
    .filter(({ failed }) => !onlyFailed.value || failed > 0);
});

export function TalkList() {
  const current = selectedNode.value === undefined ? undefined : outline.value.talkOf(selectedNode.value);
  const { length } = rows.value;
  if (counts.value.talks === 0) return <p class="muted pad">No talks: see the stream below.</p>;
  return (
    <>
      <div class="list-head">
        <input
          type="search"
          placeholder="Filter talks"
          aria-label="Filter talks by their words"
          value={wanted.value}
          onInput={(event) => {
            wanted.value = event.currentTarget.value;
          }}
        />
        <label title="Only talks in which something failed">
          <input
            type="checkbox"
            checked={onlyFailed.value}
            onChange={(event) => {
              onlyFailed.value = event.currentTarget.checked;
            }}
          />
          failed
        </label>
        <span class="muted number" role="status">
          {length === counts.value.talks
            ? countOf(length, 'talk')
            : `${countText(length)} of ${countText(counts.value.talks)}`}
        </span>
      </div>
      <VirtualRows
        rows={rows.value}
        of="talks"
        estimate={usualHeight}
        draw={({ talk, failed }) => <TalkItem talk={talk} failed={failed} current={current === talk} />}
        sought={undefined}
        label="Talks"
        class="talk-list"
      />
    </>
  );
}

const LINE = 160;

const usualHeight = () => 74;

function TalkItem({
  talk,
  failed,
  current,
}: {
  readonly talk: ViewNode;
  readonly failed: number;
  readonly current: boolean;
}) {
  const { label, reply, steps = 0, tools = 0, from = 0, to = 0 } = talk;
  return (
    <button
      type="button"
      class="talk-item"
      aria-current={current ? 'true' : undefined}
      onClick={() => goTo(talk.id)}
    >
      <span class="talk-label">
        {label === undefined ? 'no opening line' : firstLine(spokenText(label), LINE)}
      </span>
      {reply === undefined ? null : <span class="talk-reply">{firstLine(reply, LINE)}</span>}
      <span class="talk-facts number">
        <Time at={from || talk.at} clock />
        <span>{spanText(to - from)}</span>
        <span>{countOf(steps, 'step')}</span>
        <span>{countOf(tools, 'tool')}</span>
        <TokenCount tokens={usage.value.ofTreeNested(talk)} />
        {failed === 0 ? null : <span class="badge bad">{countText(failed)} failed</span>}
      </span>
    </button>
  );
}
