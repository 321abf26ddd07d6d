/** What tools changed in the workspace, by root and file, as the records of those changes say. */
import type { FileChange, WorkspaceChange } from '../../format/view-document.js';
import type { DiffLine } from '../model/line-diff.js';
import { countOf } from '../model/quantity-text.js';
import { Time } from '../shared/time.js';
import { DiffLines } from './diff-lines.js';
import { goTo } from './moves.js';
import { outline } from './state.js';

export function Changes() {
  const changes = outline.value.document.workspace_changes;
  const roots = Map.groupBy(changes, ({ root }) => root?.path ?? '');
  return (
    <div class="panel-page">
      <h2>Workspace changes</h2>
      {changes.length === 0 ? (
        <p class="muted">
          No record of this conversation says what a tool changed. That is not to say that nothing was.
        </p>
      ) : null}
      {[...roots].map(([root, list]) => (
        <section key={root}>
          <h3>
            {root === '' ? 'No root stated' : <code>{root}</code>}{' '}
            <span class="muted">{countOf(list.length, 'record')}</span>
          </h3>
          {list.map((change, i) => (
            <ChangeCard key={`${i}:${change.id}`} change={change} id={`change:${root}:${i}`} />
          ))}
        </section>
      ))}
    </div>
  );
}

export function ChangeCard({ change, id }: { readonly change: WorkspaceChange; readonly id: string }) {
  const { step, tool_name: tool, time, outcome, coverage, captured_by: by, changes = [] } = change;
  return (
    <article class="change">
      <header class="step-head">
        {step === '' || !outline.value.nodes.has(step) ? (
          <span>{tool ?? 'a tool'} · no step of this conversation</span>
        ) : (
          <button type="button" class="link-button" onClick={() => goTo(step)}>
            {tool ?? outline.value.nodes.get(step)?.name ?? step}
          </button>
        )}
        {outcome?.state === undefined ? null : (
          <span class="muted">
            {outcome.state}
            {outcome.exit_code === undefined ? '' : `, exit code ${outcome.exit_code}`}
          </span>
        )}
        {coverage === undefined ? null : <span class="muted">coverage: {coverage}</span>}
        {by === undefined ? null : <span class="muted">captured by {by}</span>}
        <span class="step-end muted">
          {time === undefined || Number.isNaN(Date.parse(time)) ? time : <Time at={Date.parse(time)} />}
        </span>
      </header>
      {changes.map((file, i) => (
        <FileCard key={`${i}:${file.path}`} file={file} id={`${id}:${i}`} />
      ))}
    </article>
  );
}

function FileCard({ file, id }: { readonly file: FileChange; readonly id: string }) {
  const { path, operation, additions, deletions, diff, hunks = [] } = file;
  return (
    <section class="file-change">
      <header>
        <code>{path ?? 'no path stated'}</code> <span class="muted">{operation}</span>{' '}
        {additions === undefined ? null : <span class="good">+{additions}</span>}{' '}
        {deletions === undefined ? null : <span class="bad">−{deletions}</span>}
      </header>
      {hunks.length === 0 && diff !== undefined && diff !== '' ? <p class="muted">diff: {diff}</p> : null}
      {hunks.map((hunk, i) => (
        <div key={`${i}:${hunk.old_start}`}>
          <p class="muted number">
            line {hunk.old_start} → {hunk.new_start}
          </p>
          <DiffLines id={`${id}:${i}`} lines={hunk.lines.map(diffLine)} />
        </div>
      ))}
    </section>
  );
}

/** A line of a hunk begins with its mark; a line with another is about the lines around it. */
function diffLine(line: string): DiffLine {
  const mark = line[0];
  return mark === '+' || mark === '-'
    ? { mark, text: line.slice(1) }
    : { mark: ' ', text: line.replace(/^ /, '') };
}
