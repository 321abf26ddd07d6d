/** The browser that tests and pictures are made with: one that is there, none is brought along. */
import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

/** Debian's, unless `$ASZ_CHROMIUM` names another. */
export const CHROMIUM = process.env.ASZ_CHROMIUM || '/usr/bin/chromium';
export const isThere = existsSync(CHROMIUM);

const FLAGS = [
  // The sandbox does not start for root, as which a CI runs.
  ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Starts it, without a window and with a profile of its own that goes with it. */
export async function launch(): Promise<Browser> {
  if (!isThere)
    throw new Error(`no browser at ${CHROMIUM}; install Debian's package chromium, or set ASZ_CHROMIUM`);
  return chromium.launch({ executablePath: CHROMIUM, args: FLAGS });
}

/** What makes a page look the same wherever it is drawn. */
export const SAME_EVERYWHERE = {
  locale: 'en-US',
  timezoneId: 'Europe/Berlin',
  reducedMotion: 'reduce',
} as const;
