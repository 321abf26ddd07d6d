import { AszError } from '../format/errors.js';

export async function run(): Promise<number> {
  throw new AszError('NOT_BUILT', 'collect is not built yet');
}
