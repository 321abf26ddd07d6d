// Writes docs/view-example.yaml anew: the document of a golden root, as the built command prints it. Run it after
// `npm run build`; test/docs/view-example.test.ts fails while the page shows something else.
import { writeFileSync } from 'node:fs';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { documentBytes } from '../dist/src/view/document.js';
import { buildView } from '../dist/src/view/view.js';
import { jsonTokens, YamlPrinter } from '../dist/src/view/yaml.js';

const bytes = documentBytes(buildView('test/golden/replay', 'replay'));
const yaml = await text(Readable.from(bytes).pipe(jsonTokens()).pipe(new YamlPrinter()));
writeFileSync('docs/view-example.yaml', yaml);
