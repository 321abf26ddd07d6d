/**
 * A shortest line diff in unified hunks with three lines of context, for the rare editing result that comes
 * without a patch (dialect spec 3.10).
 *
 *     before "a\nb\n"  after "a\nc\n"   →   old_start 1, old_lines 2, new_start 1, new_lines 2, [" a","-b","+c"]
 *
 * Myers' algorithm in linear space: time grows with lines times edits, so both are bounded.
 */
export interface Hunk {
  readonly old_start: number;
  readonly old_lines: number;
  readonly new_start: number;
  readonly new_lines: number;
  /** Each with its sign: space, `-` or `+`. */
  readonly lines: readonly string[];
}

/** Lines of one side beyond which there is no diff (dialect spec 3.10). */
export const MAX_LINES = 200_000;
/** Edits beyond which there is none either: the search is quadratic in them, 0.7 s at this bound. */
export const MAX_EDITS = 20_000;

const CONTEXT = 3;

/**
 * The hunks from `before` to `after`, none when their lines are equal; `undefined` when they are too large.
 * Lines are compared without their newline and keep a carriage return.
 */
export function lineDiff(before: string, after: string): Hunk[] | undefined {
  const a = linesOf(before);
  const b = linesOf(after);
  if (a.length > MAX_LINES || b.length > MAX_LINES) return undefined;
  const edits = new EditScript(a, b);
  return edits.find() ? hunksOf(a, b, edits) : undefined;
}

function linesOf(text: string): string[] {
  if (text === '') return [];
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

/** Which lines of either side are not in the other. Equal lines are equal numbers: comparing is then cheap. */
class EditScript {
  readonly removed: Uint8Array;
  readonly added: Uint8Array;
  readonly #a: Int32Array;
  readonly #b: Int32Array;
  readonly #forward: Int32Array;
  readonly #backward: Int32Array;
  /** Index of diagonal 0 in both. */
  readonly #zero: number;

  constructor(a: readonly string[], b: readonly string[]) {
    const numbers = new Map<string, number>();
    const numbered = (lines: readonly string[]) =>
      Int32Array.from(lines, (line) => {
        const known = numbers.get(line) ?? numbers.size;
        numbers.set(line, known);
        return known;
      });
    this.#a = numbered(a);
    this.#b = numbered(b);
    this.removed = new Uint8Array(a.length);
    this.added = new Uint8Array(b.length);
    this.#zero = a.length + b.length + 1;
    this.#forward = new Int32Array(2 * this.#zero + 1);
    this.#backward = new Int32Array(2 * this.#zero + 1);
  }

  /** False when there are more edits than the bound. */
  find(): boolean {
    const work: [a0: number, a1: number, b0: number, b1: number][] = [[0, this.#a.length, 0, this.#b.length]];
    for (let box = work.pop(); box !== undefined; box = work.pop()) {
      let [a0, a1, b0, b1] = box;
      while (a0 < a1 && b0 < b1 && this.#a[a0] === this.#b[b0]) {
        a0++;
        b0++;
      }
      while (a0 < a1 && b0 < b1 && this.#a[a1 - 1] === this.#b[b1 - 1]) {
        a1--;
        b1--;
      }
      if (a0 === a1) this.added.fill(1, b0, b1);
      else if (b0 === b1) this.removed.fill(1, a0, a1);
      else {
        const middle = this.#middle(a0, a1, b0, b1);
        if (middle === undefined) return false;
        work.push([a0, middle.x, b0, middle.y], [middle.x, a1, middle.y, b1]);
      }
    }
    return true;
  }

  /**
   * A point that a shortest path through the box goes through, found from both ends at once. Diagonals are
   * x - y relative to the box's corner; `forward` holds the furthest x on each, `backward` the nearest.
   */
  #middle(a0: number, a1: number, b0: number, b1: number): { x: number; y: number } | undefined {
    const [n, m] = [a1 - a0, b1 - b0];
    const [forward, backward, zero] = [this.#forward, this.#backward, this.#zero];
    const delta = n - m;
    const isOdd = delta % 2 !== 0;
    forward[zero + 1] = 0;
    backward[zero + delta - 1] = n;
    const rounds = Math.min(Math.ceil((n + m) / 2), MAX_EDITS / 2);
    for (let d = 0; d <= rounds; d++) {
      for (let k = -d; k <= d; k += 2) {
        const goDown = k === -d || (k !== d && forward[zero + k - 1]! < forward[zero + k + 1]!);
        let x = goDown ? forward[zero + k + 1]! : forward[zero + k - 1]! + 1;
        while (x < n && x - k < m && x - k >= 0 && this.#a[a0 + x] === this.#b[b0 + x - k]) x++;
        forward[zero + k] = x;
        if (isOdd && Math.abs(k - delta) < d && x >= backward[zero + k]!) return { x: a0 + x, y: b0 + x - k };
      }
      for (let k = delta - d; k <= delta + d; k += 2) {
        const goUp =
          k === delta + d || (k !== delta - d && backward[zero + k - 1]! < backward[zero + k + 1]!);
        let x = goUp ? backward[zero + k - 1]! : backward[zero + k + 1]! - 1;
        while (x > 0 && x - k > 0 && x - k <= m && this.#a[a0 + x - 1] === this.#b[b0 + x - k - 1]) x--;
        backward[zero + k] = x;
        if (!isOdd && Math.abs(k) <= d && x <= forward[zero + k]!) return { x: a0 + x, y: b0 + x - k };
      }
    }
    return undefined;
  }
}

function hunksOf(a: readonly string[], b: readonly string[], { removed, added }: EditScript): Hunk[] {
  const hunks: Hunk[] = [];
  let [i, j] = [0, 0];
  for (;;) {
    while (i < a.length && j < b.length && !removed[i] && !added[j]) {
      i++;
      j++;
    }
    if (i === a.length && j === b.length) return hunks;
    const lead = Math.min(CONTEXT, i);
    const [a0, b0] = [i - lead, j - lead];
    const lines = a.slice(a0, i).map((line) => ` ${line}`);
    // Up to six equal lines join two changes; a hunk ends with at most three.
    for (;;) {
      while (removed[i]) lines.push(`-${a[i++]}`);
      while (added[j]) lines.push(`+${b[j++]}`);
      let same = 0;
      while (i + same < a.length && !removed[i + same] && !added[j + same] && same <= 2 * CONTEXT) same++;
      const goesOn = same <= 2 * CONTEXT && (i + same < a.length || j + same < b.length);
      const kept = goesOn ? same : Math.min(same, CONTEXT);
      for (const line of a.slice(i, i + kept)) lines.push(` ${line}`);
      i += kept;
      j += kept;
      if (!goesOn) break;
    }
    hunks.push({
      ...{ old_start: startOf(a0, i), old_lines: i - a0 },
      ...{ new_start: startOf(b0, j), new_lines: j - b0, lines },
    });
  }
}

/** Lines count from 1; a side without lines is named by the line before it. */
function startOf(from: number, to: number): number {
  return from === to ? from : from + 1;
}
