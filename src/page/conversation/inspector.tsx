/** One step, talk or run: what is known of it, what it is related to, and the records it rests on. */
import type { ViewNode } from '../../format/view-document.js';
import {
  citationsOf,
  type Fact,
  factsOf,
  pathOf,
  type Related,
  refWords,
  relatedOf,
} from '../model/inspect.js';
import { kindTitle } from '../model/kind-words.js';
import type { Tab } from '../model/place.js';
import { countOf, sizeText } from '../model/quantity-text.js';
import { zone } from '../shared/clock.js';
import { CopyButton } from '../shared/copy-button.js';
import { CrossIcon } from '../shared/icons.js';
import { Tabs } from '../shared/tabs.js';
import { Word } from '../shared/word.js';
import { addressOf } from './address.js';
import { ChangeCard } from './changes.js';
import { Doubt, FileDoubt } from './doubt.js';
import { meaning } from './glossary.js';
import { JsonText, LandedRecord } from './landed-record.js';
import { goTo, select, showTab } from './moves.js';
import { outline, selectedNode, tab } from './state.js';
import { WhyEmpty } from './step-card.js';
import { TokenCount, usage } from './tokens.js';

export function Inspector() {
  const node = selectedNode.value;
  if (node === undefined)
    return (
      <aside class="inspector" aria-label="Inspector">
        <p class="muted pad">
          Select a step to see what is known of it, what it is related to, and the records it rests on.{' '}
          <kbd>j</kbd> and <kbd>k</kbd> go from step to step, <kbd>?</kbd> lists all keys.
        </p>
      </aside>
    );
  const related = relatedOf(outline.value, node);
  const changes = outline.value.document.workspace_changes.filter(
    ({ step, id }) => step === node.id || (id !== undefined && node.changes?.includes(id) === true),
  );
  const tabs: readonly (readonly [Tab, string])[] = [
    ['details', 'Details'],
    ...(related.length === 0 ? [] : [['relations', `Relations ${related.length}`] as const]),
    ['evidence', 'Evidence'],
    ...(changes.length === 0 ? [] : [['changes', `Changes ${changes.length}`] as const]),
  ];
  const shown = tabs.some(([name]) => name === tab.value) ? tab.value : 'details';
  return (
    <aside class="inspector" aria-label="Inspector">
      <header class="inspector-head">
        <h2>
          {node.name ?? kindTitle(node.kind)} <code class="kind-word">{node.kind}</code>
        </h2>
        <CopyButton link text={() => addressOf(node.id)} label="Copy link" />
        <button type="button" class="bare" aria-label="Clear the selection" onClick={() => select(null)}>
          <CrossIcon />
        </button>
      </header>
      <Tabs label="Inspector" tabs={tabs} now={shown} prefix="tab" controls="inspected" onPick={showTab} />
      <div class="inspected" id="inspected" role="tabpanel" aria-labelledby={`tab-${shown}`}>
        {shown === 'details' ? <Details node={node} /> : null}
        {shown === 'relations' ? <Relations related={related} node={node} /> : null}
        {shown === 'evidence' ? <Evidence node={node} /> : null}
        {shown === 'changes'
          ? changes.map((change, i) => (
              <ChangeCard key={`${i}:${change.id}`} change={change} id={`inspect:${i}`} />
            ))
          : null}
      </div>
    </aside>
  );
}

function Details({ node }: { readonly node: ViewNode }) {
  const path = pathOf(outline.value, node);
  const said = meaning(node.kind);
  const below = node.kind === 'talk' ? usage.value.ofTreeNested(node) : usage.value.ofChildren(node);
  return (
    <>
      <nav class="path" aria-label="Where it stands">
        {path.map(({ label, to }, i) => (
          <span key={`${i}:${label}`}>
            {i === 0 ? null : <span class="muted"> › </span>}
            {to === undefined ? (
              label
            ) : (
              <button type="button" class="link-button" onClick={() => goTo(to)}>
                {label}
              </button>
            )}
          </span>
        ))}
      </nav>
      {said === undefined ? null : <p class="meaning">{said}</p>}
      <Doubt node={node} />
      {node.kind === 'thinking' && node.text === undefined ? <WhyEmpty node={node} /> : null}
      <dl class="facts">
        {factsOf(outline.value, node, zone()).map((fact) => (
          <FactRow key={fact.name} fact={fact} />
        ))}
      </dl>
      {below.calls === 0 ? null : (
        <p>
          <TokenCount
            tokens={below}
            of={
              node.kind === 'talk'
                ? 'with the child agents only it started'
                : 'in the child agents only this started'
            }
          />
        </p>
      )}
      {node.attrs === undefined || Object.keys(node.attrs).length === 0 ? null : (
        <details>
          <summary>attributes, as the round wrote them</summary>
          <JsonText text={JSON.stringify(node.attrs)} id={`attrs:${node.id}`} />
        </details>
      )}
    </>
  );
}

