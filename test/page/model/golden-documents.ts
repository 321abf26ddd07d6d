/** The documents of the roots under test/golden, as the project makes them. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { ViewDocument } from '../../../src/format/view-document.js';
import { REPOSITORY } from '../../shared.js';
import { viewed } from '../../view/viewing.js';

const GOLDEN = join(REPOSITORY, 'test/golden');

export function goldenDocuments(): readonly { readonly name: string; readonly document: ViewDocument }[] {
  return readdirSync(GOLDEN, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .flatMap((root) =>
      readdirSync(join(GOLDEN, root.name, '_conversations')).map((conversation) => ({
        name: `${root.name}/${conversation}`,
        document: viewed(join(GOLDEN, root.name), conversation),
      })),
    );
}
