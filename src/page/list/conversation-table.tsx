import type { ComponentChildren } from 'preact';
import type { ListedConversation } from '../model/conversations.js';
import { countText } from '../model/quantity-text.js';
import { spanText, UNKNOWN } from '../model/time-text.js';
import { Marked } from '../shared/marked.js';
import { StateBadge } from '../shared/state-badge.js';
import { Time } from '../shared/time.js';
import { words } from './list-state.js';

const NOT_REPORTED = 'Not reported by the Sessionizer version that wrote this round.';

/** A row for each conversation; its title is the link, and a click anywhere on the row follows it. */
export function ConversationTable({ rows }: { readonly rows: readonly ListedConversation[] }) {
  const most = Math.max(1, ...rows.map(({ talks }) => talks ?? 0));
  return (
    <table class="conversations">
      <thead>
        <tr>
          <th scope="col">Conversation</th>
          <th scope="col">State</th>
          <th scope="col" class="right">
            Talks
          </th>
          <th scope="col" class="right wide">
            Model calls
          </th>
          <th scope="col" class="right wide">
            Subagents
          </th>
          <th scope="col" class="right wide">
            Bash runs
          </th>
          <th scope="col" class="right">
            Changes
          </th>
          <th scope="col" class="right wide">
            Unresolved
          </th>
          <th scope="col" class="right">
            Span
          </th>
          <th scope="col" class="right">
            Last activity
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <Row key={row.id} row={row} most={most} />
        ))}
      </tbody>
    </table>
  );
}

function Row({ row, most }: { readonly row: ListedConversation; readonly most: number }) {
  const { id, title, state, problem, talks, from, to, unresolved } = row;
  return (
    // The link in it is what a keyboard and a screen reader use.
    <tr onClick={followLink}>
      <th scope="row">
        <a class="title" href={`/c/${encodeURIComponent(id)}`}>
          <Marked text={title} words={words.value.trim()} />
        </a>
        <span class="id">
          <Marked text={id} words={words.value.trim()} />
        </span>
        {problem === '' ? null : <span class="problem">{problem}</span>}
      </th>
      <td>
        <StateBadge state={state} hint={problem} />
      </td>
      <td class="right talks" data-label="talks">
        <Count of={talks} />
        <span class="bar" aria-hidden="true">
          <span style={{ inlineSize: `${((talks ?? 0) / most) * 100}%` }} />
        </span>
      </td>
      <td class="right wide">
        <Count of={row.llm_calls} />
      </td>
      <td class="right wide">
        <Count of={row.subagents} />
      </td>
      <td class="right wide">
        <Count of={row.bash_runs} />
      </td>
      <td class="right" data-label="changes">
        <Changes row={row} />
      </td>
      <td class="right wide">
        <span class={unresolved ? 'warned' : ''}>
          <Count of={unresolved} />
        </span>
      </td>
      <td class="right number" data-label="span">
        {from === null || to === null ? UNKNOWN : spanText(to - from)}
      </td>
      <td class="right">
        <Time at={to} />
      </td>
    </tr>
  );
}

function Count({ of }: { readonly of: number | null }): ComponentChildren {
  if (of !== null) return <span class="number">{countText(of)}</span>;
  return (
    <span class="unknown" title={NOT_REPORTED}>
      {UNKNOWN}
    </span>
  );
}

function Changes({ row: { changes, lines_added, lines_removed } }: { readonly row: ListedConversation }) {
  if (changes === null || changes === 0 || lines_added === null || lines_removed === null)
    return <Count of={changes} />;
  return (
    <span class="number changes">
      {countText(changes)} <span class="added">+{countText(lines_added)}</span>{' '}
      <span class="removed">−{countText(lines_removed)}</span>
    </span>
  );
}

/** A click on a row is one on its link; selecting text in it is no click. */
function followLink(event: MouseEvent & { readonly currentTarget: HTMLElement }): void {
  if ((event.target as Element).closest('a') !== null || !getSelection()?.isCollapsed) return;
  const link = event.currentTarget.querySelector('a')!;
  if (event.ctrlKey || event.metaKey) open(link.href, '_blank', 'noopener');
  else link.click();
}
