/**
 * Which sessions are collected: patterns from the configuration against names of project directories.
 *
 *     /private/tmp/**      the directory and what is beneath it: `-private-tmp`, `-private-tmp-…`
 *     /home/me/app         that directory alone: `-home-me-app`
 *     -home-me-*           a glob on the name: `*`, `?`, `[a-z]`, `[^a]`, `\` escapes
 *
 * Source: dialect spec 2.4. A name cannot be turned back into a directory, so a pattern is turned into a name.
 */
import type { FilterPatterns, SessionFilter } from '../adapter.js';

/** Exclusion is looked at first. A session is judged by its main transcript's directory while it has one. */
export function sessionFilter({ include, exclude }: FilterPatterns): SessionFilter {
  const included = matchers(include);
  const excluded = matchers(exclude);
  return ({ primary, directories }) => {
    const names = primary === '' ? directories : [primary];
    if (names.length > 0 && names.every((name) => excluded.some((matches) => matches(name)))) return false;
    return included.length === 0 || names.some((name) => included.some((matches) => matches(name)));
  };
}

type Matcher = (directory: string) => boolean;

function matchers(patterns: readonly string[]): Matcher[] {
  return patterns
    .map((pattern) => pattern.trim())
    .filter((pattern) => pattern !== '')
    .map(matcher);
}

function matcher(pattern: string): Matcher {
  const beneath = pattern.endsWith('/**');
  const cut = beneath ? pattern.slice(0, -'/**'.length) : pattern;
  // The client writes a directory's path as one name, with its own separators lost.
  const base = pattern.startsWith('/') ? cut.replaceAll(/[/. ]/g, '-') : cut;
  const glob = globExpression(base);
  return (name) => name === base || (beneath && name.startsWith(`${base}-`)) || (glob?.test(name) ?? false);
}

/** The glob as an expression; `undefined` when it is not a valid one, which then matches by equality alone. */
function globExpression(glob: string): RegExp | undefined {
  let source = '';
  const token = /\\(.)|(\*+)|(\?)|\[(\^?)((?:\\.|[^\]\\])+)\]|([^\\[])/gsuy;
  let at = 0;
  for (let m = token.exec(glob); m !== null; m = token.exec(glob)) {
    const [, escaped, stars, one, not, members, plain] = m;
    if (stars !== undefined) source += '.*';
    else if (one !== undefined) source += '.';
    else if (members !== undefined) source += `[${not}${members.replaceAll(/\\?([^\\-])/gsu, escapeMember)}]`;
    else source += literal(escaped ?? plain ?? '');
    at = token.lastIndex;
  }
  if (at < glob.length) return undefined;
  try {
    return new RegExp(`^${source}$`, 'su');
  } catch {
    return undefined;
  }
}

function escapeMember(_: string, character: string): string {
  return literal(character);
}

/** Hex spelling is the one escape that means itself everywhere in an expression. */
function literal(character: string): string {
  return [...character].map((c) => `\\u{${c.codePointAt(0)?.toString(16)}}`).join('');
}
