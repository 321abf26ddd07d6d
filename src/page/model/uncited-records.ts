/**
 * Records of a stream that no step rests on. A client too old to say which record begins a cycle leaves most of what
 * was typed among them, so a reader must be able to see that they are there.
 */
import type { EvidenceFile, ViewDocument, ViewNode } from '../../format/view-document.js';

export interface Uncited {
  readonly file: EvidenceFile;
  readonly seq: number;
  /** Rows that nothing cites, ascending. */
  readonly rows: readonly number[];
}

/** A landed file has a header and a closing line around its records. */
const LINES_AROUND = 2;
/** A document may state any number of lines: so many are looked at in all, and rows behind them are not named. */
const MOST_LINES = 1_000_000;

export function uncitedRecords(document: ViewDocument, stream: string): readonly Uncited[] {
  const cited = new Set<string>();
  const visit = (node: ViewNode) => {
    for (const { seq, row } of node.refs ?? []) cited.add(`${seq}:${row}`);
    if (node.ref !== undefined) cited.add(`${node.ref.seq}:${node.ref.row}`);
    for (const child of node.children ?? []) visit(child);
  };
  for (const node of [...document.talks, ...document.loose]) visit(node);
  const found: Uncited[] = [];
  let left = MOST_LINES;
  for (const file of document.files) {
    const { seq } = file;
    if (seq === null || file.stream !== stream || file.kind !== 'transcript') continue;
    const rows: number[] = [];
    const last = Math.min(left, file.lines - LINES_AROUND);
    left -= Math.max(0, last);
    for (let row = 1; row <= last; row++) if (!cited.has(`${seq}:${row}`)) rows.push(row);
    if (rows.length > 0) found.push({ file, seq, rows });
  }
  return found;
}

/** `1–3, 7, 9–12`. */
export function rangesOf(rows: readonly number[]): string {
  const ranges: string[] = [];
  for (let i = 0; i < rows.length; ) {
    let last = i;
    while (rows[last + 1] === rows[last]! + 1) last++;
    ranges.push(last === i ? `${rows[i]}` : `${rows[i]}–${rows[last]}`);
    i = last + 1;
  }
  return ranges.join(', ');
}
