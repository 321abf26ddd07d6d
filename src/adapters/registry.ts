/** The adapters there are. Adding one here is all it takes for collection, sources and glossary to know it. */
import type { Adapter } from './adapter.js';
import { CLAUDE_CODE } from './claude-code/claude-code.js';
import { MOCK } from './mock/mock.js';

export const ADAPTERS: readonly Adapter[] = [CLAUDE_CODE, MOCK];

/** The adapter of this name in the configuration, or `undefined`. */
export function adapterNamed(name: string): Adapter | undefined {
  return ADAPTERS.find((adapter) => adapter.name === name);
}

/** The adapter that writes a dialect, as landed headers name it, or `undefined`. */
export function adapterOfDialect(dialect: string): Adapter | undefined {
  return ADAPTERS.find((adapter) => adapter.dialect === dialect);
}
