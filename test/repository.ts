import { resolve } from 'node:path';

/** The repository's root: two levels above this file once it is built. Apart, so that scripts can ask for it. */
export const REPOSITORY = resolve(import.meta.dirname, '../..');
