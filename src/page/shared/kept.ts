/**
 * What a reader chose, kept by the browser: a theme, the width of a panel. A browser may keep nothing at all, as for a
 * file that was opened, or refuse even to be asked; then every visit begins anew, and nothing else is lost.
 */

export function kept(key: string): string | undefined {
  try {
    return localStorage.getItem(key) ?? undefined;
  } catch {
    return undefined;
  }
}

/** `undefined` forgets. */
export function keep(key: string, value: string | undefined): void {
  try {
    if (value === undefined) localStorage.removeItem(key);
    else localStorage.setItem(key, value);
  } catch {
    // See above.
  }
}
