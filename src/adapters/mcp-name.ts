const PREFIX = 'mcp__';

/**
 * Server and tool of `mcp__<server>__<tool>`, only when the name can mean nothing else: exactly one `__`, also
 * counting overlapping ones, with something on both sides. `mcp__a___b` could be `a` and `_b` or `a_` and `b`
 * (dialect spec 3.9).
 */
export function splitMcpName(name: string): { readonly server: string; readonly tool: string } | undefined {
  if (!name.startsWith(PREFIX)) return undefined;
  const rest = name.slice(PREFIX.length);
  const cut = rest.indexOf('__');
  if (cut <= 0 || cut + 2 >= rest.length || rest.indexOf('__', cut + 1) >= 0) return undefined;
  return { server: rest.slice(0, cut), tool: rest.slice(cut + 2) };
}
