import { AszError } from '../format/errors.js';

export async function run(): Promise<number> {
  throw new AszError('NOT_BUILT', 'sources is not built yet');
}
