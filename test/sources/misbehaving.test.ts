/**
 * Sources that misbehave. Whatever one does, the other session lands as if it were alone, what landed verifies, and
 * what failed is named once with its path.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  cpSync,
  mkdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { indexSink } from '../../src/landing/index-sink.js';
import type { PassTally } from '../../src/landing/pass-tally.js';
import { parseSession } from '../../src/rounds/parse-session.js';
import { verifyChain } from '../../src/rounds/verify-chain.js';
import { verifyLanded } from '../../src/rounds/verify-landed.js';
import { assertDone, rewrite, Workplace } from '../e2e/run-asz.js';
import { aPrompt, Collection, checkProvenance, MAIN, PROJECT, SESSION } from '../landing/collecting.js';

const OTHER = '0b0b0b0b-0000-4000-8000-000000000002';
const OTHER_MAIN = `${PROJECT}/${OTHER}.jsonl`;
const AGENT = `${PROJECT}/${SESSION}/subagents/agent-a0123456789abcdef.jsonl`;
const OPTIONS = { maxBytes: 1 << 21, now: () => ({ ms: 0, ns: 0 }) };

/** Two sessions, of which the second behaves. */
class Place extends Collection {
  #otherRecords = 0;

  get main(): string {
    return join(this.sources, MAIN);
  }

