/** Light or dark: what the system says, until the reader says otherwise. */
import { signal } from '@preact/signals';
import { keep, kept } from './kept.js';

export type Theme = 'system' | 'light' | 'dark';

const KEY = 'asz.theme';

export const theme = signal<Theme>(themeOf(kept(KEY)));
apply(theme.value);

/** The switch goes round: system, light, dark. */
export function nextTheme(): void {
  theme.value = theme.value === 'system' ? 'light' : theme.value === 'light' ? 'dark' : 'system';
  keep(KEY, theme.value === 'system' ? undefined : theme.value);
  apply(theme.value);
}

function themeOf(text: string | undefined): Theme {
  return text === 'light' || text === 'dark' ? text : 'system';
}

/** theme.css knows the attribute. */
function apply(theme: Theme): void {
  if (theme === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}
