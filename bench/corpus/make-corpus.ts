/** Makes a corpus of a preset, in one form, below a folder that must not exist yet. */
import { mkdirSync } from 'node:fs';
import type { Instant } from '../../src/format/time.js';
import { History, type Shapes } from './history.js';
import { presetNamed } from './presets.js';
import { writeSources } from './write-claude-code.js';
import { LandedSession } from './write-landed.js';

export const FORMS = ['landed', 'claude-code'] as const;
export type Form = (typeof FORMS)[number];

export interface MadeSession {
  readonly session: string;
  readonly shapes: Shapes;
}

/** `landed` makes a storage root with indexes, `claude-code` a `projects` directory. Memory: one pass of a session. */
export function makeCorpus(preset: string, form: Form, seed: number, folder: string): MadeSession[] {
  mkdirSync(folder, { recursive: false });
  return presetNamed(preset, seed).sessions.map((options) => {
    const history = new History(options);
    const landed = form === 'landed' ? new LandedSession(folder, history.session) : undefined;
    let passes = 0;
    for (const pass of history.passes())
      if (landed === undefined) writeSources(folder, pass);
      else landed.pass(pass, passInstant(passes++));
    landed?.finish(passInstant(passes));
    return { session: history.session, shapes: history.shapes };
  });
}

/** When a pass took place: ten minutes after the one before. No clock is read. */
export function passInstant(pass: number): Instant {
  return { ms: Date.UTC(2026, 5, 1) + pass * 600_000, ns: 0 };
}
