import { hitAddress } from '../model/addresses.js';
import { countOf } from '../model/quantity-text.js';
import type { Hit } from '../model/search-hits.js';
import { CrossIcon } from '../shared/icons.js';
import { Marked } from '../shared/marked.js';
import { type FoundConversation, type SearchAnswer, search } from './text-search.js';

/** What was found in the texts, by conversation; each hit leads to its step. */
export function SearchResults({ words, onClose }: { readonly words: string; readonly onClose: () => void }) {
  const now = search.value;
  return (
    <section aria-labelledby="found">
      <header class="found-head">
        <h2 id="found">
          In the texts: <q>{words}</q>
        </h2>
        <button type="button" onClick={onClose}>
          <CrossIcon /> Back to the list
        </button>
      </header>
      <p role="status" class="muted">
        {now.state === 'searching' && (now.isWaiting ? 'Waiting for another search to end…' : 'Searching…')}
        {now.state === 'found' && <Outcome answer={now.answer} />}
      </p>
      {now.state === 'failed' && <p role="alert">The search failed: {now.why}</p>}
      {now.state === 'found' &&
        now.answer.conversations.map((found) => (
          <Found key={found.conversation} found={found} words={now.answer.query} />
        ))}
    </section>
  );
}

function Outcome({ answer }: { readonly answer: SearchAnswer }) {
  const { conversations, complete, note, not_searched } = answer;
  const hits = conversations.reduce((sum, found) => sum + found.hits.length, 0);
  const found =
    hits === 0 && conversations.length === 0
      ? 'Nothing found'
      : `${complete ? '' : 'The first '}${countOf(hits, 'hit')} in ${countOf(conversations.length, 'conversation')}`;
  const without = not_searched.length === 0 ? '' : ` Without ${not_searched.join(', ')}: no document.`;
  return `${found}; ${note}.${without}`;
}

function Found({ found, words }: { readonly found: FoundConversation; readonly words: string }) {
  const { conversation, title, hits } = found;
  return (
    <article class="found">
      <h3>
        <a href={`/c/${encodeURIComponent(conversation)}`}>
          <Marked text={title === '' ? '(untitled)' : title} words={words} />
        </a>
        <span class="id">{conversation}</span>
      </h3>
      <ol>
        {hits.map((hit, i) => (
          <li key={i}>
            <a class="hit" href={hitAddress(conversation, hit)}>
              <span class="where">{whereOf(hit)}</span>
              <span class="snippet">
                <Marked text={hit.snippet} words={words} />
              </span>
            </a>
          </li>
        ))}
      </ol>
    </article>
  );
}

const FIELDS: Readonly<Record<string, string>> = {
  label: 'opening words',
  reply: 'closing words',
  text: 'text',
  result: 'result',
};

function whereOf({ field, stream }: Hit): string {
  return `${FIELDS[field] ?? field}${stream === 'main' || stream === '' ? '' : ` · ${stream}`}`;
}
