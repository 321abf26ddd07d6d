import { listConversations, listSessions } from '../io/storage-root.js';
import type { CommandContext } from './context.js';

/**
 * The sessions a command is to go through: all, or the one that was named. A name that nothing has is no error,
 * so that a script may ask for a session that is not there yet; but whoever mistyped it hears of it.
 */
export function wantedSessions(
  root: string,
  { args, warn }: Pick<CommandContext, 'args' | 'warn'>,
): string[] {
  const [wanted] = args;
  const sessions = listSessions(root);
  if (wanted === undefined) return sessions;
  if (sessions.includes(wanted)) return [wanted];
  if (!listConversations(root).includes(wanted)) warn(`no session ${wanted} in ${root}`);
  return [];
}
