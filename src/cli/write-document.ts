import { once } from 'node:events';
import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { checkPathSegment } from '../io/path-segment.js';
import { documentBytes } from '../view/document.js';
import { indented } from '../view/indented.js';
import { buildView } from '../view/view.js';
import { jsonTokens, YamlPrinter } from '../view/yaml.js';

/**
 * Writes a conversation's document, as it is made (view spec 6). Throws as `buildView`, before anything is written.
 */
export async function writeDocument(
  root: string,
  conversation: string,
  hide: readonly string[],
  form: 'json' | 'yaml',
  output: Writable,
): Promise<void> {
  const bytes = documentBytes(buildView(root, checkPathSegment(conversation), hide));
  // Standard output stays open, so it is written to and not piped into.
  const write = async (chunks: AsyncIterable<Uint8Array | string>): Promise<void> => {
    for await (const chunk of chunks) if (!output.write(chunk)) await once(output, 'drain');
  };
  if (form === 'yaml') await pipeline(Readable.from(bytes), jsonTokens(), new YamlPrinter(), write);
  else {
    await write(Readable.from(indented(bytes)));
    output.write('\n');
  }
}
