/** Every question, in the order of the report: the way of the data. */
import type { Question } from '../harness.js';
import { CAT_ASSEMBLE } from './cat-assemble.js';
import { COLLECT } from './collect.js';
import { FOLD } from './fold.js';
import { INDEX_LOAD } from './index-load.js';
import { INDEX_REBUILD } from './index-rebuild.js';
import { PARSE } from './parse.js';
import { PARSE_AGAIN } from './parse-again.js';
import { PUSH, PUSH_MANY } from './push.js';
import { SERIALIZE } from './serialize.js';
import { STAGES_QUESTION } from './stages.js';
import { VERIFY } from './verify.js';
import { VIEW } from './view.js';

export const QUESTIONS: readonly Question[] = [
  COLLECT,
  INDEX_REBUILD,
  INDEX_LOAD,
  STAGES_QUESTION,
  SERIALIZE,
  FOLD,
  PARSE,
  PARSE_AGAIN,
  VERIFY,
  CAT_ASSEMBLE,
  VIEW,
  PUSH,
  PUSH_MANY,
];
