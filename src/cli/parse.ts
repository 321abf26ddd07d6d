import { AszError } from '../format/errors.js';

export async function run(): Promise<number> {
  throw new AszError('NOT_BUILT', 'parse is not built yet');
}
