/**
 * Whose name a request may ask for. Any web page can make its own name lead to this machine and then read what a
 * server here answers; so a server answers only to names that nobody else can own: addresses, `localhost`, and
 * those its owner listed (view spec 7.7).
 */
import { isIP } from 'node:net';

/** Whether a `Host` header is answered. Its port does not matter. */
export function isAllowedHost(header: string, listed: readonly string[]): boolean {
  const name = hostName(header);
  if (name === undefined) return false;
  return isIP(name) !== 0 || name === 'localhost' || listed.some((other) => other.toLowerCase() === name);
}

/** The host of `name:port` or `[address]:port`, in lower case; `undefined` for what is neither. */
function hostName(header: string): string | undefined {
  const match = /^(?:\[([0-9a-f:.]+)\]|([^:[\]/?#@\s]+))(?::\d{0,5})?$/i.exec(header);
  return (match?.[1] ?? match?.[2])?.toLowerCase();
}
