/**
 * What `asz verify` says of roots that are whole, and of every kind of damage: one line that names the damaged
 * object, exit code 1, no stack trace, and the other sessions' results beside it.
 */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { cpSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, test } from 'node:test';
import { writeClosing } from '../../src/format/session-data.js';
import { listLandedFiles, sessionFolder } from '../../src/io/storage-root.js';
import { aSession } from '../builders.js';
import { needsShared, REPOSITORY, sharedData, temporaryFolder } from '../shared.js';
import { landFiles, randomVectors, vectorsIn } from '../vectors/landed-root.js';
import { assertDone, type Ran, remakeRound, rewrite, Workplace } from './run-asz.js';

const CLEAN = 'all landed data is contiguous and matches its digests';

// ---- roots that are whole ----

/** Parses the landed files of roots, and no round of theirs, together in one root. */
async function clean(vectors: ReturnType<typeof vectorsIn>): Promise<void> {
  const place = new Workplace();
  for (const vector of vectors) landFiles(place.root, vector, Number.POSITIVE_INFINITY);
  assertDone(await place.asz(['parse']));
  const said = assertDone(await place.asz(['verify']));
  const files = vectors.reduce((sum, vector) => sum + vector.files.length, 0);
  assert.ok(files > 0);
  assert.equal(said.split('\n').at(-2), CLEAN);
  assert.match(said, new RegExp(`^checked ${vectors.length} session\\(s\\), `, 'm'));
  assert.match(said, new RegExp(`^checked ${vectors.length} conversation chain\\(s\\), `, 'm'));
}

