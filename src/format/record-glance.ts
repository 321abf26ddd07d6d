/**
 * A landed record for somebody who shows a little of it: decoded when it is asked for, and no further. A line in its
 * one spelling is not decoded to find that out (`record-scan.ts`); any other is read in full.
 */
import { type ByteText, bytesOf, headOf } from './byte-text.js';
import { MarkedRecord } from './marked-record.js';
import { scanRecord } from './record-scan.js';
import { dataSlices, readRecord, type SdPartRead, type SdRecordRead } from './session-data.js';

export interface RecordGlance
  extends Pick<SdRecordRead, 'time' | 'child' | 'label' | 'flags' | 'usage' | 'dropped'> {
  readonly parts: readonly PartGlance[];
}

export interface PartGlance
  extends Pick<SdPartRead, 'k' | 'id' | 'name' | 'state' | 'bytes' | 'failed' | 'text'> {
  /** So many bytes of its text, or fewer, in whole characters, as a JSON string; empty when it has none. */
  textJson(maxBytes: number): ByteText;
  /** Its data as its line spells it; empty when it has none. */
  readonly rawData: ByteText;
  /** Its data; `undefined` also when no key or text in it can hold this word. It has neither `"`, `/` nor `\\`. */
  dataWith(word: string): unknown;
}

/** Reads a record line; the glance is void when the line is. Throws `FormatError` as `readRecord` does for the line. */
export function readGlance(line: Buffer): RecordGlance {
  const marks = scanRecord(line);
  return marks === undefined ? readInFull(line.toString('utf8')) : new MarkedRecord(line, marks);
}

function readInFull(line: string): RecordGlance {
  const record = readRecord(line);
  let slices: readonly (string | undefined)[] | undefined;
  const parts = record.parts.map(
    (part, i): PartGlance => ({
      ...part,
      text: part.text.toWellFormed(),
      textJson: (maxBytes) => {
        // A unit takes a byte at least, so no more of them can be wanted.
        const text = headOf(bytesOf(part.text.slice(0, maxBytes + 1)), maxBytes);
        return text === '' ? '' : JSON.stringify(text);
      },
      get rawData() {
        slices ??= dataSlices(line);
        return part.data === undefined ? '' : bytesOf(slices[i]!);
      },
      dataWith: () => part.data,
    }),
  );
  return { ...record, parts };
}
