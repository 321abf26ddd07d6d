import { AszError } from '../format/errors.js';

export async function run(): Promise<number> {
  throw new AszError('NOT_BUILT', 'conversation is not built yet');
}
