import { join } from 'node:path';

/**
 * The `projects` directory itself, from the first variable that is set and not empty: `CLAUDE_CONFIG_DIR`,
 * `XDG_CONFIG_HOME`, else the home directory (dialect spec 2.1).
 */
export function defaultSourceRoot(environment: NodeJS.ProcessEnv, home: string): string {
  const { CLAUDE_CONFIG_DIR: own, XDG_CONFIG_HOME: xdg } = environment;
  if (own) return join(own, 'projects');
  if (xdg) return join(xdg, 'claude', 'projects');
  return join(home, '.claude', 'projects');
}
