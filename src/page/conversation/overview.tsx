/** The conversation in numbers, each as the document states it. */
import type { ComponentChildren } from 'preact';
import { countText } from '../model/quantity-text.js';
import { dateText, spanText, utcText } from '../model/time-text.js';
import type { Tokens } from '../model/usage.js';
import { Time } from '../shared/time.js';
import { Word } from '../shared/word.js';
import { meaning } from './glossary.js';
import { openStream } from './moves.js';
import { outline } from './state.js';
import { usage } from './tokens.js';

export function Overview() {
  const { document } = outline.value;
  const { summary, sessions, streams, segments, policy, parser, head } = document;
  const children = streams.filter(({ role }) => role !== 'main');
  const idle = /idle=([0-9a-z.]+)/.exec(policy)?.[1];
  return (
    <div class="panel-page">
      <h2>Overview</h2>
      <dl class="numbers">
        <Figure name="talks" value={countText(summary.talks)} />
        <Figure name="steps" value={countText(summary.steps)} />
        <Figure name="runs" value={countText(kindCount('run'))} />
        <Figure name="child streams" value={countText(children.length)} />
        <Figure
          name="relations"
          value={countText(document.relations.length)}
          note={countsWords(summary.quality)}
        />
        <Figure
          name="segments"
          value={countText(segments.length)}
          {...(idle === undefined ? {} : { note: `a pause of ${idle} ends one` })}
        />
        <Figure name="unresolved" value={countText(summary.unresolved)} note="still open" />
        <Figure
          name="span"
          value={spanText(summary.to - summary.from)}
          note={`${dateText(summary.from)} – ${dateText(summary.to)}`}
          hint={`${utcText(summary.from)} – ${utcText(summary.to)}`}
        />
      </dl>
      <h3>Tokens</h3>
      <TokenTable />
      <h3>Segments</h3>
      <table>
        <thead>
          <tr>
            <th>segment</th>
            <th>talks</th>
            <th>from</th>
            <th>to</th>
            <th>span</th>
          </tr>
        </thead>
        <tbody>
          {segments.map(({ id, talks, from, to }) => (
            <tr key={id}>
              <td>
                <code>{id}</code>
              </td>
              <td class="number">{countText(talks)}</td>
              <td>
                <Time at={from} />
              </td>
              <td>
                <Time at={to} />
              </td>
              <td>{spanText(to - from)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <h3>Kinds</h3>
      <Counts of={summary.kinds} />
      <h3>Relation types</h3>
      <Counts of={summary.relation_types} />
      {Object.keys(summary.withheld).length === 0 ? null : (
        <>
          <h3>Withheld from this copy</h3>
          <Counts of={summary.withheld} />
        </>
      )}
      <p class="muted">
        conversation <code>{document.conversation}</code>, {sessions.length === 1 ? 'session' : 'sessions'}{' '}
        {sessions.map((session) => (
          <code key={session}>{session} </code>
        ))}
        · round {head.round} · parser {parser} · policy {policy}
      </p>
    </div>
  );
}

function kindCount(kind: string): number {
  const { kinds } = outline.value.document.summary;
  return Object.hasOwn(kinds, kind) ? kinds[kind]! : 0;
}

function countsWords(counts: Readonly<Record<string, number>>): string {
  return Object.entries(counts)
    .map(([word, number]) => `${countText(number)} ${word}`)
    .join(', ');
}

interface FigureProps {
  readonly name: string;
  readonly value: string;
  readonly note?: string;
  readonly hint?: string;
}

function Figure({ name, value, note, hint }: FigureProps) {
  return (
    <div title={hint ?? meaning(name)}>
      <dt>{name}</dt>
      <dd class="number">{value}</dd>
      {note === undefined || note === '' ? null : <dd class="muted note">{note}</dd>}
    </div>
  );
}

function Counts({ of }: { readonly of: Readonly<Record<string, number>> }) {
  return (
    <ul class="counts">
      {Object.entries(of).map(([word, number]) => (
        <li key={word}>
          <Word word={word} meaning={meaning(word)} /> <span class="number muted">{countText(number)}</span>
        </li>
      ))}
    </ul>
  );
}

/** Per stream, its own calls only, so that the rows add up to the total. */
function TokenTable() {
  const { total, apart } = usage.value;
  return (
    <table>
      <thead>
        <tr>
          <th>stream</th>
          <th>in</th>
          <th>out</th>
          <th>cache read</th>
          <th>cache write</th>
          <th>calls</th>
          <th>of them unknown</th>
        </tr>
      </thead>
      <tbody>
        {outline.value.document.streams.map((stream) => (
          <TokenRow key={stream.id} tokens={usage.value.ofStream(stream.name)}>
            <button type="button" class="link-button" onClick={() => openStream(stream.name)}>
              {stream.label || stream.name}
            </button>
            {apart.includes(stream) ? <span class="doubt"> no one origin: counted on no call</span> : null}
          </TokenRow>
        ))}
        <TokenRow tokens={total}>all calls, each once</TokenRow>
      </tbody>
    </table>
  );
}

function TokenRow({ tokens, children }: { readonly tokens: Tokens; readonly children: ComponentChildren }) {
  const isUnknown = tokens.calls > 0 && tokens.unknown === tokens.calls;
  return (
    <tr>
      <td>{children}</td>
      {[tokens.in, tokens.out, tokens.cacheRead, tokens.cacheWrite].map((count, i) => (
        <td
          class="number"
          key={i}
          title={isUnknown ? 'No call says what it took: unknown, not zero' : undefined}
        >
          {isUnknown ? '—' : countText(count)}
        </td>
      ))}
      <td class="number">{countText(tokens.calls)}</td>
      <td class="number">{countText(tokens.unknown)}</td>
    </tr>
  );
}
