/** The routes as data, and which one a path means (view spec 7.2). */

/** The parts of a path that are given, by the names the route has for them. */
export type Given = Readonly<Record<string, string>>;

export type RouteName =
  | 'list-page'
  | 'conversation-page'
  | 'asset'
  | 'favicon'
  | 'logo'
  | 'status'
  | 'conversations'
  | 'glossary'
  | 'events'
  | 'search'
  | 'view'
  | 'record'
  | 'files';

/** A word that begins with `:` stands for any one part. */
const ROUTES: readonly (readonly [RouteName, string])[] = [
  ['list-page', '/'],
  ['conversation-page', '/c/:id'],
  ['asset', '/assets/:name'],
  ['favicon', '/favicon.svg'],
  ['logo', '/logo.svg'],
  ['logo', '/logo-blue.svg'],
  ['status', '/api/status'],
  ['conversations', '/api/conversations'],
  ['glossary', '/api/glossary'],
  ['events', '/api/events'],
  ['search', '/api/search'],
  ['view', '/api/c/:id/view'],
  ['record', '/api/c/:id/record/:seq/:row'],
  ['files', '/api/c/:id/files'],
];

/** The route of a path, its parts decoded each on its own; `undefined` when there is none. */
export function routeOf(path: string): { readonly name: RouteName; readonly given: Given } | undefined {
  const parts = path.split('/');
  for (const [name, pattern] of ROUTES) {
    const given = match(pattern.split('/'), parts);
    if (given !== undefined) return { name, given };
  }
  return undefined;
}

function match(pattern: readonly string[], parts: readonly string[]): Given | undefined {
  if (pattern.length !== parts.length) return undefined;
  const given: Record<string, string> = {};
  for (const [i, word] of pattern.entries()) {
    const part = parts[i]!;
    if (!word.startsWith(':')) {
      if (word !== part) return undefined;
      continue;
    }
    const value = decoded(part);
    if (value === undefined || value === '') return undefined;
    given[word.slice(1)] = value;
  }
  return given;
}

function decoded(part: string): string | undefined {
  try {
    return decodeURIComponent(part);
  } catch (cause) {
    if (cause instanceof URIError) return undefined;
    throw cause;
  }
}
