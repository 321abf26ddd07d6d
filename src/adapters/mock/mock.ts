/**
 * The adapter of Session Data that is written in the model's own words: by scenarios, tests and golden roots.
 * It collects nothing; `land.ts` writes into a storage root what `events.ts` makes of events.
 * Source: dialect spec 5.
 */
import type { Adapter } from '../adapter.js';
import { GLOSSARY } from './glossary.js';

export const MOCK: Adapter = {
  name: 'mock',
  // The contract's version, not the project's, as in every header this adapter writes.
  contract: 'mock/0.2.0',
  dialect: 'mock/1',
  runtime: 'Mock Agent',
  glossary: GLOSSARY,
};
