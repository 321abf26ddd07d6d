/** What a file's own header says is what its record says; and lines that take long to decode are not decoded. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodeResponse, type WireRecord } from '../push/official.js';
import { temporaryFolder } from '../shared.js';
import {
  BODY,
  bytesOf,
  DIGEST,
  landedRecord,
  ROUND,
  receiving,
  roundOf,
  roundRecord,
  SD,
  SF,
  tell,
} from './receiving.js';

/** Why each record is refused, without its name. */
async function refusals(...records: readonly WireRecord[]): Promise<string[]> {
  const receiver = await receiving(temporaryFolder());
  const reasons: string[] = [];
  for (const record of records) {
    const told = await tell(receiver, bytesOf(record));
    const { errorMessage = 'taken' } = decodeResponse(told.body).partialSuccess ?? {};
    reasons.push(errorMessage.replace(/^\S+: /, ''));
  }
  return reasons;
}

test('a landed file is of the version and the kind that its record says', async () => {
  assert.deepEqual(
    await refusals(
      landedRecord(SD, BODY, { 'asz.file.kind': 'journal' }),
      landedRecord(SD, BODY, { 'asz.file.kind': undefined }),
      landedRecord(SD, BODY, { 'asz.format.version': 'sd/2' }),
      landedRecord(SD, BODY.replace('sd/1', 'sd/2'), { 'asz.format.version': 'sd/2' }),
      landedRecord(SD, BODY.replace('sd/1', 'sd/2')),
      landedRecord(SD, 'x\n'),
      landedRecord(SD.replace('000001.sd', '000000.sd'), BODY),
    ),
    [
      'asz.file.kind is not what its header says',
      'asz.file.kind is missing, or no text',
      'asz.format.version is not what asz.format says',
      'asz.format.version is not what asz.format says',
      'its header is none: sessiondata: unsupported schema "sd/2", want "sd/1"',
      'its header is none: sessiondata: decode header: Unexpected token in JSON',
      'sequences count from 1',
    ],
  );
});

test('a round is of the conversation, the session, the version and the number that its record says', async () => {
  assert.deepEqual(
    await refusals(
      roundRecord(SF, roundOf('t', 1, DIGEST)),
      roundRecord(SF, ROUND, { 'asz.session': 't' }),
      roundRecord(SF, ROUND, { 'asz.format.version': 'sf/2' }),
      roundRecord(SF, ROUND, { 'asz.file.kind': 'transcript' }),
      roundRecord(SF, ROUND.replace('header', 'node')),
      roundRecord(SF.replace('000001', '000000'), roundOf('s', 0, DIGEST)),
      // A header without a session is of the session that is called like the conversation.
      roundRecord(SF, ROUND.replace('"session":"s"', '"session":""'), { 'asz.session': 't' }),
      roundRecord(SF, ROUND.replace('"session":"s"', '"session":""'), { 'asz.session': 's' }),
    ),
    [
      'asz.conversation is not what its header says',
      'asz.session is not what its header says',
      'asz.format.version is not what its header says',
      'asz.file.kind is not what asz.format says',
      'its header is none: the first frame is no header',
      'rounds count from 1',
      'asz.session is not what its header says',
      'taken',
    ],
  );
});

test('a first or last line that takes long to decode is not decoded', async () => {
  const deep = '['.repeat(2_000_000);
  assert.deepEqual(
    await refusals(
      landedRecord(SD, deep),
      roundRecord(SF, deep),
      roundRecord(SF, `${ROUND.split('\n', 1)[0]}\n${deep}`),
    ),
    [
      'its header is none: its first line is longer than 1048576 bytes',
      'its header is none: its first line is longer than 1048576 bytes',
      'the name is not that of the digest in its commit',
    ],
  );
});
