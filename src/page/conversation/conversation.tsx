/** The conversation page begins: loads the document, saying how far it is or why it cannot, and shows it. */
import { signal } from '@preact/signals';
import { render } from 'preact';
import type { ViewDocument } from '../../format/view-document.js';
import { ThemeSwitch } from '../shared/theme-switch.js';
import { ConversationPage } from './conversation-page.js';
import { embeddedDocument, fetchDocument, idOfPath, isExport, type Received } from './load-document.js';

type Loading =
  | { readonly state: 'receiving'; readonly received: Received | undefined }
  | { readonly state: 'failed'; readonly why: string }
  | { readonly state: 'loaded'; readonly document: ViewDocument };

const loading = signal<Loading>({ state: 'receiving', received: undefined });

async function load(): Promise<void> {
  try {
    const document = isExport()
      ? embeddedDocument()
      : await fetchDocument(idOfPath(), (received) => {
          loading.value = { state: 'receiving', received };
        });
    loading.value = { state: 'loaded', document };
  } catch (cause) {
    loading.value = { state: 'failed', why: cause instanceof Error ? cause.message : String(cause) };
  }
}

function Page() {
  const now = loading.value;
  if (now.state === 'loaded')
    return (
      <>
        {isExport() ? <ExportNotice /> : null}
        <ConversationPage document={now.document} />
      </>
    );
  return (
    <main class="loading">
      {now.state === 'receiving' ? <Receiving received={now.received} /> : <Failed why={now.why} />}
    </main>
  );
}

function ExportNotice() {
  return (
    <p class="export-notice" role="note">
      A conversation as one file, with nothing behind it: a text ends at 2,000 bytes, and the landed records
      it stands on are not here.
    </p>
  );
}

function Receiving({ received }: { readonly received: Received | undefined }) {
  const { bytes, total } = received ?? { bytes: 0, total: undefined };
  const size = `${(bytes / 1e6).toFixed(1)} MB${total === undefined ? '' : ` of ${(total / 1e6).toFixed(1)} MB`}`;
  return (
    <>
      <p role="status">Receiving the conversation…</p>
      <progress max={total} value={total === undefined ? undefined : bytes} aria-label="Received" />
      <p class="muted number">{size}</p>
    </>
  );
}

function Failed({ why }: { readonly why: string }) {
  return (
    <>
      <h1>This conversation could not be shown</h1>
      <p role="alert">{why}</p>
      <p>
        {isExport() ? null : <a href="/">All conversations</a>} <ThemeSwitch />
      </p>
    </>
  );
}

render(<Page />, document.getElementById('page')!);
void load();
