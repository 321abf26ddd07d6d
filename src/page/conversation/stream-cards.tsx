/** What is said of a stream as a whole: where it comes from, what stands outside its talks. */
import type { Origin, Stream } from '../../format/view-document.js';
import { countOf } from '../model/quantity-text.js';
import { rangesOf, uncitedRecords } from '../model/uncited-records.js';
import { BackIcon } from '../shared/icons.js';
import { Word } from '../shared/word.js';
import { meaning } from './glossary.js';
import { LandedRecord } from './landed-record.js';
import { goTo, openStream } from './moves.js';
import { outline, stream } from './state.js';
import { TokenCount, usage } from './tokens.js';

/** Where a stream comes from, and the way back. */
export function Banner({ of }: { readonly of: Stream }) {
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

export function Outside({ steps, alone }: { readonly steps: number; readonly alone: boolean }) {
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
