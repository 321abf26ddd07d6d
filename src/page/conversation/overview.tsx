/** The conversation in numbers, each as the document states it. */
import type { Segment, Stream } from '../../format/view-document.js';
import { countOf, countText } from '../model/quantity-text.js';
import { spanText, UNKNOWN, utcText } from '../model/time-text.js';
import type { Tokens } from '../model/usage.js';
import { dateText } from '../shared/clock.js';
import { type Column, Table } from '../shared/table.js';
import { Time } from '../shared/time.js';
import { Word } from '../shared/word.js';
import { meaning } from './glossary.js';
import { openStream } from './moves.js';
import { counts, outline } from './state.js';
import { usage } from './tokens.js';

export function Overview() {
  const { document } = outline.value;
  const { summary, sessions, segments, policy, parser, head } = document;
  const { talks, childTalks, childAgents, auxiliaries, tools, agentCalls, failures, synthetic } =
    counts.value;
  const idle = /idle=([0-9a-z.]+)/.exec(policy)?.[1];
  return (
    <div class="panel-page">
      <h2>Overview</h2>
      <dl class="numbers">
        <Figure name="talks" value={countText(talks)} {...noted(childTalks, 'more of child agents')} />
        <Figure name="steps" value={countText(summary.steps)} />
        <Figure name="runs" value={countText(kindCount('run'))} />
        <Figure
          name="tools"
          value={countText(tools)}
          {...noted(agentCalls, 'of them to start a child agent')}
        />
        <Figure name="failures" value={countText(failures)} />
        <Figure
          name="child agents"
          value={countText(childAgents)}
          {...noted(auxiliaries, auxiliaries === 1 ? 'auxiliary stream beside' : 'auxiliary streams beside')}
        />
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
      {synthetic === 0 ? null : (
        <p class="muted">
          {countOf(synthetic, 'call')} more {synthetic === 1 ? 'was' : 'were'} written by the client in the
          model’s name, and asked none.
        </p>
      )}
      <h3>Segments</h3>
      <Table columns={SEGMENTS} rows={segments} keyOf={({ id }) => id} />
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

const SEGMENTS: readonly Column<Segment>[] = [
  { head: 'segment', cell: ({ id }) => <code>{id}</code> },
  { head: 'talks', class: 'number', cell: ({ id }) => countText(counts.value.talksOfSegment(id)) },
  { head: 'from', cell: ({ from }) => <Time at={from} /> },
  { head: 'to', cell: ({ to }) => <Time at={to} /> },
  { head: 'span', cell: ({ from, to }) => spanText(to - from) },
];

/** A note beside a number, where there is something to note. */
function noted(count: number, words: string): { readonly note?: string } {
  return count === 0 ? {} : { note: `${countText(count)} ${words}` };
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

/** A stream, or all of them. */
interface TokenRow {
  readonly stream: Stream | undefined;
  readonly tokens: Tokens;
}

/** Per stream, its own calls only, so that the rows add up to the total. */
function TokenTable() {
  const { total, ofStream } = usage.value;
  const rows: readonly TokenRow[] = [
    ...outline.value.document.streams.map((stream) => ({ stream, tokens: ofStream(stream.name) })),
    { stream: undefined, tokens: total },
  ];
  return <Table columns={TOKENS} rows={rows} keyOf={({ stream }) => stream?.id ?? ''} />;
}

const TOKENS: readonly Column<TokenRow>[] = [
  { head: 'stream', cell: ({ stream }) => <WhoUsed stream={stream} /> },
  ...(
    [
      ['in', ({ in: input }) => input],
      ['out', ({ out }) => out],
      ['cache read', ({ cacheRead }) => cacheRead],
      ['cache write', ({ cacheWrite }) => cacheWrite],
    ] as readonly (readonly [string, (tokens: Tokens) => number])[]
  ).map(([head, of]) => ({
    head,
    class: 'number',
    cell: ({ tokens }: TokenRow) => <Used tokens={tokens} count={of(tokens)} />,
  })),
  { head: 'calls', class: 'number', cell: ({ tokens }) => countText(tokens.calls) },
  { head: 'of them unknown', class: 'number', cell: ({ tokens }) => countText(tokens.unknown) },
];

function WhoUsed({ stream }: { readonly stream: Stream | undefined }) {
  if (stream === undefined) return <>all calls, each once</>;
  return (
    <>
      <button type="button" class="link-button" onClick={() => openStream(stream.name)}>
        {stream.label || stream.name}
      </button>
      {usage.value.apart.includes(stream) ? (
        <span class="doubt"> no one origin: counted on no call</span>
      ) : null}
    </>
  );
}

function Used({ tokens, count }: { readonly tokens: Tokens; readonly count: number }) {
  const isUnknown = tokens.calls > 0 && tokens.unknown === tokens.calls;
  return isUnknown ? (
    <span title="No call says what it took: unknown, not zero">{UNKNOWN}</span>
  ) : (
    countText(count)
  );
}
