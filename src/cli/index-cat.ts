import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { AszError } from '../format/errors.js';
import { indexEntryLine, indexHeaderLine } from '../format/index-lines.js';
import { printableJson } from '../format/json-text.js';
import { entriesThrough, type SessionIndex } from '../format/session-index.js';
import { readIndex } from '../io/index-store.js';
import type { CommandContext } from './context.js';

/** `asz index cat`: the index of a session as the JSON lines that `asz assemble` reads. Saves nothing. */
export async function run({ options, args, config, stdout }: CommandContext): Promise<number> {
  const [session = ''] = args;
  const index = readIndex(config().storage.root, session);
  if (index === undefined) throw new AszError('INDEX', `no landed records for session ${session}`);
  const reached = index.files.at(-1)?.seq ?? 0;
  const through = options.count('through') ?? reached;
  if (through > reached)
    throw new AszError('INDEX', `the index of ${session} reaches sequence ${reached}, not ${through}`);
  await pipeline(Readable.from(pagesOf(index, through)), stdout, { end: false });
  return 0;
}

/** A chunk a line would cost more than the line. */
const PAGE_CHARACTERS = 64 * 1024;

function* pagesOf(index: SessionIndex, through: number): Generator<string> {
  let page = `${printableJson(indexHeaderLine(index, through))}\n`;
  const entries = entriesThrough(index, through);
  for (let entry = 0; entry < entries; entry++) {
    page += `${printableJson(indexEntryLine(index, entry))}\n`;
    if (page.length < PAGE_CHARACTERS) continue;
    yield page;
    page = '';
  }
  if (page !== '') yield page;
}
