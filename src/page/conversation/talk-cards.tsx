/** The rows of a transcript that are not steps: inputs, replies, folds, resets, pauses, and where a stream comes from. */
import type { Origin, Stream, ViewNode } from '../../format/view-document.js';
import { promptOf, resetReason } from '../model/kind-words.js';
import { countOf, countText, shortText } from '../model/quantity-text.js';
import { spokenText } from '../model/spoken-text.js';
import { spanText } from '../model/time-text.js';
import type { Row, Tally } from '../model/transcript-rows.js';
import { workKey } from '../model/transcript-rows.js';
import { rangesOf, uncitedRecords } from '../model/uncited-records.js';
import { CopyButton } from '../shared/copy-button.js';
import { BackIcon, DownIcon, RightIcon } from '../shared/icons.js';
import { Time } from '../shared/time.js';
import { Word } from '../shared/word.js';
import { addressOf } from './address.js';
import { Doubt } from './doubt.js';
import { meaning } from './glossary.js';
import { LandedRecord } from './landed-record.js';
import { goTo, openStream, select, setFold } from './moves.js';
import { filter, outline, selected, stream } from './state.js';
import { NoWords, pick, StepCard } from './step-card.js';
import { TextBlock } from './text-block.js';
import { TokenCount, usage } from './tokens.js';

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

function Input({ talk, opening }: { readonly talk: ViewNode; readonly opening: ViewNode | undefined }) {
  const id = opening?.id ?? talk.id;
  const isSelected = selected.value === id || selected.value === talk.id;
  const call = talk.label === undefined ? askedBy(talk) : undefined;
  const text = call === undefined ? talk.label && spokenText(talk.label) : promptOf(call);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: its head is a button that does the same
    <article
      class={isSelected ? 'input selected' : 'input'}
      aria-current={isSelected ? 'true' : undefined}
      data-step={id}
      onClick={(event) => pick(event, id)}
    >
      <header class="step-head">
        <button type="button" class="kind" onClick={() => select(id)}>
          {talk.child === true && text !== undefined
            ? 'Asked by the agent above'
            : opening === undefined
              ? 'Talk'
              : 'Input'}
        </button>
        <Doubt node={opening ?? talk} />
        <TokenCount tokens={usage.value.ofTreeNested(talk)} />
        <span class="step-end">
          <CopyButton link text={() => addressOf(id)} label="Copy link to this talk" />
          <Time at={talk.from ?? talk.at} />
        </span>
      </header>
      {text === undefined ? (
        <NoWords node={opening ?? talk} words="no opening line" />
      ) : (
        <TextBlock
          id={`${talk.id}:label`}
          text={text}
          kind="message.external"
          source={call?.text ?? talk.label}
          bytes={(call ?? opening)?.bytes}
          cited={(call ?? opening ?? talk).ref}
          copied="the input"
        />
      )}
    </article>
  );
}

/** The call that a child's first talk answers, where only one can have opened it. */
function askedBy(talk: ViewNode): ViewNode | undefined {
  const of = outline.value.streams.get(talk.stream ?? '');
  if (of === undefined || of.talk !== talk.id || of.opened_by.length !== 1) return undefined;
  const call = outline.value.nodes.get(of.opened_by[0]!.step);
  return call !== undefined && promptOf(call) !== undefined ? call : undefined;
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

function Reply({ talk, closing }: { readonly talk: ViewNode; readonly closing: ViewNode | undefined }) {
  const id = closing?.id ?? talk.id;
  const isSelected = selected.value === id;
  const back = closing?.edges?.find(({ type, dir }) => type === 'result_of' && dir === 'out');
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: its head is a button that does the same
    <article
      class={isSelected ? 'reply selected' : 'reply'}
      aria-current={isSelected ? 'true' : undefined}
      data-step={id}
      onClick={(event) => pick(event, id)}
    >
      <header class="step-head">
        <button type="button" class="kind" onClick={() => select(id)}>
          {closing?.kind === 'agent.output' ? 'Returned' : 'Reply'}
        </button>
        <Doubt node={closing ?? talk} />
        <span class="step-end">
          <CopyButton link text={() => addressOf(id)} label="Copy link to this reply" />
          <Time at={closing?.at ?? 0} clock />
        </span>
      </header>
      <TextBlock
        id={`${talk.id}:reply`}
        text={talk.reply ?? ''}
        kind="message.assistant"
        bytes={closing?.bytes}
        cited={closing?.ref ?? talk.ref}
        copied="the reply"
      />
      {back === undefined ? null : (
        <div class="ways">
          <button type="button" class="way" onClick={() => goTo(back.other)}>
            <BackIcon /> Back to the call that received this <code>result_of</code>
          </button>
        </div>
      )}
    </article>
  );
}

