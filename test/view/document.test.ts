/** The rules of a document, one by one. */
import { test } from 'node:test';
import { CASES } from './cases.js';
import { viewed } from './viewing.js';

for (const { rule, holds } of CASES) test(rule, () => holds(viewed));
