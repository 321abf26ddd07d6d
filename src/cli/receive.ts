import { AszError, UsageError } from '../format/errors.js';
import { addressText, isLoopback, readAddress } from '../http/address.js';
import { startReceiver } from '../receive/receiver.js';
import type { Received } from '../receive/take-request.js';
import type { CommandContext } from './context.js';
import { clockText, durationText, sizeText } from './print.js';
import { stopped } from './serving.js';

/** Where OTLP over HTTP is expected, on this machine alone. */
const DEFAULT_ADDRESS = '127.0.0.1:4318';

/** `asz receive`: files that were pushed become a storage root again. */
export async function run(context: CommandContext): Promise<number> {
  const { args, options, print, warn } = context;
  const root = options.text('into');
  if (root === undefined || root === '') throw new AszError('USAGE', 'usage: asz receive [ADDR] --into ROOT');
  const address = readAddress(args[0] ?? DEFAULT_ADDRESS, DEFAULT_ADDRESS);
  if (!isLoopback(address.host))
    throw new UsageError(
      `${addressText(address)}: other machines could reach it, and nobody is asked who they are; listen on ${DEFAULT_ADDRESS}, behind a tunnel or a collector`,
    );
  const receiver = await startReceiver({
    ...{ root, address },
    onReceived(received, durationMs) {
      print(line(received, durationMs));
      for (const reason of received.reasons) warn(`  rejected: ${reason}`);
      const unsaid = received.rejected - received.reasons.length;
      if (unsaid > 0) warn(`  rejected: ${unsaid} more`);
    },
    onRefused: (status, words) => warn(`  error: answered ${status}: ${words}`),
  });
  const told = stopped(context); // Before anybody reads that ctrl-c stops it.
  print(`storage root: ${root}`);
  print(`listening   : http://${addressText(receiver.address)}/v1/logs`);
  warn('ctrl-c to stop');
  await told;
  await receiver.close();
  return 0;
}

function line({ files, repeats, rejected, foreign, bytes }: Received, durationMs: number): string {
  const counts = `files=${files} repeats=${repeats} rejected=${rejected} foreign=${foreign}`;
  return `[${clockText(new Date())}] ${counts} bytes=${sizeText(bytes)} (${durationText(durationMs)})`;
}
