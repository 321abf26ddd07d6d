import { ThemeSwitch } from '../shared/theme-switch.js';

/** The conversations there are. */
export function ListPage() {
  return (
    <main>
      <h1>Conversations</h1>
      <ThemeSwitch />
    </main>
  );
}
