/** The adapter for Claude Code's own files. Source of its rules: dialect spec 2 and 3. */
import type { CollectingAdapter } from '../adapter.js';
import { convertUnit } from './dialect.js';
import { discover } from './discovery.js';
import { GLOSSARY } from './glossary.js';
import { sessionFilter } from './session-filter.js';
import { isSessionId, locate } from './source-names.js';
import { defaultSourceRoot } from './source-root.js';

export const CLAUDE_CODE: CollectingAdapter = {
  name: 'claude-code-local',
  // The contract's version, not the project's: departures from the reference are listed in docs instead.
  contract: 'claude-code-local/0.1.0',
  dialect: 'claude-code/1',
  runtime: 'Claude Code',
  messagePrefix: 'claudecode',
  defaultSourceRoot,
  discover,
  isSessionId,
  locate,
  sessionFilter,
  convert: convertUnit,
  glossary: GLOSSARY,
};
