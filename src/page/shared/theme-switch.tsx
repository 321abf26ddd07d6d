import { MoonIcon, SunIcon, SystemThemeIcon } from './icons.js';
import { nextTheme, theme } from './theme.js';

const ICONS = { system: SystemThemeIcon, light: SunIcon, dark: MoonIcon } as const;
const WORDS = { system: 'as the system', light: 'light', dark: 'dark' } as const;

export function ThemeSwitch() {
  const Icon = ICONS[theme.value];
  const words = `Colours: ${WORDS[theme.value]}`;
  return (
    <button type="button" class="bare" onClick={nextTheme} title={words} aria-label={words}>
      <Icon />
    </button>
  );
}