function Reset({
  boundary,
  summary,
}: {
  readonly boundary: ViewNode;
  readonly summary: ViewNode | undefined;
}) {
  const { trigger, before } = resetReason(boundary);
  const isSelected =
    selected.value === boundary.id || (summary !== undefined && selected.value === summary.id);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: its head is a button that does the same
    <article
      class={isSelected ? 'reset selected' : 'reset'}
      aria-current={isSelected ? 'true' : undefined}
      data-step={boundary.id}
      onClick={(event) => pick(event, boundary.id)}
    >
      <header class="step-head">
        <button
          type="button"
          class="kind"
          title={meaning('epoch.boundary')}
          onClick={() => select(boundary.id)}
        >
          Context reset
        </button>
        <Doubt node={boundary} />
        <span class="muted">
          {trigger === undefined ? 'the client does not say why' : `trigger: ${trigger}`}
          {before === undefined ? '' : ` · ${shortText(before)} tokens before`}
        </span>
        <span class="step-end">
          <CopyButton link text={() => addressOf(boundary.id)} label="Copy link to this reset" />
          <Time at={boundary.at} clock />
        </span>
      </header>
      {summary?.text === undefined ? (
        <p class="muted">No summary was left.</p>
      ) : (
        <section aria-label="Summary">
          <button
            type="button"
            class="kind"
            title={meaning('epoch.summary')}
            onClick={() => select(summary.id)}
          >
            Summary the new context begins with
          </button>
          <TextBlock
            id={`${summary.id}:text`}
            text={summary.text}
            kind="epoch.summary"
            bytes={summary.bytes}
            cited={summary.ref}
            copied="the summary"
          />
        </section>
      )}
    </article>
  );
}

/** Where a stream comes from, and the way back. */
function Banner({ of }: { readonly of: Stream }) {
  const { opened_by: origins, label, name, role, named_by: namedBy } = of;
  const children = outline.value.childrenOf(name);
  return (
    <section class="banner" aria-label="Where this stream comes from">
      <h2>{label || name}</h2>
      <p class="muted">
        A stream of its own, <Word word={role} meaning={meaning(role)} />: it sees what it was given, not the
        conversation above.
        {namedBy === 'journal' ? ' Its name comes from a workflow’s journal.' : ''}
      </p>
      {origins.map((origin) => (
        <Opened key={origin.step} by={origin} />
      ))}
      {origins.length === 0 ? <p class="doubt">Nobody recorded which step opened it.</p> : null}
      {origins.length > 1 ? (
        <p class="doubt">Several steps may have opened it: the evidence does not decide.</p>
      ) : null}
      <div class="ways">
        <TokenCount tokens={usage.value.ofStreamNested(name)} />
        {children.map((child) => (
          <button type="button" key={child.id} class="way" onClick={() => openStream(child.name)}>
            Child agent: {child.label || child.name}
          </button>
        ))}
      </div>
    </section>
  );
}

function Opened({ by }: { readonly by: Origin }) {
  const call = outline.value.nodes.get(by.step);
  return (
    <div class="ways">
      <button type="button" class="way" onClick={() => goTo(by.step)}>
        <BackIcon /> Opened by {call?.name ?? 'a step'} in{' '}
        {outline.value.streams.get(by.stream)?.label || by.stream}
      </button>
      <Word word={by.quality} meaning={meaning(by.quality)} />
    </div>
  );
}

/** Records that are shown when somebody asks which are no step. */
const FIRST_ROWS = 50;

function Outside({ steps, alone }: { readonly steps: number; readonly alone: boolean }) {
  const { document } = outline.value;
  const uncited = alone ? uncitedRecords(document, stream.value) : [];
  const records = uncited.reduce((sum, { rows }) => sum + rows.length, 0);
  return (
    <section class="outside">
      <h2>{alone ? 'No talks' : 'Outside any talk'}</h2>
      <p class="muted">
        {alone
          ? `The client that wrote this stream did not record which input began what, so its ${countOf(steps, 'step')} stand here one after the other, as they landed.`
          : `${countOf(steps, 'step')} that belong to no talk.`}{' '}
        {alone ? <TokenCount tokens={usage.value.ofStream(stream.value)} /> : null}
      </p>
      {records === 0 ? null : (
        <details>
          <summary>
            {countOf(records, 'record')} of this stream {records === 1 ? 'is' : 'are'} no step; what a person
            typed may be among them
          </summary>
          {uncited.map(({ seq, rows, file }) => (
            <div key={file.file} class="uncited">
              <code>{file.file}</code>
              <p>rows {rangesOf(rows)}</p>
              {rows.slice(0, FIRST_ROWS).map((row) => (
                <div key={row}>
                  <LandedRecord at={{ seq, row }} />
                </div>
              ))}
            </div>
          ))}
        </details>
      )}
    </section>
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
