/**
 * A conversation as one file that opens in a browser without a server or a network: the page's own script and style,
 * and the document as data between them. It is let do nothing but run these two.
 */
import { createHash } from 'node:crypto';
import { StringDecoder } from 'node:string_decoder';
import { checkPathSegment } from '../io/path-segment.js';
import { writePrivate } from '../io/publish.js';
import { conversationParts, type PageFiles, readPageFiles } from '../server/page.js';
import { documentBytes } from '../view/document.js';
import { buildView } from '../view/view.js';

/**
 * Writes the file, readable by its owner alone. Gives its size in bytes. Throws as `buildView` before anything is
 * written, and `StorageError` when the file is there already and not to be replaced.
 */
export function writePage(
  root: string,
  conversation: string,
  hide: readonly string[],
  path: string,
  isReplaced: boolean,
): number {
  const page = readPageFiles();
  const view = buildView(root, checkPathSegment(conversation), hide);
  let sizeBytes = 0;
  function* counted(): Generator<Buffer> {
    for (const piece of pageBytes(page, documentBytes(view))) {
      sizeBytes += piece.length;
      yield piece;
    }
  }
  writePrivate(path, counted(), isReplaced);
  return sizeBytes;
}

/** The file, made around a document while that is made. */
export function* pageBytes(page: PageFiles, document: Iterable<Buffer>): Generator<Buffer> {
  const { script, style } = conversationParts(page);
  const icon = page.get('/favicon.svg')!.bytes.toString('base64');
  yield Buffer.from(`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policyOf(script, style)}">
<meta name="referrer" content="no-referrer">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Conversation</title>
<link rel="icon" href="data:image/svg+xml;base64,${icon}">
<style>`);
  yield style;
  yield Buffer.from(`</style>
</head>
<body>
<div id="page"></div>
<noscript>This file draws its conversation with a script of its own, which this browser does not run.</noscript>
<script type="application/json" id="asz-document">`);
  yield* withoutMarkup(document);
  yield Buffer.from('</script>\n<script>');
  yield script;
  yield Buffer.from('</script>\n</body>\n</html>\n');
}

/** Nothing may be loaded, and nothing run but what has these digests; pictures may stand in the file itself. */
function policyOf(script: Buffer, style: Buffer): string {
  return [
    "default-src 'none'",
    `script-src ${sourceOf(script)}`,
    `style-src ${sourceOf(style)}`,
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
}

function sourceOf(bytes: Buffer): string {
  return `'sha256-${createHash('sha256').update(bytes).digest('base64')}'`;
}

/** Stand in a document only within strings, where JSON lets them be spelled in letters. */
const ESCAPES: Readonly<Record<string, string>> = {
  '<': '\\u003c',
  '\u2028': '\\u2028',
  '\u2029': '\\u2029',
};

/** JSON in which no tag, comment or line end of a script can be read. A character may be split between two pieces. */
function* withoutMarkup(json: Iterable<Buffer>): Generator<Buffer> {
  const decoder = new StringDecoder('utf8');
  for (const piece of json) yield Buffer.from(escaped(decoder.write(piece)));
  yield Buffer.from(escaped(decoder.end()));
}

function escaped(text: string): string {
  return text.replace(/[<\u2028\u2029]/g, (character) => ESCAPES[character]!);
}
