import { randomFrom } from '../random.js';

/** `count` of the items, spread over all of them; which ones, the seed decides. */
export function sampleOf<T>(items: readonly T[], count: number, seed: number): T[] {
  if (items.length <= count) return [...items];
  const chance = randomFrom(seed);
  const stride = items.length / count;
  return Array.from({ length: count }, (_, i) => items[Math.floor(i * stride + chance(stride))]!);
}
