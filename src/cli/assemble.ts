import { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import split2 from 'split2';
import { AszError, UsageError } from '../format/errors.js';
import { IndexLinesReader } from '../format/index-lines.js';
import { compareCodePoints, printableJson } from '../format/json-text.js';
import { existsSync } from '../io/file-system.js';
import { checkEvidence, checkInterpretation } from '../rounds/chain-checks.js';
import { nextRound } from '../rounds/next-round.js';
import { foldFiles } from '../rounds/read-chain.js';
import type { CommandContext, Terminal } from './context.js';

/** `asz assemble`: index lines in, one round out, to the last sequence read and without a budget. */
export async function run({ options, stdin, stdout, warn, signal }: CommandContext): Promise<number> {
  const conversation = options.text('conversation');
  if (!conversation) throw new UsageError('assemble needs --conversation ID');
  const fold = foldFiles(conversation, await filesNamed(options.list('previous')));
  const reader = new IndexLinesReader();
  await pipeline(stdin, split2(), lineSink(reader), { signal });
  const index = reader.finish();
  const watermark = index.files.at(-1)?.seq ?? 0;
  checkInterpretation(fold, index.session);
  checkEvidence(fold, index, watermark);
  const { built } = await nextRound(fold, index, watermark, { maxBytes: Number.POSITIVE_INFINITY, signal });
  if (built === undefined)
    warn(`assemble: nothing new; round ${fold.round} already covers sequence ${fold.throughSeq}`);
  else await pipeline(Readable.from(shown(built.bytes, stdout)), stdout, { end: false });
  return 0;
}

/** A round byte for byte; on a terminal what it would act on is spelled as escapes, which says the same. */
function shown(bytes: readonly Buffer[], stdout: Terminal): readonly Buffer[] | readonly string[] {
  return stdout.isTTY === true ? [printableJson(Buffer.concat(bytes).toString('utf8'))] : bytes;
}

/**
 * The files that `--previous` names, in order. A quoted pattern stands for the files it matches, by name: the
 * shell would make of an unquoted one several words, of which the flag takes but the first.
 */
async function filesNamed(words: readonly string[]): Promise<string[]> {
  if (words.every((word) => existsSync(word))) return [...words];
  const { default: fastGlob } = await import('fast-glob');
  return words.flatMap((word) => {
    if (existsSync(word)) return [word];
    const matches = fastGlob.sync(word, { onlyFiles: true }).sort(compareCodePoints);
    if (matches.length === 0) throw new AszError('CHAIN', `assemble: --previous ${word}: no such file`);
    return matches;
  });
}

function lineSink(reader: IndexLinesReader): Writable {
  return new Writable({
    decodeStrings: false,
    write(line: string, _encoding, done) {
      try {
        if (line !== '') reader.push(line);
        done();
      } catch (cause) {
        done(cause as Error);
      }
    },
  });
}
