/** Two texts as one list of lines, those that are only in one of them marked. The longest common lines stay. */

export interface DiffLine {
  readonly mark: ' ' | '-' | '+';
  readonly text: string;
}

/** The table of common lengths grows with the product; texts in a document are 2,000 bytes, a foreign one's may not be. */
const MOST_CELLS = 1_000_000;

export function lineDiff(before: string, after: string): readonly DiffLine[] {
  const old = before.split('\n');
  const now = after.split('\n');
  const removed = () => old.map((text): DiffLine => ({ mark: '-', text }));
  const added = () => now.map((text): DiffLine => ({ mark: '+', text }));
  if (before === '') return added();
  if (after === '') return removed();
  const width = now.length + 1;
  if ((old.length + 1) * width > MOST_CELLS) return [...removed(), ...added()];
  const common = new Uint32Array((old.length + 1) * width);
  for (let i = old.length - 1; i >= 0; i--) {
    for (let j = now.length - 1; j >= 0; j--) {
      common[i * width + j] =
        old[i] === now[j]
          ? common[(i + 1) * width + j + 1]! + 1
          : Math.max(common[(i + 1) * width + j]!, common[i * width + j + 1]!);
    }
  }
  const lines: DiffLine[] = [];
  let [i, j] = [0, 0];
  while (i < old.length || j < now.length) {
    if (i < old.length && j < now.length && old[i] === now[j]) {
      lines.push({ mark: ' ', text: old[i++]! });
      j++;
    } else if (
      j === now.length ||
      (i < old.length && common[(i + 1) * width + j]! >= common[i * width + j + 1]!)
    )
      lines.push({ mark: '-', text: old[i++]! });
    else lines.push({ mark: '+', text: now[j++]! });
  }
  return lines;
}