function FactRow({ fact: { name, value, to, hint, note, isWord } }: { readonly fact: Fact }) {
  return (
    <div class="fact">
      <dt title={meaning(name)}>{name}</dt>
      <dd title={hint}>
        {to === undefined ? (
          isWord === true ? (
            <Word word={value} meaning={meaning(value)} />
          ) : (
            value
          )
        ) : (
          <button type="button" class="link-button" onClick={() => goTo(to)}>
            {value}
          </button>
        )}
        {note === undefined ? null : <div class="muted note">{note}</div>}
      </dd>
    </div>
  );
}

function Relations({ related, node }: { readonly related: readonly Related[]; readonly node: ViewNode }) {
  const starts = related.filter(({ type, dir }) => type === 'starts' && dir === 'out');
  return (
    <>
      {starts.length > 1 ? (
        <p class="muted">All {countOf(starts.length, 'stream')} were started by it; none is a rival guess.</p>
      ) : null}
      <ul class="relations">
        {related.map(({ type, dir, quality, via, label, to, evidence }, i) => (
          <li key={`${i}:${type}`}>
            <div>
              <Word word={type} meaning={meaning(type)} />{' '}
              <span class="muted">{dir === 'out' ? 'from here to' : 'to here from'}</span>{' '}
              {to === undefined ? (
                <code>{label}</code>
              ) : (
                <button type="button" class="link-button" onClick={() => goTo(to)}>
                  {label}
                </button>
              )}
            </div>
            <div class="muted">
              <Word word={quality} meaning={meaning(quality)} />
              {via === undefined ? '' : ` · ${via}`}
              {evidence.length === 0 ? '' : ` · records ${evidence.map(refWords).join(', ')}`}
            </div>
          </li>
        ))}
      </ul>
      {node.id === '' ? null : (
        <p class="muted">
          <kbd>[</kbd> and <kbd>]</kbd> follow a relation to its other end.
        </p>
      )}
    </>
  );
}

function Evidence({ node }: { readonly node: ViewNode }) {
  const citations = citationsOf(node);
  return (
    <>
      {citations.length === 0 ? <p class="muted">Derived by assembly: it cites no landed record.</p> : null}
      <ul class="citations">
        {citations.map(({ label, ref }, i) => (
          <li key={`${i}:${refWords(ref)}`}>
            <span class="chip">
              {label} <code>{refWords(ref)}</code>
            </span>
            <FileOf seq={ref.seq} /> <FileDoubt seq={ref.seq} /> <LandedRecord at={ref} />
          </li>
        ))}
      </ul>
      {node.flags === undefined || node.flags.length === 0 ? null : (
        <p>
          flags{' '}
          {node.flags.map((flag) => (
            <code class="chip" key={flag}>
              {flag}
            </code>
          ))}
        </p>
      )}
      {node.dropped === undefined || node.dropped.length === 0 ? null : (
        <>
          <h3>Understood and not carried</h3>
          <ul>
            {node.dropped.map(({ what, bytes, why }) => (
              <li key={what}>
                {what} · {sizeText(bytes)}
                {why === undefined ? '' : ` · ${why}`}
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  );
}

function FileOf({ seq }: { readonly seq: number }) {
  const file = outline.value.document.files.find((file) => file.seq === seq);
  return file === undefined ? (
    <span class="doubt">landed file {seq} is not there</span>
  ) : (
    <span class="muted file-name" title={`${file.file}\nSHA-256 ${file.digest}`}>
      {file.file.split('/').at(-1)}
    </span>
  );
}
