import type { ViewDocument } from '../document.js';

/** A conversation, drawn from its document alone. */
export function ConversationPage({ document }: { readonly document: ViewDocument }) {
  return (
    <main>
      <h1>{document.summary.title}</h1>
    </main>
  );
}
