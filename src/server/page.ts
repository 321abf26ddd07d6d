/**
 * The page as it was built (scripts/build-page.js): files with a name each, read once. A request chooses among these
 * names, so it reaches no other file.
 */
import { join } from 'node:path';
import { causeText, StorageError } from '../format/errors.js';
import { readdirSync, readFileSync } from '../io/file-system.js';

export interface PageFile {
  readonly type: string;
  readonly bytes: Buffer;
}

/** Files by what they are asked for by, such as `/assets/list-0123456789ab.js`; the two pages by their names. */
export type PageFiles = ReadonlyMap<string, PageFile>;

export const LIST_PAGE = '/index.html';
export const CONVERSATION_PAGE = '/conversation.html';

/** The script and the style of the conversation page. */
export function conversationParts(files: PageFiles): { readonly script: Buffer; readonly style: Buffer } {
  const [script, style] = ['js', 'css'].map((ending) => {
    const name = [...files.keys()].find((name) =>
      new RegExp(`^/assets/conversation-\\w+\\.${ending}$`).test(name),
    );
    if (name === undefined)
      throw new StorageError(`page: no ${ending} of it is there; build it with npm run build`);
    return files.get(name)!.bytes;
  });
  return { script: script!, style: style! };
}

/** Beside `dist/src`, in which this module is when it runs. */
const BUILT = join(import.meta.dirname, '../../page');

const TYPES: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
};

/** Throws `StorageError` when the page was not built, or is not whole. */
export function readPageFiles(folder = BUILT): PageFiles {
  try {
    const names = [
      ...readdirSync(folder),
      ...readdirSync(join(folder, 'assets')).map((name) => `assets/${name}`),
    ];
    const files = new Map<string, PageFile>();
    for (const name of names) {
      const type = TYPES[name.slice(name.lastIndexOf('.') + 1)];
      if (type !== undefined) files.set(`/${name}`, { type, bytes: readFileSync(join(folder, name)) });
    }
    for (const page of [LIST_PAGE, CONVERSATION_PAGE])
      if (!files.has(page)) throw new Error(`${page} is not there`);
    return files;
  } catch (cause) {
    throw new StorageError(`page: ${folder}: ${causeText(cause)}; build it with npm run build`, { cause });
  }
}
