/**
 * Whether a line of a landed file is spelled as a writer spells it: keys in their order, empty values left out, no
 * white space, strings in their one spelling. Readers take any JSON spelling and refuse nothing for it; but a
 * session has one spelling, and so verification can say where bytes were changed without changing what they say.
 *
 * Nearly all lines are told from their bytes. A line that is not is read in full and written again; `data` keeps
 * the spelling of its source, and what older writers escaped counts as ours (dialect spec 1.11).
 */
import { isUtf8 } from 'node:buffer';
import { compactSlice, type Shape, scanJson } from './json-scan.js';
import { scanRecord } from './record-scan.js';
import {
  readHeader,
  readRecord,
  type SdHeader,
  type SdRecord,
  writeHeader,
  writeRecord,
} from './session-data.js';

/** Whether the line of a record that reads is spelled canonically. */
export function isCanonicalRecord(line: Buffer): boolean {
  return scanRecord(line) !== undefined || (isUtf8(line) && isAsWritten(line.toString('utf8'), rewritten));
}

/** Whether the line of a header that reads is spelled canonically. */
export function isCanonicalHeader(line: Buffer): boolean {
  return isUtf8(line) && isAsWritten(line.toString('utf8'), (text) => writeHeader(present(readHeader(text))));
}

function isAsWritten(text: string, write: (text: string) => string): boolean {
  return plainly(write(text)) === plainly(text);
}

/** With the three characters as they stand that older writers spelled as escapes. */
function plainly(json: string): string {
  return json.replace(/\\(?:u003([ce])|u0026|.)/gs, (spelled, angle: string | undefined) => {
    if (spelled === '\\u0026') return '&';
    return angle === undefined ? spelled : angle === 'c' ? '<' : '>';
  });
}

/** A record's line written anew, its data as it stands there but for white space between its tokens. */
function rewritten(line: string): string {
  const { usage, parts, ...record } = readRecord(line);
  const slices = scanJson(line, DATA_OF_PARTS).members.get('parts')?.elements ?? [];
  return writeRecord({
    ...record,
    ...(usage === undefined ? {} : { usage }),
    parts: parts.map(({ data: _, failed, ...part }, i) => {
      const data = slices[i]?.members.get('data');
      return {
        ...part,
        ...(failed === undefined ? {} : { failed }),
        ...(data === undefined ? {} : { data: compactSlice(line, data) }),
      };
    }),
  } satisfies SdRecord);
}

const DATA_OF_PARTS: Shape = {
  members: new Map([['parts', { elements: { members: new Map([['data', {}]]) } }]]),
};

/** A header read, with what is empty left out. */
function present({ stream, batch, ...header }: Required<SdHeader>): SdHeader {
  return { ...header, ...(stream === '' ? {} : { stream }), ...(batch === '' ? {} : { batch }) };
}
