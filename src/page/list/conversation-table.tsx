import type { ComponentChildren, TargetedMouseEvent } from 'preact';
import type { ListedConversation } from '../model/conversations.js';
import { countText } from '../model/quantity-text.js';
import { spanText, UNKNOWN } from '../model/time-text.js';
import { Marked } from '../shared/marked.js';
import { StateBadge } from '../shared/state-badge.js';
import { type Column, Table } from '../shared/table.js';
import { Time } from '../shared/time.js';
import { words } from './list-state.js';

const NOT_REPORTED = 'Not reported by the Sessionizer version that wrote this round.';

/** A row for each conversation; its title is the link, and a click anywhere on the row follows it. */
export function ConversationTable({ rows }: { readonly rows: readonly ListedConversation[] }) {
  const most = Math.max(1, ...rows.map(({ talks }) => talks ?? 0));
  return (
    <Table
      class="conversations"
      columns={columnsOf(most)}
      rows={rows}
      keyOf={({ id }) => id}
      // The link in it is what a keyboard and a screen reader use.
      rowAttributes={() => ({ onClick: followLink })}
    />
  );
}

function columnsOf(mostTalks: number): readonly Column<ListedConversation>[] {
  return [
    { head: 'Conversation', names: true, cell: (row) => <Title row={row} /> },
    { head: 'State', cell: ({ state, problem }) => <StateBadge state={state} hint={problem} /> },
    {
      head: 'Talks',
      hint: 'Those of child agents included',
      class: 'right talks',
      label: 'talks',
      cell: ({ talks }) => (
        <>
          <Count of={talks} />
          <span class="bar" aria-hidden="true">
            <span style={{ inlineSize: `${((talks ?? 0) / mostTalks) * 100}%` }} />
          </span>
        </>
      ),
    },
    {
      head: 'Model calls',
      hint: 'Those that a client wrote itself included',
      class: 'right wide',
      cell: ({ llm_calls: calls }) => <Count of={calls} />,
    },
    { head: 'Child agents', class: 'right wide', cell: ({ subagents }) => <Count of={subagents} /> },
    { head: 'Bash runs', class: 'right wide', cell: ({ bash_runs: runs }) => <Count of={runs} /> },
    { head: 'Changes', class: 'right', label: 'changes', cell: (row) => <Changes row={row} /> },
    {
      head: 'Unresolved',
      class: 'right wide',
      cell: ({ unresolved }) => (
        <span class={unresolved ? 'warned' : ''}>
          <Count of={unresolved} />
        </span>
      ),
    },
    {
      head: 'Span',
      class: 'right number',
      label: 'span',
      cell: ({ from, to }) => (from === null || to === null ? UNKNOWN : spanText(to - from)),
    },
    { head: 'Last activity', class: 'right', cell: ({ to }) => <Time at={to} /> },
  ];
}

function Title({ row: { id, title, problem } }: { readonly row: ListedConversation }) {
  return (
    <>
      <a class="title" href={`/c/${encodeURIComponent(id)}`}>
        <Marked text={title} words={words.value.trim()} />
      </a>
      <span class="id">
        <Marked text={id} words={words.value.trim()} />
      </span>
      {problem === '' ? null : <span class="problem">{problem}</span>}
    </>
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
function followLink(event: TargetedMouseEvent<HTMLElement>): void {
  if ((event.target as Element).closest('a') !== null || !getSelection()?.isCollapsed) return;
  const link = event.currentTarget.querySelector('a')!;
  if (event.ctrlKey || event.metaKey) open(link.href, '_blank', 'noopener');
  else link.click();
}
