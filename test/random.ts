/** Random numbers that a failing test can be repeated with: the seed is fixed, or `$ASZ_SEED`. */
export const SEED = Number(process.env.ASZ_SEED ?? 20260101);

export interface Random {
  /** A whole number from 0 to below `limit`. */
  (limit: number): number;
  pick<T>(items: readonly T[]): T;
}

/** Numbers of one generator. Say `seed ${SEED}` in the message of every assertion that depends on them. */
export function randomFrom(seed = SEED): Random {
  let state = seed >>> 0;
  const below = (limit: number): number => {
    // Mulberry32: small, and good enough in every bit.
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return Math.floor((((t ^ (t >>> 14)) >>> 0) / 2 ** 32) * limit);
  };
  return Object.assign(below, { pick: <T>(items: readonly T[]): T => items[below(items.length)]! });
}
