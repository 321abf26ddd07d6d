/** The keyboard of the list page, apart from what its field does by itself. */
import type { ListKey } from '../model/key-words.js';
import { helpShown } from '../shared/keys-help.js';
import { searched, words } from './list-state.js';

/** What can be opened, in the order it is drawn. */
const LINKS = 'main a.title, main a.hit';

const STEPS: Readonly<Record<Exclude<ListKey, '/' | 'Escape' | '?' | ' '>, number>> = {
  ArrowDown: 1,
  j: 1,
  ArrowUp: -1,
  k: -1,
  Home: Number.NEGATIVE_INFINITY,
  End: Number.POSITIVE_INFINITY,
};

/** Listens until ended. `field` is where `/` leads. */
export function listenToKeys(field: HTMLInputElement): () => void {
  const onKey = (event: KeyboardEvent): void => {
    if (helpShown.value || event.ctrlKey || event.metaKey || event.altKey) return;
    const isTyping = event.target instanceof HTMLInputElement;
    if (event.key === 'Escape') leave();
    else if (event.key === '/' && !isTyping) field.select();
    else if (event.key === '?' && !isTyping) helpShown.value = true;
    else if (isTyping || !move(event.key)) return;
    event.preventDefault();
  };
  document.addEventListener('keydown', onKey);
  return () => document.removeEventListener('keydown', onKey);
}

/** First out of the search, then out of the filter. */
function leave(): void {
  if (searched.value !== '') searched.value = '';
  else words.value = '';
}

/** From link to link, beginning with the first. Enter opens the one in focus by itself; Space does it here. */
function move(key: string): boolean {
  const links = [...document.querySelectorAll<HTMLAnchorElement>(LINKS)];
  const at = links.indexOf(document.activeElement as HTMLAnchorElement);
  const step = Object.hasOwn(STEPS, key) ? STEPS[key as keyof typeof STEPS] : undefined;
  if (step !== undefined && (at >= 0 || key === 'j')) {
    const to = at < 0 ? 0 : Math.min(Math.max(at + step, 0), links.length - 1);
    links[to]?.focus();
    return true;
  }
  if (key !== ' ' || at < 0) return false;
  links[at]!.click();
  return true;
}