test('verify finds nothing in the golden roots', async () => {
  const golden = join(REPOSITORY, 'test/golden');
  const roots = readdirSync(golden, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  await clean(roots.flatMap(({ name }) => vectorsIn(join(golden, name))));
});

test('verify finds nothing in the vectors and the edge sessions', needsShared, async () => {
  const data = sharedData()!;
  const folders = (below: string) =>
    readdirSync(join(data, below), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => join(data, below, name));
  for (const format of ['sd', 'claude-code'])
    await clean(folders('vectors').flatMap((folder) => vectorsIn(join(folder, format))));
  await clean(folders('edge').flatMap(vectorsIn));
});

for (const root of ['newest/root-default', 'newest/root-small', 'spotter/root-default', 'spotter/root-small'])
  test(`verify finds nothing in real/${root} as it is`, needsShared, async () => {
    const place = new Workplace({ root: join(sharedData()!, 'real', root) });
    assert.equal(
      assertDone(await place.asz(['verify']))
        .split('\n')
        .at(-2),
      CLEAN,
    );
  });

test('verify finds nothing but made-up offsets in a sample of the random sessions', needsShared, async () => {
  const folder = join(sharedData()!, 'random');
  // The lines of `views` tell documents, not landed files.
  const files = readdirSync(folder).filter((name) => name.endsWith('.jsonl') && name !== 'views.jsonl');
  const vectors = files.flatMap((name) => randomVectors(join(folder, name)).filter((_, i) => i % 12 === 5));
  const place = new Workplace();
  for (const vector of vectors) landFiles(place.root, vector, Number.POSITIVE_INFINITY);
  assertDone(await place.asz(['parse']));
  const { sessions, chains } = JSON.parse((await place.asz(['verify', '--json'])).stdout);
  assert.equal(chains.length, vectors.length);
  assert.deepEqual(
    chains.flatMap(({ problems }: { problems: unknown[] }) => problems),
    [],
  );
  // Their records are nonsense on purpose, and so is where each claims to begin in its source.
  for (const { problems } of sessions) for (const { id } of problems) assert.equal(id, 'byte-gap');
});

// ---- damage ----

const whole = await aWholeRoot();

/** Two sessions: `s1` of three rounds over main, a child with its sidecar and a run, and `s2` like it. */
async function aWholeRoot(): Promise<string> {
  const root = temporaryFolder();
  for (const session of ['s1', 's2']) {
    const told = aSession({ root, session });
    const { main } = told;
    main.title(`the session ${session}`).input('begin').tool('t1', 'Agent', { prompt: 'help' });
    main.launched('t1', 'helper');
    told.stream('helper').input('help').says('helped').sidecarOf('t1');
    told.land();
    await told.parse();
    main.tool('t2', 'Workflow').launchedRun('t2', 'wf_one');
    told.run('wf_one').started('helper').scriptOf('export {}');
    told.land();
    await told.parse();
    main.tool('t3', 'Bash').result('t3').says('It is done.');
    told.stream('helper').input('more').says('more help');
    told.land();
    await told.parse();
  }
  return root;
}

/** A copy of the root, to be damaged, with the words a damage is told in. */
class Damaged extends Workplace {
  constructor() {
    super();
    cpSync(whole, this.root, { recursive: true });
  }

  round(number: number, conversation = 's1'): string {
    return this.roundPaths(conversation)[number - 1]!;
  }

  landed(seq: number, session = 's1'): string {
    return listLandedFiles(sessionFolder(this.root, session)).find((file) => file.seq === seq)!.path;
  }

  edit(path: string, change: (text: string) => string): void {
    const before = readFileSync(path, 'utf8');
    const after = change(before);
    assert.notEqual(after, before, 'the damage changes something');
    rewrite(path, after);
  }

  /** Changes all rounds of a chain so that each names the one before it again. */
  remakeChain(change: (text: string) => string, conversation = 's1'): void {
    let previous = '';
    for (const path of this.roundPaths(conversation))
      previous = remakeRound(path, (text) =>
        change(previous === '' ? text : text.replace(/"previous":"\w+"/, `"previous":"${previous}"`)),
      );
  }

  /** Changes a landed file and gives it the closing digest of its new bytes. */
  reland(path: string, change: (text: string) => string): void {
    this.edit(path, (text) => {
      const lines = change(text).trimEnd().split('\n').slice(0, -1);
      const body = `${lines.join('\n')}\n`;
      return `${body}${writeClosing(lines.length - 1, createHash('sha256').update(body).digest('hex'))}\n`;
    });
  }
}

/** A cursor as another writer leaves it, who knows of no check: what is changed in it is believed. */
const unchecked = (cursor: string) => cursor.replace(/^check .*\n/m, '');

interface Damage {
  readonly damage: (root: Damaged) => void;
  /** The findings, in order. */
  readonly says: readonly string[];
}

const DAMAGES: Readonly<Record<string, Damage>> = {
  'one byte of a round changed': {
    damage: (d) => d.edit(d.round(2), (t) => t.replace('Workflow', 'Workflou')),
    says: [
      'round 2: r000002-#.sf: sessionflow: digest mismatch: computed #, round claims #',
      'round 2 is missing before round 3',
      'round 3 starts at seq 7, the round before ended at 3',
    ],
  },
  'one byte of the header of a round changed': {
    damage: (d) => d.edit(d.round(2), (t) => t.replace('"parser":"v1"', '"parser":"v2"')),
    says: [
      'round 2: r000002-#.sf: sessionflow: digest mismatch: computed #, round claims #',
      'round 2 is missing before round 3',
      'round 3 starts at seq 7, the round before ended at 3',
    ],
  },
  'one digit of the digest in the commit changed': {
    damage: (d) =>
      d.edit(d.round(2), (t) =>
        t.replace(/("digest":"\w{63})(\w)/, (_, a, b) => a + (b === '0' ? '1' : '0')),
      ),
    says: [
      'round 2: r000002-#.sf: sessionflow: digest mismatch: computed #, round claims #',
      'round 2 is missing before round 3',
      'round 3 starts at seq 7, the round before ended at 3',
    ],
  },
  'a round cut in its middle': {
    damage: (d) => d.edit(d.round(2), (t) => t.slice(0, t.length / 2)),
    says: [
      'round 2: r000002-#.sf: sessionflow: line 5: undecodable frame: Unterminated string',
      'round 2 is missing before round 3',
      'round 3 starts at seq 7, the round before ended at 3',
    ],
  },
  'a round cut before its commit': {
    damage: (d) => d.edit(d.round(2), (t) => t.slice(0, t.trimEnd().lastIndexOf('\n') + 1)),
    says: [
      'round 2: r000002-#.sf: sessionflow: round has no commit frame; it is truncated',
      'round 2 is missing before round 3',
      'round 3 starts at seq 7, the round before ended at 3',
    ],
  },
  'a round emptied': {
    damage: (d) => rewrite(d.round(2), ''),
    says: [
      'round 2 is missing before round 3',
      'round 3 starts at seq 7, the round before ended at 3',
      'round 2: r000002-#.sf: it is empty: a publication under way, or what is left of a round',
    ],
  },
  'the first round removed': {
    damage: (d) => rmSync(d.round(1)),
    says: ['round 1 is missing before round 2', 'round 2 starts at seq 4, the round before ended at 0'],
  },
  'the middle round removed': {
    damage: (d) => rmSync(d.round(2)),
    says: ['round 2 is missing before round 3', 'round 3 starts at seq 7, the round before ended at 3'],
  },
  'a round under the number of another': {
    damage: (d) => renameSync(d.round(2), d.round(2).replace('r000002', 'r000004')),
    says: [
      'round 2 is missing before round 3',
      'round 3 starts at seq 7, the round before ended at 3',
      'round 4: r000004-#.sf: header says round 2',
      'round 2 stands after round 3',
      'round 2 starts at seq 4, the round before ended at 8',
    ],
  },
  'a round under another digest': {
    damage: (d) => renameSync(d.round(2), d.round(2).replace(/-\w{12}\./, '-000000000000.')),
    says: ['round 2: r000002-#.sf: its digest is #'],
  },
  'a round twice': {
    damage: (d) => cpSync(d.round(2), d.round(2).replace(/-\w{12}\./, '-000000000000.')),
    says: [
      'round 2: r000002-#.sf: its digest is #',
      'round 2 stands after round 2',
      'round 2 starts at seq 4, the round before ended at 6',
    ],
  },
  'a round of another conversation in place of ours': {
    damage: (d) => {
      rmSync(d.round(2));
      cpSync(d.round(2, 's2'), join(dirname(d.round(1)), basename(d.round(2, 's2'))));
    },
    says: [
      'round 2 belongs to conversation "s2", the chain to "s1"',
      'round 2 carries session "s2", the chain "s1"',
      'round 2 names previous #, the round before is #',
      'round 3 names previous #, the round before is #',
    ],
  },
  'the chain of another conversation in place of ours': {
    damage: (d) => {
      const c = join(d.root, '_conversations');
      rmSync(join(c, 's1'), { recursive: true });
      cpSync(join(c, 's2'), join(c, 's1'), { recursive: true });
    },
    says: [
      'round 1 belongs to conversation "s2", the chain to "s1"',
      'round 2 belongs to conversation "s2", the chain to "s1"',
      'round 3 belongs to conversation "s2", the chain to "s1"',
    ],
  },
  'a chain renamed': {
    damage: (d) => renameSync(join(d.root, '_conversations/s1'), join(d.root, '_conversations/s3')),
    says: [
      'round 1 belongs to conversation "s1", the chain to "s3"',
      'round 2 belongs to conversation "s1", the chain to "s3"',
      'round 3 belongs to conversation "s1", the chain to "s3"',
    ],
  },
  'a chain renamed to a name that no id has': {
    damage: (d) => renameSync(join(d.root, '_conversations/s1'), join(d.root, '_conversations/con')),
    says: ['listing  storage: id "con" cannot name a directory: it is the name of a device on Windows'],
  },
  'a commit with white space': {
    damage: (d) => d.edit(d.round(3), (t) => t.replace('{"t":"commit",', '{"t":"commit", ')),
    says: ['round 3: r000003-#.sf: line 17 is not in canonical form'],
  },
  'a commit with its keys in another order': {
    damage: (d) =>
      d.edit(d.round(3), (t) => t.replace(/\{"t":"commit",("digest":"\w+")/, '{$1,"t":"commit"')),
    says: ['round 3: r000003-#.sf: line 17 is not in canonical form'],
  },
  'a commit without its newline': {
    damage: (d) => d.edit(d.round(3), (t) => t.trimEnd()),
    says: ['round 3: r000003-#.sf: line 17 is not in canonical form'],
  },
  'an empty line behind a commit': {
    damage: (d) => d.edit(d.round(3), (t) => `${t}\n`),
    says: ['round 3: r000003-#.sf: line 18 is not in canonical form'],
  },
  'an empty line within a round': {
    damage: (d) => d.edit(d.round(3), (t) => t.replace('\n', '\n\n')),
    says: ['round 3: r000003-#.sf: line 2 is not in canonical form'],
  },
  'a session changed in one header, digests made again': {
    damage: (d) =>
      d.remakeChain((t) =>
        t.replace('"round":2', '"round":2').includes('"round":2')
          ? t.replace('"session":"s1"', '"session":"s2"')
          : t,
      ),
    says: ['round 2 carries session "s2", the chain "s1"'],
  },
  'a session changed in all headers, digests made again': {
    damage: (d) => d.remakeChain((t) => t.replace('"session":"s1"', '"session":"s9"')),
    says: [
      'round 1: landed file seq 1 is missing',
      'round 1: landed file seq 2 is missing',
      'round 1: landed file seq 3 is missing',
      'round 2: landed file seq 4 is missing',
      'round 2: landed file seq 5 is missing',
      'round 2: landed file seq 6 is missing',
      'round 3: landed file seq 7 is missing',
      'round 3: landed file seq 8 is missing',
    ],
  },
  'a session changed to another that is there': {
    damage: (d) => d.remakeChain((t) => t.replace('"session":"s1"', '"session":"s2"')),
    says: [
      'round 1: the input digest does not match the landed files',
      'round 2: the input digest does not match the landed files',
      'round 3: the input digest does not match the landed files',
    ],
  },
  'a session that leaves the root': {
    damage: (d) => d.remakeChain((t) => t.replace('"session":"s1"', '"session":"../s1"')),
    says: [
      'round 1: session "../s1" cannot name a directory',
      'round 2: session "../s1" cannot name a directory',
      'round 3: session "../s1" cannot name a directory',
    ],
  },
  'a conversation changed in all headers': {
    damage: (d) => d.remakeChain((t) => t.replace('"conversation":"s1"', '"conversation":"s2"')),
    says: [
      'round 1 belongs to conversation "s2", the chain to "s1"',
      'round 2 belongs to conversation "s2", the chain to "s1"',
      'round 3 belongs to conversation "s2", the chain to "s1"',
    ],
  },
  'a policy changed in one header': {
    damage: (d) =>
      d.remakeChain((t) => (t.includes('"round":3') ? t.replace('idle=10m0s', 'idle=11m0s') : t)),
    says: ['round 3 was produced under policy "v1+idle=11m0s", the chain under "v1+idle=10m0s"'],
  },
  'a parser changed in one header': {
    damage: (d) =>
      d.remakeChain((t) => (t.includes('"round":3') ? t.replace('"parser":"v1"', '"parser":"v2"') : t)),
    says: ['round 3 was produced by parser "v2", the chain by "v1"'],
  },
  'a range that skips a sequence': {
    damage: (d) => d.remakeChain((t) => t.replace('"from_seq":4', '"from_seq":5')),
    says: ['round 2 starts at seq 5, the round before ended at 3'],
  },
  'a range beyond what landed': {
    damage: (d) => d.remakeChain((t) => t.replace(/("round":3.*"through_seq":)\d+/, '$112')),
    says: [
      'round 3: landed file seq 9 is missing',
      'round 3: landed file seq 10 is missing',
      'round 3: landed file seq 11 is missing',
      'round 3: landed file seq 12 is missing',
    ],
  },
  'an input digest changed': {
    damage: (d) => d.remakeChain((t) => t.replace(/("round":3.*"input_digest":")\w/, '$1g')),
    says: ['round 3: the input digest does not match the landed files'],
  },
  'a landed file removed': {
    damage: (d) => rmSync(d.landed(2)),
    says: [
      'ord gap  transcript-20260103T000000.000000000Z-000008.sd row 1: expected 1, got 3',
      'byte gap transcript-20260103T000000.000000000Z-000008.sd row 1: expected 0, got 515',
      'round 1: landed file seq 2 is missing',
    ],
  },
  'the last landed file removed': {
    damage: (d) => rmSync(d.landed(listLandedFiles(sessionFolder(d.root, 's1')).at(-1)!.seq)),
    says: [
      'end gap  streams/helper/transcript.cursor: read to line 4, the landed records end at line 2',
      'round 3: landed file seq 8 is missing',
    ],
  },
  'a stream removed': {
    damage: (d) => rmSync(join(d.root, 's1/streams/helper'), { recursive: true }),
    says: [
      'round 1: landed file seq 2 is missing',
      'round 1: landed file seq 3 is missing',
      'round 3: landed file seq 8 is missing',
    ],
  },
  'a session removed': {
    damage: (d) => rmSync(join(d.root, 's1'), { recursive: true }),
    says: [
      'round 1: landed file seq 1 is missing',
      'round 1: landed file seq 2 is missing',
      'round 1: landed file seq 3 is missing',
      'round 2: landed file seq 4 is missing',
      'round 2: landed file seq 5 is missing',
      'round 2: landed file seq 6 is missing',
      'round 3: landed file seq 7 is missing',
      'round 3: landed file seq 8 is missing',
    ],
  },
  'one byte of a record changed': {
    damage: (d) => d.edit(d.landed(1), (t) => t.replace('begin', 'begun')),
    says: [
      'unread   transcript-20260103T000000.000000000Z-000001.sd row 5: sessiondata: demo/s1/streams/main: digest mismatch, computed # and the file claims #',
      'round 1: the input digest does not match the landed files',
    ],
  },
  'one byte of a record changed, closing digest made again': {
    damage: (d) => d.reland(d.landed(1), (t) => t.replace('begin', 'begun')),
    says: ['round 1: the input digest does not match the landed files'],
  },
  'one digit of the closing digest changed': {
    damage: (d) =>
      d.edit(d.landed(1), (t) =>
        t.replace(/("digest":"\w{63})(\w)/, (_, a, b) => a + (b === '0' ? '1' : '0')),
      ),
    says: [
      'unread   transcript-20260103T000000.000000000Z-000001.sd row 5: sessiondata: demo/s1/streams/main: digest mismatch, computed # and the file claims #',
      'round 1: the input digest does not match the landed files',
    ],
  },
  'a landed file cut in its middle': {
    damage: (d) => d.edit(d.landed(1), (t) => t.slice(0, t.length / 2)),
    says: [
      'unread   transcript-20260103T000000.000000000Z-000001.sd row 3: sessiondata: decode record: Unterminated string',
      'ord gap  transcript-20260103T000000.000000000Z-000004.sd row 1: expected 3, got 5',
      'byte gap transcript-20260103T000000.000000000Z-000004.sd row 1: expected 427, got 1137',
      'round 1: the input digest does not match the landed files',
    ],
  },
  'a landed file cut before its closing line': {
    damage: (d) => d.edit(d.landed(1), (t) => t.slice(0, t.trimEnd().lastIndexOf('\n') + 1)),
    says: [
      'unread   transcript-20260103T000000.000000000Z-000001.sd row 5: sessiondata: demo/s1/streams/main has no closing line; it is incomplete',
      'round 1: the input digest does not match the landed files',
    ],
  },
  'a landed file emptied': {
    damage: (d) => rewrite(d.landed(1), ''),
    says: [
      'unread   transcript-20260103T000000.000000000Z-000001.sd: sessiondata: read header: the file is empty',
      'ord gap  transcript-20260103T000000.000000000Z-000004.sd row 1: expected 1, got 5',
      'byte gap transcript-20260103T000000.000000000Z-000004.sd row 1: expected 0, got 1137',
      'round 1: the input digest does not match the landed files',
    ],
  },
  'a closing line with white space': {
    damage: (d) => d.edit(d.landed(1), (t) => t.replace('{"t":"end",', '{"t":"end", ')),
    says: [
      'spelling transcript-20260103T000000.000000000Z-000001.sd: the closing line is not in canonical form',
      'round 1: the input digest does not match the landed files',
    ],
  },
  'a closing line with its keys in another order': {
    damage: (d) => d.edit(d.landed(1), (t) => t.replace(/\{"t":"end",("records":\d+)/, '{$1,"t":"end"')),
    says: [
      'unread   transcript-20260103T000000.000000000Z-000001.sd row 6: sessiondata: demo/s1/streams/main has no closing line; it is incomplete',
      'round 1: the input digest does not match the landed files',
    ],
  },
  'a closing line without its newline': {
    damage: (d) => d.edit(d.landed(1), (t) => t.trimEnd()),
    says: [
      'spelling transcript-20260103T000000.000000000Z-000001.sd: the closing line is not in canonical form',
      'round 1: the input digest does not match the landed files',
    ],
  },
  'a landed file renamed to another sequence': {
    damage: (d) => renameSync(d.landed(2), d.landed(2).replace('000002.sd', '000077.sd')),
    says: [
      'ord gap  transcript-20260103T000000.000000000Z-000008.sd row 1: expected 1, got 3',
      'byte gap transcript-20260103T000000.000000000Z-000008.sd row 1: expected 0, got 515',
      'header   transcript-20260103T000000.000000000Z-000077.sd: it was landed as sequence 2',
      'round 1: landed file seq 2 is missing',
    ],
  },
  "two landed files under each other's sequence": {
    damage: (d) => {
      const [a, b] = [d.landed(1), d.landed(2)];
      renameSync(a, a.replace('000001.sd', '000099.sd'));
      renameSync(b, b.replace('000002.sd', '000001.sd'));
      renameSync(a.replace('000001.sd', '000099.sd'), a.replace('000001.sd', '000002.sd'));
    },
    says: [
      'header   transcript-20260103T000000.000000000Z-000001.sd: it was landed as sequence 2',
      'header   transcript-20260103T000000.000000000Z-000002.sd: it was landed as sequence 1',
      'round 1: the input digest does not match the landed files',
    ],
  },
  'a landed file twice under one sequence': {
    damage: (d) => cpSync(d.landed(2), d.landed(2).replace('-20260103', '-20270103')),
    says: [
      'listing  storage: ROOT/s1/streams/helper/transcript-20260103T000000.000000000Z-000002.sd and ROOT/s1/streams/helper/transcript-20270103T000000.000000000Z-000002.sd carry the same sequence 2',
    ],
  },
  'a landed file added under a sequence of the range': {
    damage: (d) => cpSync(d.landed(2), d.landed(1).replace('transcript', 'other')),
    says: [
      'listing  storage: ROOT/s1/streams/main/other-20260103T000000.000000000Z-000001.sd and ROOT/s1/streams/main/transcript-20260103T000000.000000000Z-000001.sd carry the same sequence 1',
    ],
  },
  'a landed file in another stream': {
    damage: (d) => renameSync(d.landed(3), join(d.root, 's1/streams/main', basename(d.landed(3)))),
    says: [
      'end gap  streams/helper/meta.cursor: read to line 1, the landed records end at line 0',
      'header   meta-20260103T000000.000000000Z-000003.sd: it belongs to stream "helper"',
      'round 1: the input digest does not match the landed files',
    ],
  },
  'a stream renamed': {
    damage: (d) => renameSync(join(d.root, 's1/streams/helper'), join(d.root, 's1/streams/other')),
    says: [
      'header   transcript-20260103T000000.000000000Z-000002.sd: it belongs to stream "helper"',
      'header   transcript-20260103T000000.000000000Z-000008.sd: it belongs to stream "helper"',
      'header   meta-20260103T000000.000000000Z-000003.sd: it belongs to stream "helper"',
      'round 1: the input digest does not match the landed files',
      'round 3: the input digest does not match the landed files',
    ],
  },
  'a landed file of another session': {
    damage: (d) => {
      const p = d.landed(2);
      rmSync(p);
      cpSync(d.landed(2, 's2'), p);
    },
    says: [
      'header   transcript-20260103T000000.000000000Z-000002.sd: it belongs to session "s2"',
      'round 1: the input digest does not match the landed files',
    ],
  },
  'a session renamed': {
    damage: (d) => renameSync(join(d.root, 's1'), join(d.root, 's4')),
    says: [
      'header   transcript-20260103T000000.000000000Z-000002.sd: it belongs to session "s1"',
      'header   transcript-20260103T000000.000000000Z-000008.sd: it belongs to session "s1"',
      'header   meta-20260103T000000.000000000Z-000003.sd: it belongs to session "s1"',
      'header   transcript-20260103T000000.000000000Z-000001.sd: it belongs to session "s1"',
      'header   transcript-20260103T000000.000000000Z-000004.sd: it belongs to session "s1"',
      'header   transcript-20260103T000000.000000000Z-000007.sd: it belongs to session "s1"',
      'header   journal-20260103T000000.000000000Z-000005.sd: it belongs to session "s1"',
      'header   script-20260103T000000.000000000Z-000006.sd: it belongs to session "s1"',
      'round 1: landed file seq 1 is missing',
      'round 1: landed file seq 2 is missing',
      'round 1: landed file seq 3 is missing',
      'round 2: landed file seq 4 is missing',
      'round 2: landed file seq 5 is missing',
      'round 2: landed file seq 6 is missing',
      'round 3: landed file seq 7 is missing',
      'round 3: landed file seq 8 is missing',
    ],
  },
  'a cursor that looks ahead': {
    damage: (d) =>
      d.edit(join(d.root, 's1/streams/main/transcript.cursor'), (t) =>
        unchecked(t)
          .replace(/^(ord +)\d+$/m, '$140')
          .replace(/^(offset +)\d+$/m, '$19000'),
      ),
    says: [
      'end gap  streams/main/transcript.cursor: read to line 40 and byte 9000, the landed records end at line 9 and byte 2738',
    ],
  },
  'a cursor that looks ahead by lines alone': {
    damage: (d) =>
      d.edit(join(d.root, 's1/streams/main/transcript.cursor'), (t) =>
        unchecked(t).replace(/^(ord +)\d+$/m, '$140'),
      ),
    says: ['end gap  streams/main/transcript.cursor: read to line 40, the landed records end at line 9'],
  },
  'a cursor of a stream without files': {
    damage: (d) =>
      cpSync(
        join(d.root, 's1/streams/main/transcript.cursor'),
        join(d.root, 's1/streams/gone/transcript.cursor'),
      ),
    says: ['end gap  streams/gone/transcript.cursor: read to line 9, the landed records end at line 0'],
  },
  'an ord gap, closing digest made again': {
    damage: (d) => d.reland(d.landed(1), (t) => t.replace('{"ord":3,', '{"ord":4,')),
    says: [
      'ord gap  transcript-20260103T000000.000000000Z-000001.sd row 3: expected 3, got 4',
      'byte gap transcript-20260103T000000.000000000Z-000004.sd row 1: expected 778, got 1137',
      'round 1: the input digest does not match the landed files',
    ],
  },
  'a byte gap, closing digest made again': {
    damage: (d) =>
      d.reland(d.landed(1), (t) => t.replace(/("ord":3,"off":)(\d+)/, (_, a, b) => `${a}${Number(b) + 1}`)),
    says: [
      'byte gap transcript-20260103T000000.000000000Z-000001.sd row 3: expected 427, got 428',
      'byte gap transcript-20260103T000000.000000000Z-000001.sd row 4: expected 779, got 778',
      'round 1: the input digest does not match the landed files',
    ],
  },
  'a record taken out, closing line made again': {
    damage: (d) => d.reland(d.landed(1), (t) => t.replace(/\{"ord":3,.*\n/, '')),
    says: [
      'ord gap  transcript-20260103T000000.000000000Z-000001.sd row 3: expected 3, got 4',
      'byte gap transcript-20260103T000000.000000000Z-000001.sd row 3: expected 427, got 778',
      'round 1: the input digest does not match the landed files',
    ],
  },
};

/** The findings, in order: digests and the temporary folder as placeholders. */
function findings(root: string, { stdout }: Ran): string[] {
  return stdout
    .split('\n')
    .filter((line) => line.startsWith('   '))
    .map((line) =>
      line
        .slice(3)
        .replaceAll(root, 'ROOT')
        .replace(/\b[0-9a-f]{12}\b/g, '#')
        .replace(/ in JSON at position .*/, ''),
    );
}

describe('damage', { concurrency: 2 }, () => {
  for (const [name, { damage, says }] of Object.entries(DAMAGES)) test(name, () => damaged(damage, says));
});

async function damaged(damage: Damage['damage'], says: Damage['says']): Promise<void> {
  const root = new Damaged();
  damage(root);
  const ran = await root.asz(['verify', '--jobs', '1']);
  const found = findings(root.root, ran);
  assert.deepEqual(found, says);
  assert.equal(ran.status, 1);
  assert.equal(ran.stderr, `asz: ${says.length} contiguity or integrity problem(s)\n`);
  assert.match(ran.stdout, /^checked [12] session\(s\), /m);
  assert.match(ran.stdout, /^checked 2 conversation chain\(s\), /m);
  assert.doesNotMatch(ran.stdout, /^s2: /m, 'the other session is whole');
}

test('the last round removed: nothing on disk says so, and the next parse writes the same bytes again', async () => {
  const root = new Damaged();
  const [path, bytes] = [root.round(3), readFileSync(root.round(3))];
  rmSync(path);
  assert.equal(
    assertDone(await root.asz(['verify']))
      .split('\n')
      .at(-2),
    CLEAN,
  );
  assertDone(await root.asz(['parse']));
  assert.deepEqual(readFileSync(path), bytes);
});

test('what no reader opens is named, for something may be behind it', {
  skip: process.platform === 'win32',
}, async () => {
  const root = new Damaged();
  const at = (path: string) => join(root.root, path);
  symlinkSync(at('s1/streams/main'), at('s1/streams/linked'));
  symlinkSync(at('s1/index'), at('s1/streams/main/linked'));
  cpSync(root.landed(1), at('s1/streams/main/a copy.sd'));
  cpSync(root.landed(1), at('s1/transcript-20260103T000000.000000000Z-000099.sd'));
  symlinkSync(at('s1'), at('s3'));
  symlinkSync(at('_conversations/s1'), at('_conversations/s3'));
  // Whoever keeps notes in a root is let be.
  writeFileSync(at('s1/notes.txt'), 'x');
  const ran = await root.asz(['verify', '--jobs', '1']);
  assert.deepEqual(findings(root.root, ran), [
    'unread   streams/linked: it is not a regular file, and is not read',
    'unread   streams/main/a copy.sd: no landed file has this name and place, and it is not read',
    'unread   streams/main/linked: it is not a regular file, and is not read',
    'unread   transcript-20260103T000000.000000000Z-000099.sd: no landed file has this name and place, and it is not read',
    'listing  storage: ROOT/s3 is a symbolic link, and a storage root follows none',
    'listing  storage: ROOT/_conversations/s3 is a symbolic link, and a storage root follows none',
  ]);
  assert.equal(ran.status, 1);
  const { sessions } = JSON.parse((await root.asz(['verify', 's1', '--json'])).stdout);
  assert.deepEqual(sessions[0].problems[0], {
    ...{ id: 'landed-unread', file: 's1/streams/linked', line: 0 },
    words: 'unread   streams/linked: it is not a regular file, and is not read',
  });
});

test('the whole root, before any damage, is clean', async () => {
  const root = new Damaged();
  assert.equal(
    assertDone(await root.asz(['verify'])),
    `checked 2 session(s), 10 stream(s), 32 records\nchecked 2 conversation chain(s), 6 round(s)\n${CLEAN}\n`,
  );
  assert.equal(root.rounds('s1').length, 3);
});

test('verify of one session leaves the others out', async () => {
  const root = new Damaged();
  root.edit(root.round(2), (text) => text.replace('Workflow', 'Workflou'));
  assert.equal(
    assertDone(await root.asz(['verify', 's2']))
      .split('\n')
      .at(-2),
    CLEAN,
  );
  assert.equal((await root.asz(['verify', 's1'])).status, 1);
});
