/** A row of a transcript: which card shows it, and the small ones. */
import type { ViewNode } from '../../format/view-document.js';
import { countOf, countText } from '../model/quantity-text.js';
import type { Row, Tally } from '../model/row-list.js';
import { spanText } from '../model/time-text.js';
import { workKey } from '../model/transcript-rows.js';
import { DownIcon, RightIcon } from '../shared/icons.js';
import { meaning } from './glossary.js';
import { select, setFold } from './moves.js';
import { filter, outline, stream } from './state.js';
import { StepCard } from './step-card.js';
import { Banner, Outside } from './stream-cards.js';
import { Input, Reply, Reset } from './talk-cards.js';

export function RowCard({ row }: { readonly row: Row }) {
  switch (row.t) {
    case 'banner':
      return <Banner of={row.stream} />;
    case 'input':
      return <Input talk={row.talk} opening={row.opening} />;
    case 'work':
      return <Work talk={row.talk} open={row.open} tally={row.tally} />;
    case 'run':
      return (
        <div class="run-mark">
          <button
            type="button"
            class="quiet-button"
            title={meaning('run')}
            onClick={() => select(row.run.id)}
          >
            run {row.number}
          </button>
          <span class="muted">{String(row.run.attrs?.trigger ?? '')}</span>
        </div>
      );
    case 'step':
      return <StepCard node={row.node} depth={row.depth} />;
    case 'close':
      return (
        <button type="button" class="quiet-button close" onClick={() => setFold(workKey(row.talk), false)}>
          Hide what the agent did
        </button>
      );
    case 'reply':
      return <Reply talk={row.talk} closing={row.closing} />;
    case 'quiet':
      return <div class="quiet">{spanText(row.ms)} quiet</div>;
    case 'reset':
      return <Reset boundary={row.boundary} summary={row.summary} />;
    case 'outside':
      return <Outside steps={row.steps} alone={row.alone} />;
    case 'stopped':
      return (
        <section class="outside" aria-label="The chain stops here">
          <h2>The chain stops here</h2>
          <p class="doubt">
            {row.problem}. What came after round {row.round} is not shown.
          </p>
        </section>
      );
    case 'nothing':
      return <Nothing />;
    default:
      return row satisfies never;
  }
}

function Work({
  talk,
  open,
  tally,
}: {
  readonly talk: ViewNode;
  readonly open: boolean;
  readonly tally: Tally;
}) {
  const { steps, runs, tools, ms, failed, shown } = tally;
  const words = [countOf(steps, 'step'), countOf(runs, 'run'), countOf(tools, 'tool'), spanText(ms)];
  return (
    <div class="work">
      <button
        type="button"
        class="work-fold"
        aria-expanded={open}
        onClick={() => setFold(workKey(talk), !open)}
      >
        {open ? <DownIcon /> : <RightIcon />}
        {open ? 'what the agent did' : 'show what the agent did'}
      </button>
      <span class="muted number">{words.join(' · ')}</span>
      {failed === 0 ? null : <span class="badge bad">{countText(failed)} failed</span>}
      {shown === steps ? null : (
        <span class="muted number">
          {countText(shown)} of {countText(steps)} shown
        </span>
      )}
    </div>
  );
}

function Nothing() {
  const { summary } = outline.value.document;
  const isFiltered = outline.value.passagesOf(stream.value).length > 0;
  return (
    <p class="nothing">
      {isFiltered
        ? `Nothing here passes the filter${filter.value.failed ? ': no step of this stream failed' : ''}.`
        : summary.steps === 0 && summary.problems.length > 0
          ? 'Nothing of this conversation could be put together; the problems say why.'
          : 'This stream holds no step.'}
    </p>
  );
}
