/** What the page sets going when its first document is drawn. */

import { lostOf, placeOf } from '../model/place.js';
import { readAhead } from './finding.js';
import { loadGlossary } from './glossary.js';
import { listenToKeys } from './keys.js';
import { idOfPath, isExport } from './load-document.js';
import { returnToAddress } from './moves.js';
import { lostPlace, problemsShown } from './problems.js';
import { keepFresh } from './refresh.js';
import { outline } from './state.js';

export function begin(): void {
  const { summary } = outline.value.document;
  document.title = summary.title || outline.value.document.conversation || 'Conversation';
  problemsShown.value = summary.steps === 0 && summary.problems.length > 0;
  lostPlace.value = lostOf(placeOf(location.search), (name, id) =>
    name === 'stream' ? outline.value.streams.has(id) : outline.value.nodes.has(id),
  );
  listenToKeys();
  addEventListener('popstate', returnToAddress);
  readAhead();
  if (isExport()) return;
  void loadGlossary();
  keepFresh(idOfPath());
}
