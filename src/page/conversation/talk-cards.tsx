/** What is said in a talk and between two contexts: inputs, replies, resets. */
import type { ViewNode } from '../../format/view-document.js';
import { promptOf, resetReason } from '../model/kind-words.js';
import { shortText } from '../model/quantity-text.js';
import { spokenText } from '../model/spoken-text.js';
import { CopyButton } from '../shared/copy-button.js';
import { BackIcon } from '../shared/icons.js';
import { Time } from '../shared/time.js';
import { addressOf } from './address.js';
import { Doubt } from './doubt.js';
import { meaning } from './glossary.js';
import { goTo, select } from './moves.js';
import { outline, selected } from './state.js';
import { NoWords, pick } from './step-card.js';
import { TextBlock } from './text-block.js';
import { TokenCount, usage } from './tokens.js';

export function Input({
  talk,
  opening,
}: {
  readonly talk: ViewNode;
  readonly opening: ViewNode | undefined;
}) {
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

export function Reply({
  talk,
  closing,
}: {
  readonly talk: ViewNode;
  readonly closing: ViewNode | undefined;
}) {
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

export function Reset({
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
