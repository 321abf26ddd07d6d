/** One landed record, whole, as the server keeps it: fetched when asked for. A page in a file has none. */

import { signal } from '@preact/signals';
import type { Ref } from '../../format/view-document.js';
import { indented } from '../model/fields.js';
import { refWords } from '../model/inspect.js';
import { countText } from '../model/quantity-text.js';
import { imagesOf } from '../model/record-images.js';
import { ApiError, ask } from '../shared/api.js';
import { CopyButton } from '../shared/copy-button.js';
import { FindMarked } from './find-marked.js';
import { fieldMeaning, meaning } from './glossary.js';
import { idOfPath, isExport } from './load-document.js';
import { setOpen } from './moves.js';
import { opened } from './state.js';

type Loaded = { readonly text: string } | { readonly why: string } | 'loading';

/** By `seq:row`; a landed record never changes. */
const records = signal<ReadonlyMap<string, Loaded>>(new Map());

async function load({ seq, row }: Ref): Promise<void> {
  const put = (loaded: Loaded) => {
    records.value = new Map(records.value).set(`${seq}:${row}`, loaded);
  };
  put('loading');
  try {
    const id = encodeURIComponent(idOfPath());
    put({ text: await (await ask(`/api/c/${id}/record/${seq}/${row}`)).text() });
  } catch (cause) {
    if (!(cause instanceof ApiError)) throw cause;
    put({ why: cause.message });
  }
}

export function LandedRecord({ at }: { readonly at: Ref }) {
  if (isExport()) return <span class="muted">This file carries no landed records.</span>;
  const loaded = records.value.get(`${at.seq}:${at.row}`);
  const key = `record:${at.seq}:${at.row}`;
  const isOpen = loaded !== undefined && (opened.value.get(key) ?? true);
  return (
    <>
      <button
        type="button"
        class="quiet-button"
        aria-expanded={isOpen}
        onClick={() => {
          setOpen(key, !isOpen);
          if (!isOpen && (loaded === undefined || (typeof loaded === 'object' && 'why' in loaded)))
            void load(at);
        }}
      >
        {isOpen ? 'Hide' : 'Load'} the landed record {refWords({ seq: at.seq, row: at.row })}
      </button>
      {isOpen ? <Shown loaded={loaded} id={key} /> : null}
    </>
  );
}

function Shown({ loaded, id }: { readonly loaded: Loaded; readonly id: string }) {
  if (loaded === 'loading') return <p class="muted">Loading…</p>;
  if ('why' in loaded) return <p role="alert">{loaded.why}</p>;
  return (
    <>
      {imagesOf(loaded.text).map(({ type, data }, i) => (
        <img
          key={i}
          class="record-image"
          style={{ display: 'block', maxInlineSize: '100%' }}
          src={`data:${type};base64,${data}`}
          alt={`In the landed record, number ${i + 1}: ${type}`}
        />
      ))}
      <JsonText text={loaded.text} id={id} />
    </>
  );
}

/** Shown at first; the rest is behind a button. */
const FIRST_LINES = 120;
const FIRST_UNITS = 1000;
const KEY = /^(\s*)"((?:[^"\\]|\\.){1,80})": /;

/** JSON over several lines, each token as it is spelled, with what its fields hold. */
export function JsonText({ text, id }: { readonly text: string; readonly id: string }) {
  const lines = indented(text).split('\n');
  const allKey = `all:${id}`;
  const isAll = opened.value.get(allKey) ?? false;
  const shown = isAll ? lines : lines.slice(0, FIRST_LINES);
  return (
    <div class="json-text">
      <div class="json-head">
        <span class="muted">{countText(text.length)} characters</span>
        <CopyButton text={() => text} label="Copy the record" />
      </div>
      {shown.map((line, i) => (
        <JsonLine key={i} line={line} id={`${id}:${i}`} />
      ))}
      {lines.length > FIRST_LINES ? (
        <button type="button" class="quiet-button" onClick={() => setOpen(allKey, !isAll)}>
          {isAll ? 'Show less' : `Show all ${countText(lines.length)} lines`}
        </button>
      ) : null}
    </div>
  );
}

function JsonLine({ line, id }: { readonly line: string; readonly id: string }) {
  const name = KEY.exec(line)?.[2];
  const said = name === undefined ? undefined : (fieldMeaning(name) ?? meaning(name));
  const askKey = `ask:${id}`;
  const isAsked = opened.value.get(askKey) ?? false;
  const wholeKey = `whole:${id}`;
  const isWhole = line.length <= FIRST_UNITS || (opened.value.get(wholeKey) ?? false);
  return (
    <div class="json-line">
      <FindMarked text={isWhole ? line : line.slice(0, FIRST_UNITS)} />
      {isWhole ? null : (
        <button type="button" class="quiet-button" onClick={() => setOpen(wholeKey, true)}>
          … show all {countText(line.length)} characters
        </button>
      )}
      {said === undefined ? null : (
        <button
          type="button"
          class="ask"
          title={said}
          aria-label={`What is ${name}?`}
          aria-expanded={isAsked}
          onClick={() => setOpen(askKey, !isAsked)}
        >
          ?
        </button>
      )}
      {isAsked ? <div class="asked">{said}</div> : null}
    </div>
  );
}
