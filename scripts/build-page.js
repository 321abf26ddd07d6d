// Builds the page that the server and the export give: bundles src/page into dist/page. The names of the bundles
// hold a digest of their bytes, so that a browser may keep them.
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { build } from 'esbuild';

const REPOSITORY = resolve(import.meta.dirname, '..');
const SOURCES = join(REPOSITORY, 'src/page');
const OUTPUT = join(REPOSITORY, 'dist/page');

/** The pages there are: each a script and a style of its own name, and the title it has until it loads. */
const PAGES = [
  { file: 'index.html', name: 'list', title: 'Conversations' },
  { file: 'conversation.html', name: 'conversation', title: 'Conversation' },
];

/** Pictures that have an address of their own, and so no digest in their name. */
const PICTURES = ['favicon.svg', 'logo.svg'];

rmSync(OUTPUT, { recursive: true, force: true });
mkdirSync(join(OUTPUT, 'assets'), { recursive: true });
for (const page of PAGES) {
  const [script, style] = await Promise.all([
    bundle(page.name, 'tsx', 'js'),
    bundle(page.name, 'css', 'css'),
  ]);
  writeFileSync(join(OUTPUT, page.file), html({ ...page, script, style }));
}
for (const name of PICTURES) writeFileSync(join(OUTPUT, name), readFileSync(join(SOURCES, 'shared', name)));

/** Bundles `NAME/NAME.ENDING`, writes it as an asset and gives its address. */
async function bundle(name, ending, written) {
  const { outputFiles, metafile } = await build({
    entryPoints: [join(SOURCES, name, `${name}.${ending}`)],
    bundle: true,
    write: false,
    metafile: true,
    minify: true,
    format: 'iife',
    // What the page uses came with these: `light-dark()` in styles, `Response.json` of a stream.
    target: ['chrome123', 'firefox120', 'safari17.5'],
    jsx: 'automatic',
    jsxImportSource: 'preact',
    charset: 'utf8',
    legalComments: 'none',
    logLevel: 'warning',
    absWorkingDir: REPOSITORY,
  });
  const contents = Buffer.concat([Buffer.from(licences(metafile)), outputFiles[0].contents]);
  // An export carries both within its tags, where these would end them.
  if (/<\/(script|style)|<!--/i.test(contents.toString()))
    throw new Error(
      `build-page: ${name}.${ending}: </script, </style or <!-- in the bundle; spell it otherwise`,
    );
  const digest = createHash('sha256').update(contents).digest('hex').slice(0, 12);
  writeFileSync(join(OUTPUT, 'assets', `${name}-${digest}.${written}`), contents);
  return `/assets/${name}-${digest}.${written}`;
}

/** The licences of the packages in a bundle, as they ask to be passed on: an export carries them to wherever it goes. */
function licences({ inputs }) {
  const folders = Object.keys(inputs).map((path) => /^.*node_modules\/(@[^/]+\/)?[^/]+/.exec(path)?.[0]);
  const texts = [...new Set(folders.filter((folder) => folder !== undefined))].sort().map((folder) => {
    const { name, version } = JSON.parse(readFileSync(join(REPOSITORY, folder, 'package.json'), 'utf8'));
    return `${name} ${version}\n\n${readFileSync(join(REPOSITORY, folder, 'LICENSE'), 'utf8').trim()}\n`;
  });
  return texts.length === 0 ? '' : `/*!\n${texts.join('\n').replaceAll('*/', '* /')}*/\n`;
}

function html({ title, script, style }) {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<link rel="stylesheet" href="${style}">
<script src="${script}" defer></script>
</head>
<body>
<div id="page"></div>
<noscript>This page draws itself with a script of its own, from this server. Without one, asz conversation ID prints the same.</noscript>
</body>
</html>
`;
}
