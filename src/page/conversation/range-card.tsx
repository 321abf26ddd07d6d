import type { Ms } from '../../format/view-document.js';
import { countOf, countText } from '../model/quantity-text.js';
import type { RangeSummary, ToolTimes } from '../model/range-summary.js';
import { spanText, UNKNOWN } from '../model/time-text.js';
import { CrossIcon } from '../shared/icons.js';
import { type Column, Table } from '../shared/table.js';
import { Time } from '../shared/time.js';
import { tokenWords } from './tokens.js';

/** More names than this are counted. */
const MOST_TOOLS = 12;

const timeText = (ms: Ms | undefined) => (ms === undefined ? UNKNOWN : spanText(ms));

const COLUMNS: readonly Column<ToolTimes>[] = [
  { head: 'Call', names: true, cell: ({ name }) => <span title={name}>{name}</span> },
  { head: 'n', hint: 'how many calls', cell: ({ calls }) => countText(calls) },
  {
    head: 'failed',
    cell: ({ failed }) => <span class={failed > 0 ? 'range-failed' : ''}>{countText(failed)}</span>,
  },
  { head: 'min', hint: 'shortest time from request to result', cell: ({ least }) => timeText(least) },
  { head: 'avg', hint: 'average of the measured ones', cell: ({ average }) => timeText(average) },
  { head: 'max', hint: 'longest', cell: ({ most }) => timeText(most) },
];

/** What the marked part of a timeline holds. */
export function RangeCard({
  summary,
  onClose,
}: {
  readonly summary: RangeSummary;
  readonly onClose: () => void;
}) {
  const { from, to, steps, kinds, failed, tokens, tools } = summary;
  const more = tools.length - MOST_TOOLS;
  return (
    <section class="range-card" aria-label="What is marked" data-range>
      <header>
        <h3>
          <span role="status">
            {countOf(steps, 'step')} marked
            {failed > 0 ? <span class="range-failed">, {countText(failed)} failed</span> : null}
          </span>
        </h3>
        <button type="button" class="bare" aria-label="Unmark" title="Unmark (Escape)" onClick={onClose}>
          <CrossIcon />
        </button>
      </header>
      <p class="muted">
        <Time at={from} clock /> to <Time at={to} clock />
        {to > from ? `, ${spanText(to - from)}` : ''}
      </p>
      {tokens.calls === 0 ? null : (
        <p class="number">
          {tokens.unknown === tokens.calls
            ? `${countOf(tokens.calls, 'call')}, tokens unknown`
            : tokenWords(tokens)}
        </p>
      )}
      {tools.length === 0 ? null : (
        <Table
          class="number"
          caption="Request to result; not the time a tool took"
          columns={COLUMNS}
          rows={tools.slice(0, MOST_TOOLS)}
          keyOf={({ name }) => name}
          rowAttributes={({ calls, measured }) => ({
            title: `${countText(measured)} of ${countText(calls)} measured`,
          })}
        />
      )}
      {more > 0 ? <p class="muted">and {countOf(more, 'more name')}</p> : null}
      <p class="range-kinds">
        {kinds.slice(0, MOST_TOOLS).map(([kind, count]) => (
          <span key={kind} class="badge">
            {kind} <b class="number">{countText(count)}</b>
          </span>
        ))}
      </p>
    </section>
  );
}
