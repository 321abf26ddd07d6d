/** What holds of the whole conversation, its proof first. */
import type { Panel } from '../model/place.js';
import { countOf, countText } from '../model/quantity-text.js';
import { spanText } from '../model/time-text.js';
import { dateText } from '../shared/clock.js';
import { ClockSwitch } from '../shared/clock-switch.js';
import { HelpButton } from '../shared/keys-help.js';
import { StateBadge } from '../shared/state-badge.js';
import { ThemeSwitch } from '../shared/theme-switch.js';
import { FindBar } from './find-bar.js';
import { isExport } from './load-document.js';
import { showPanel } from './moves.js';
import { problemsShown } from './problems.js';
import { type Freshness, freshness, toLatest, trouble } from './refresh.js';
import { counts, following, outline, panel } from './state.js';
import { TokenCount, usage } from './tokens.js';

export function Strip() {
  const { document } = outline.value;
  const { summary, head } = document;
  const { talks, childTalks, childAgents } = counts.value;
  return (
    <header class="strip">
      <div class="strip-title">
        {isExport() ? null : (
          <a href="/" title="All conversations">
            asz
          </a>
        )}
        <h1 title={document.conversation}>{summary.title || '(untitled)'}</h1>
      </div>
      <div class="strip-facts">
        <IntegrityBadge />
        <button type="button" class="fact-button" title={head.digest} onClick={() => show('proof')}>
          round {head.round}
        </button>
        <span title={childTalks === 0 ? undefined : `and ${countText(childTalks)} of child agents`}>
          {countOf(talks, 'talk')}
        </span>
        <span>{countOf(summary.steps, 'step')}</span>
        {childAgents === 0 ? null : <span>{countOf(childAgents, 'child agent')}</span>}
        <span>{countOf(summary.segments, 'segment')}</span>
        <span title={`${dateText(summary.from)} – ${dateText(summary.to)}`}>
          {spanText(summary.to - summary.from)}
        </span>
        <TokenCount tokens={usage.value.total} />
        {summary.changes === 0 ? null : (
          <button type="button" class="fact-button" onClick={() => show('changes')}>
            {countOf(summary.changes, 'change')}
          </button>
        )}
        {summary.unresolved === 0 ? null : (
          <button type="button" class="fact-button doubt" onClick={() => show('unresolved')}>
            {countText(summary.unresolved)} unresolved
          </button>
        )}
        {Object.keys(summary.withheld).length === 0 ? null : (
          <span class="badge warn" title="This copy does not show them">
            withheld: {Object.keys(summary.withheld).join(', ')}
          </span>
        )}
      </div>
      <div class="strip-end">
        <Live />
        <FindBar />
        <HelpButton />
        <ClockSwitch />
        <ThemeSwitch />
      </div>
    </header>
  );
}

/** Pressed once more, it leads back. */
function show(name: Panel): void {
  showPanel(panel.value === name ? 'transcript' : name);
}

function IntegrityBadge() {
  const { summary, rounds, files } = outline.value.document;
  const verified = rounds.filter((round) => round.verified === true).length;
  const { length } = summary.problems;
  const words = `${countText(verified)}/${countText(rounds.length)} rounds verified · ${countOf(files.length, 'file')}`;
  return (
    <button
      type="button"
      class="integrity"
      id="integrity"
      aria-expanded={length === 0 ? undefined : problemsShown.value}
      onClick={() => {
        if (length === 0) show('proof');
        else problemsShown.value = !problemsShown.value;
      }}
    >
      {trouble.value === undefined ? (
        <StateBadge state={summary.state} hint={words} />
      ) : (
        <span class="badge warn" title={`It was ${summary.state} when it last came; now: ${trouble.value}`}>
          not checked
        </span>
      )}
      <span class="integrity-detail">
        {trouble.value === undefined ? words : `no longer known: ${trouble.value}`}
        {length === 0 ? null : <strong class="bad"> · {countOf(length, 'problem')}</strong>}
      </span>
    </button>
  );
}

const FRESH_WORDS: Readonly<Record<Freshness, string>> = {
  live: 'live',
  fetching: 'fetching',
  'not told': 'not live',
};

function Live() {
  if (isExport()) return null;
  const now = freshness();
  return (
    <span class={`live ${now.replace(' ', '-')}`}>
      <span role="status" title={trouble.value ?? 'New rounds appear here by themselves'}>
        <i aria-hidden="true" /> {FRESH_WORDS[now]}
      </span>
      <label title="Go to the end whenever a round arrives">
        <input
          type="checkbox"
          checked={following.value}
          onChange={(event) => {
            following.value = event.currentTarget.checked;
            if (following.value) toLatest();
          }}
        />
        follow latest
      </label>
    </span>
  );
}
