/** The rules of building and ordering a document, one small made root each. */
import type { Case } from './case.js';
import { CONTENT_CASES } from './content-cases.js';
import { ORDER_CASES } from './order-cases.js';
import { OTHER_CASES } from './other-cases.js';
import { TALK_CASES } from './talk-cases.js';

export const CASES: readonly Case[] = [...CONTENT_CASES, ...TALK_CASES, ...ORDER_CASES, ...OTHER_CASES];
