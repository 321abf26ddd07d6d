import { countOf, countText } from '../model/quantity-text.js';
import type { RangeSummary } from '../model/range-summary.js';
import { spanText, UNKNOWN } from '../model/time-text.js';
import { CrossIcon } from '../shared/icons.js';
import { Time } from '../shared/time.js';
import { tokenWords } from './tokens.js';

/** More names than this are counted. */
const MOST_TOOLS = 12;

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
        <table class="number">
          <caption>Request to result; not the time a tool took</caption>
          <thead>
            <tr>
              <th scope="col">Call</th>
              <th scope="col">n</th>
              <th scope="col">failed</th>
              <th scope="col" title="shortest time from request to result">
                min
              </th>
              <th scope="col" title="average of the measured ones">
                avg
              </th>
              <th scope="col" title="longest">
                max
              </th>
            </tr>
          </thead>
          <tbody>
            {tools.slice(0, MOST_TOOLS).map(({ name, calls, failed, measured, least, average, most }) => (
              <tr key={name} title={`${countText(measured)} of ${countText(calls)} measured`}>
                <th scope="row" title={name}>
                  {name}
                </th>
                <td>{countText(calls)}</td>
                <td class={failed > 0 ? 'range-failed' : ''}>{countText(failed)}</td>
                {[least, average, most].map((time, column) => (
                  <td key={column}>{time === undefined ? UNKNOWN : spanText(time)}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
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
