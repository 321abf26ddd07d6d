/** One step in the transcript: when, what it is, what it says, what came back. */
import type { Ref, ViewNode } from '../../format/view-document.js';
import { clippedAt } from '../model/clipped.js';
import { fieldsOf } from '../model/fields.js';
import { isFailure } from '../model/filters.js';
import { isLanded } from '../model/inspect.js';
import { gist, isNotice, kindTitle } from '../model/kind-words.js';
import { laneOf } from '../model/lanes.js';
import { countText, shortText, sizeText } from '../model/quantity-text.js';
import { spokenText } from '../model/spoken-text.js';
import { intervalText } from '../model/time-text.js';
import { contextOf, isSynthetic, tokensOf } from '../model/usage.js';
import { CopyButton } from '../shared/copy-button.js';
import { ForwardIcon } from '../shared/icons.js';
import { Time } from '../shared/time.js';
import { addressOf } from './address.js';
import { Doubt } from './doubt.js';
import { FieldsBlock } from './fields-block.js';
import { meaning } from './glossary.js';
import { goTo, openStream, select } from './moves.js';
import { outline, selected } from './state.js';
import { Clipped, TextBlock } from './text-block.js';
import { TokenCount, tokenWords, usage } from './tokens.js';

interface StepCardProps {
  readonly node: ViewNode;
  readonly depth: number;
}

/** Deeper steps are not indented further. */
const MAX_INDENT = 6;

export function StepCard({ node, depth }: StepCardProps) {
  const isSelected = selected.value === node.id;
  const classes = [
    'step',
    `lane-${laneOf(node.kind)}`,
    isSelected ? 'selected' : '',
    isFailure(node) ? 'failed' : '',
  ];
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: its kind is a button that does the same
    <article
      class={classes.join(' ')}
      aria-current={isSelected ? 'true' : undefined}
      aria-label={`${kindTitle(node.kind)} ${node.name ?? ''}`}
      data-step={node.id}
      style={{ marginInlineStart: `${Math.min(depth, MAX_INDENT) * 1.1}rem` }}
      onClick={(event) => pick(event, node.id)}
    >
      <StepHead node={node} />
      <StepBody node={node} />
    </article>
  );
}

/** A click on a card selects it, unless it was meant for something in it, or marks words. */
export function pick(event: MouseEvent, id: string): void {
  const target = event.target as Element;
  if (target.closest('button, a, summary, input, dt') !== null || !getSelection()!.isCollapsed) return;
  select(id);
}

function StepHead({ node }: { readonly node: ViewNode }) {
  const { kind, name, bytes, state, failed, at } = node;
  return (
    <header class="step-head">
      <button type="button" class="kind" title={meaning(kind)} onClick={() => select(node.id)}>
        {name ?? kindTitle(kind)}
      </button>
      {name !== undefined || kindTitle(kind) !== kind ? <code class="kind-word">{kind}</code> : null}
      {failed === true ? <span class="badge bad">failed</span> : null}
      <Doubt node={node} />
      {kind === 'llm.call' ? <CallLine node={node} /> : null}
      {node.duration_ms === undefined ? null : (
        <span class="number" title="as the runtime measured it">
          took {intervalText(node.duration_ms)}
        </span>
      )}
      {state === undefined || state === 'available' ? null : (
        <span class="state" title={meaning(state)}>
          [{state}]
        </span>
      )}
      <span class="step-end">
        {bytes === undefined ? null : <span class="muted number">{sizeText(bytes)}</span>}
        <CopyButton link text={() => addressOf(node.id)} label="Copy link to this step" />
        <Time at={at} clock />
      </span>
    </header>
  );
}

/** A call has no words of its own; its tokens say how full the context was. */
function CallLine({ node }: { readonly node: ViewNode }) {
  if (isSynthetic(node)) return <span class="muted">written by the client; no model was asked</span>;
  const tokens = tokensOf(node);
  if (tokens.unknown > 0) return <span class="doubt">tokens unknown</span>;
  return (
    <span class="muted number" title={tokenWords(tokens)}>
      out {shortText(tokens.out)} · context {shortText(contextOf(node))}
    </span>
  );
}

