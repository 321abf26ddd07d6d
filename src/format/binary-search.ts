/**
 * The first of the places 0 to `length` at which `isPast` holds, `length` when it holds at none. `isPast` must
 * hold at every place after one at which it holds.
 */
export function firstPlace(length: number, isPast: (place: number) => boolean): number {
  let [low, high] = [0, length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isPast(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