  /** A pass, in which the other session gets a record, with index and chains; and that session has landed whole. */
  async both(options: Parameters<Collection['pass']>[0] = {}): Promise<PassTally> {
    this.#otherRecords++;
    const lines = Array.from({ length: this.#otherRecords }, (_, i) => aPrompt(`o${i}`));
    this.write(OTHER_MAIN, lines.join(''));
    const tally = await this.pass({ index: indexSink(this.root), ...options });
    assert.equal(
      this.records('main', OTHER).length,
      this.#otherRecords,
      'the other session is not disturbed',
    );
    for (const session of [SESSION, OTHER]) {
      await parseSession(this.root, session, OPTIONS);
      const landed = verifyLanded(this.root, session);
      const chain = verifyChain(this.root, session, () => landed.digests);
      assert.deepEqual([...landed.problems, ...chain.problems], []);
    }
    return tally;
  }

  ids(): string[] {
    return this.records().map(({ value }) => value.id);
  }
}

const words = ({ errors }: PassTally) => errors.map(({ message }) => message);

test('a last line without its newline, cut at every byte of a record: nothing of it lands, then all of it once', async () => {
  const c = new Place();
  const record = aPrompt('u2', 'é “x” ');
  const bytes = Buffer.from(record);
  for (let cut = 0; cut < bytes.length; cut++) {
    const own = new Collection(join(c.sources, `../p${cut}`), join(c.root, `../d${cut}`));
    const path = own.write(MAIN, Buffer.concat([Buffer.from(aPrompt('u1')), bytes.subarray(0, cut)]));
    assert.equal((await own.pass()).records, 1, `cut at ${cut}`);
    appendFileSync(path, bytes.subarray(cut));
    assert.equal((await own.pass()).records, 1, `cut at ${cut}`);
    assert.equal(checkProvenance(own.sources, own.landed()), 2);
    assert.deepEqual(
      own.records().map(({ value }) => value.id),
      ['u1', 'u2'],
    );
    rmSync(own.root, { recursive: true });
  }
});

test('a source that grows while it is read lands up to what was seen, and the rest in the next pass', async () => {
  const c = new Place();
  c.write(MAIN, aPrompt('u1') + aPrompt('u2'));
  let grown = false;
  await c.both({
    now: () => {
      if (!grown) appendFileSync(c.main, `${aPrompt('u3')}{"torn`);
      grown = true;
      return c.now;
    },
  });
  appendFileSync(c.main, '":1}\n');
  await c.both();
  assert.deepEqual(c.ids(), ['u1', 'u2', 'u3', undefined]);
  assert.equal(checkProvenance(c.sources, c.landed()), 4);
});

interface Misbehaviour {
  readonly does: (c: Place) => void;
  /** What the pass after it says; empty when nothing is wrong. */
  readonly says: readonly RegExp[];
  /** Ids of what has landed after it. */
  readonly landed: readonly (string | undefined)[];
}

/** What happens to a source of two records that have landed. */
const LATER: Readonly<Record<string, Misbehaviour>> = {
  'is truncated': {
    does: ({ main }) => truncateSync(main, 20),
    says: [/^claudecode: conflict on \S+: truncated: size 20 < offset \d+$/],
    landed: ['u1', 'u2'],
  },
  'is emptied': {
    does: ({ main }) => truncateSync(main, 0),
    says: [/^claudecode: conflict on \S+: truncated: size 0 < offset \d+$/],
    landed: ['u1', 'u2'],
  },
  'is rewritten behind the cursor at the same length: not seen while it rests': {
    does: ({ main }) => writeFileSync(main, aPrompt('x1') + aPrompt('x2')),
    says: [],
    landed: ['u1', 'u2'],
  },
  'is rewritten behind the cursor, and grows': {
    does: ({ main }) => writeFileSync(main, aPrompt('x1') + aPrompt('x2') + aPrompt('x3')),
    says: [/^claudecode: conflict on \S+: tail digest mismatch \(source rewritten behind cursor\)$/],
    landed: ['u1', 'u2'],
  },
  'is replaced by a copy with a new inode, and grows': {
    does: ({ main }) => {
      cpSync(main, `${main}.x`);
      appendFileSync(`${main}.x`, aPrompt('u3'));
      renameSync(`${main}.x`, main);
    },
    says: [],
    landed: ['u1', 'u2', 'u3'],
  },
  'is replaced by another with a new inode': {
    does: ({ main }) => {
      writeFileSync(`${main}.x`, aPrompt('x1') + aPrompt('x2'));
      renameSync(`${main}.x`, main);
    },
    says: [/tail digest mismatch/],
    landed: ['u1', 'u2'],
  },
  'is removed': { does: ({ main }) => rmSync(main), says: [], landed: ['u1', 'u2'] },
  'is removed with its whole folder': {
    does: ({ sources }) => rmSync(join(sources, PROJECT), { recursive: true }),
    says: [],
    landed: ['u1', 'u2'],
  },
  'becomes a directory': {
    does: ({ main }) => {
      rmSync(main);
      mkdirSync(main);
    },
    says: [new RegExp(`^session ${SESSION}: ${MAIN}: it is not a regular file$`)],
    landed: ['u1', 'u2'],
  },
  'becomes a link to itself, kept elsewhere': {
    does: ({ main, sources }) => {
      renameSync(main, join(sources, 'kept'));
      symlinkSync(join(sources, 'kept'), main);
    },
    says: [new RegExp(`^session ${SESSION}: ${MAIN}: it is a symbolic link, and none is followed$`)],
    landed: ['u1', 'u2'],
  },
  'becomes a pipe': {
    does: ({ main }) => {
      rmSync(main);
      execFileSync('mkfifo', [main]);
    },
    says: [new RegExp(`^session ${SESSION}: ${MAIN}: it is not a regular file$`)],
    landed: ['u1', 'u2'],
  },
};

describe('a source of two landed records', { skip: process.platform === 'win32' }, () => {
  for (const [name, { does, says, landed }] of Object.entries(LATER))
    test(name, async () => {
      const c = new Place();
      c.write(MAIN, aPrompt('u1') + aPrompt('u2'));
      await c.both();
      does(c);
      const said = words(await c.both());
      assert.equal(said.length, says.length, said.join('\n'));
      for (const [i, pattern] of says.entries()) assert.match(said[i]!, pattern);
      assert.deepEqual(c.ids(), landed);
    });
});

const IN_PLACE: Readonly<Record<string, (path: string) => void>> = {
  'a link to a file': (path) => {
    writeFileSync(`${path}.target`, aPrompt('secret'));
    symlinkSync(`${path}.target`, path);
  },
  'a link to nothing': (path) => symlinkSync('nowhere', path),
  'a link to itself': (path) => symlinkSync(path, path),
  'a directory': (path) => mkdirSync(path),
  'a pipe': (path) => execFileSync('mkfifo', [path]),
};

describe("in a transcript's place", { skip: process.platform === 'win32' }, () => {
  for (const [what, make] of Object.entries(IN_PLACE)) {
    test(`${what} is never opened: the source fails by name, the session's others go on`, async () => {
      const c = new Place();
      c.write(MAIN, aPrompt('u1'));
      mkdirSync(join(c.sources, AGENT, '..'), { recursive: true });
      make(join(c.sources, AGENT));
      const tally = await c.both();
      assert.equal(words(tally).length, 1);
      assert.match(
        words(tally)[0]!,
        new RegExp(`^session ${SESSION}: ${AGENT}: it is (a symbolic link|not a regular)`),
      );
      assert.deepEqual(c.ids(), ['u1']);
    });

    test(`${what} as a session's only source makes no session`, async () => {
      const c = new Place();
      mkdirSync(join(c.sources, PROJECT), { recursive: true });
      make(c.main);
      const tally = await c.both();
      assert.equal(words(tally).length, 1);
      assert.match(
        words(tally)[0]!,
        new RegExp(`^session ${SESSION}: ${MAIN}: it is (a symbolic link|not a regular)`),
      );
      assert.throws(() => c.state(), { code: 'ENOENT' });
    });
  }

  test('each kind of source is as safe from a pipe and a link as a transcript', async () => {
    const own = `${PROJECT}/${SESSION}`;
    for (const path of [
      `${AGENT.slice(0, -'.jsonl'.length)}.meta.json`,
      `${own}/workflows/wf_a.json`,
      `${own}/workflows/scripts/weekly-wf_a.js`,
      `${own}/subagents/workflows/wf_a/journal.jsonl`,
    ])
      for (const what of ['a link to a file', 'a pipe']) {
        const c = new Place();
        c.write(MAIN, aPrompt('u1'));
        c.write(AGENT, aPrompt('c1'));
        mkdirSync(join(c.sources, path, '..'), { recursive: true });
        IN_PLACE[what]!(join(c.sources, path));
        assert.match(
          words(await c.both()).join('\n'),
          new RegExp(
            `^session ${SESSION}: ${path}: it is (a symbolic link, and none is followed|not a regular file)$`,
          ),
          `${what} at ${path}`,
        );
        assert.deepEqual([c.ids(), c.records().length], [['u1'], 1]);
      }
  });

  test('as a pass says it: exit code 1, one line for each, and the other session has its round', async () => {
    const place = new Workplace();
    rewrite(join(place.projects, OTHER_MAIN), aPrompt('o1'));
    for (const [i, make] of Object.values(IN_PLACE).entries()) {
      const path = join(place.projects, PROJECT, `${SESSION.slice(0, -1)}${i}.jsonl`);
      make(path);
    }
    const { status, stderr } = await place.asz(['collect', '--once']);
    assert.equal(status, 1);
    assert.equal(
      stderr.match(/^ {2}error: .*: it is (a symbolic link, and none is followed|not a regular file)$/gm)
        ?.length,
      Object.keys(IN_PLACE).length,
      stderr,
    );
    assert.equal(place.rounds(OTHER).length, 1);
    assertDone(await place.asz(['verify']));
  });

  test('a file that may not be read fails by name', {
    skip: process.getuid?.() === 0 ? 'root may read everything' : false,
  }, async () => {
    const c = new Place();
    c.write(MAIN, aPrompt('u1'));
    chmodSync(c.main, 0);
    assert.match(words(await c.both())[0]!, new RegExp(`^session ${SESSION}: open \\S+: permission denied$`));
  });
});

const nested = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;

/** Lines of a transcript, and how many records they are. */
const LINES: Readonly<Record<string, readonly [Buffer | string, number]>> = {
  'a line of 64 MB': [
    `${aPrompt('u1')}{"type":"user","uuid":"long","x":"${'x'.repeat(64_000_000)}"}\n${aPrompt('u3')}`,
    3,
  ],
  'more than 256 levels of nesting': [`{"type":"user","uuid":"u1","x":${nested(300)}}\n`, 1],
  '40,000 levels of nesting': [`{"type":"user","uuid":"u1","x":${nested(40_000)}}\n${aPrompt('u2')}`, 2],
  'a block of NUL': [
    Buffer.concat([Buffer.from(aPrompt('u1')), Buffer.alloc(4096), Buffer.from(`\n${aPrompt('u2')}`)]),
    3,
  ],
  'bytes that are not UTF-8': [Buffer.from('7b2275756964223a22fffe80c0af227d0a', 'hex'), 1],
  'two records on one line': [`${aPrompt('u1').trim()}${aPrompt('u2')}`, 1],
  'carriage returns, blank lines and a mark of byte order': [
    `\ufeff${aPrompt('u1').trim()}\r\n\n\r\n${aPrompt('u2')}`,
    4,
  ],
  'every control character': [Buffer.from([...Array.from({ length: 256 }, (_, i) => i), 0x0a]), 2],
};

describe('lines', () => {
  for (const [what, [content, records]] of Object.entries(LINES))
    test(`${what}: ${records} record(s) land whole, and are read back`, async () => {
      const c = new Place();
      c.write(MAIN, content);
      const tally = await c.both();
      assert.deepEqual([words(tally), c.records().length], [[], records]);
      assert.equal(checkProvenance(c.sources, c.landed()), records);
    });

  test('a 16 MB record among small ones is alone in its file', async () => {
    const c = new Place();
    c.write(MAIN, aPrompt('u1') + aPrompt('big', 'x'.repeat(16_000_000)) + aPrompt('u3') + aPrompt('u4'));
    assert.deepEqual(words(await c.both()), []);
    assert.deepEqual(
      c.landed().map(({ records }) => records.map(({ value }) => value.id).join()),
      ['u1', 'big', 'u3,u4'],
    );
  });
});