function StepBody({ node }: { readonly node: ViewNode }) {
  const { id, kind, text, bytes, state } = node;
  const [asked, ...back] = node.refs ?? [];
  const fields = text === undefined ? undefined : fieldsOf(spokenText(text));
  return (
    <>
      {kind === 'thinking' && text === undefined ? <WhyEmpty node={node} /> : null}
      {text === undefined ? null : fields === undefined ? (
        <TextBlock
          id={`${id}:text`}
          text={spokenText(text)}
          source={text}
          kind={kind}
          bytes={bytes}
          cited={node.ref}
          copied="the text"
        />
      ) : isNotice(kind) ? (
        <p class="muted">{gist(node)}</p>
      ) : (
        <>
          <FieldsBlock id={`${id}:fields`} fields={fields} kind={kind} />
          <CutFields text={text} bytes={bytes} cited={asked ?? node.ref} />
        </>
      )}
      {text === undefined && state === undefined && kind !== 'llm.call' ? <NoWords node={node} /> : null}
      <Children node={node} />
      {node.result === undefined && node.result_state === undefined ? null : (
        <Result node={node} cited={back[0]} />
      )}
      {kind === 'tool' || kind === 'agent.call' ? <NoResult node={node} /> : null}
    </>
  );
}

function CutFields(props: {
  readonly text: string;
  readonly bytes: number | undefined;
  readonly cited: Ref | undefined;
}) {
  if (clippedAt(props.text, props.bytes) === undefined) return null;
  return (
    <div class="under-text">
      <Clipped {...props} />
    </div>
  );
}

/** Nothing is said: because nobody said anything, or because the evidence is gone. */
export function NoWords({ node, words }: { readonly node: ViewNode; readonly words?: string }) {
  const isGone = node.ref !== undefined && !isLanded(outline.value, node.ref);
  if (isGone) return <p class="doubt">What was said is gone: landed file {node.ref!.seq} is missing.</p>;
  return words === undefined ? null : <p class="muted">{words}</p>;
}

/** Reasoning that is not there: what the record says of it. */
export function WhyEmpty({ node }: { readonly node: ViewNode }) {
  const { dropped = [], state } = node;
  return (
    <p class="muted">
      No text: its state is {state ?? 'not stated'}.
      {dropped.map(({ what, why, bytes }) => (
        <span key={what}>
          {' '}
          Left out: {what} ({sizeText(bytes)}){why === undefined ? '' : `; ${why}`}.
        </span>
      ))}
    </p>
  );
}

/** Children that a step started, and the one it reports on or returned to. */
function Children({ node }: { readonly node: ViewNode }) {
  const children = outline.value.startedBy(node);
  const edges = node.edges ?? [];
  const back = edges.filter(({ type, dir }) => type === 'result_of' && dir === 'out');
  const returned = edges.filter(({ type, dir }) => type === 'result_of' && dir === 'in');
  const reports = edges.filter(({ type, dir }) => type === 'reports' && dir === 'out');
  if (children.length + back.length + returned.length + reports.length === 0) return null;
  return (
    <div class="ways">
      {children.map((child) => (
        <button type="button" key={child.id} class="way" onClick={() => openStream(child.name)}>
          Open {child.label || child.name} <ForwardIcon />
        </button>
      ))}
      {children.length > 0 ? <TokenCount tokens={usage.value.ofChildren(node)} of="below" /> : null}
      {children.length > 1 ? (
        <span class="muted">all of them were started by it, none is a guess</span>
      ) : null}
      {returned.map(({ other }) => (
        <button type="button" key={other} class="way" onClick={() => goTo(other)}>
          Where the child agent ended <ForwardIcon />
        </button>
      ))}
      {back.map(({ other }) => (
        <button type="button" key={other} class="way" onClick={() => goTo(other)}>
          Back to the call that received this <code>result_of</code>
        </button>
      ))}
      {reports.map(({ other }) => (
        <button type="button" key={other} class="way" onClick={() => goTo(other)}>
          Open the child agent this is about <ForwardIcon />
        </button>
      ))}
    </div>
  );
}

function Result({ node, cited }: { readonly node: ViewNode; readonly cited: Ref | undefined }) {
  const { id, result = '', result_state: state, result_bytes: bytes, request_to_result_ms: ms } = node;
  return (
    <section class={node.failed === true ? 'result failed' : 'result'} aria-label="Result">
      <header>
        <span>{node.failed === true ? 'failed' : 'result'}</span>
        {state === undefined || state === 'available' ? null : <span class="state">[{state}]</span>}
        {bytes === undefined ? null : <span class="muted number">{sizeText(bytes)}</span>}
        {ms === undefined ? null : (
          <span
            class="muted number"
            title={`${countText(ms)} ms between the two records; not the time the tool itself took`}
          >
            {intervalText(ms)} to return
          </span>
        )}
      </header>
      {result === '' ? (
        <p class="muted">empty</p>
      ) : (
        <TextBlock
          id={`${id}:result`}
          text={result}
          kind="result"
          bytes={bytes}
          cited={cited}
          mono
          copied="the result"
        />
      )}
    </section>
  );
}

function NoResult({ node }: { readonly node: ViewNode }) {
  return node.result_state === undefined && node.result === undefined ? (
    <p class="muted">No result: none has landed for this call.</p>
  ) : null;
}
