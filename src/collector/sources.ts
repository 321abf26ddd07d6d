/** The adapters that a configuration enables, with where each reads. */
import { homedir } from 'node:os';
import { resolve } from 'node:path';
import { type CollectingAdapter, collects } from '../adapters/adapter.js';
import { adapterNamed } from '../adapters/registry.js';
import type { AdapterConfig, Config } from '../config/config.js';

/** An enabled adapter that collects from files, and its settings. */
export interface LocalSource {
  readonly adapter: CollectingAdapter;
  readonly sourceRoot: string;
  readonly settings: AdapterConfig;
}

export function localSources(config: Config, environment: NodeJS.ProcessEnv): LocalSource[] {
  const sources: LocalSource[] = [];
  for (const settings of config.adapters) {
    const adapter = settings.enabled ? adapterNamed(settings.name) : undefined;
    if (adapter === undefined || !collects(adapter)) continue;
    const sourceRoot =
      settings.sourceRoot === ''
        ? adapter.defaultSourceRoot(environment, homedir())
        : resolve(settings.sourceRoot);
    sources.push({ adapter, sourceRoot, settings });
  }
  return sources;
}
