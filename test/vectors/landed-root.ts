/**
 * The procedure of the shared data's parse level: a fresh root gets a session's landed files round by round, is
 * parsed after each, and every round must be the vector's, byte for byte.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { readLandedName } from '../../src/format/landed-name.js';
import { listRounds } from '../../src/io/chain-directory.js';
import { listLandedFiles } from '../../src/io/storage-root.js';
import { type ParseOptions, parseOnce } from '../../src/rounds/parse-session.js';

export const OPTIONS: ParseOptions = {
  maxBytes: 2 * 1024 * 1024,
  now: () => ({ ms: Date.UTC(2026, 0, 1), ns: 0 }),
};

/** A chain to reproduce: landed files by path below the root, and rounds in order. */
export interface Vector {
  readonly session: string;
  readonly files: readonly { readonly path: string; readonly seq: number; readonly content: Buffer }[];
  readonly rounds: readonly { readonly name: string; readonly through: number; readonly content: Buffer }[];
}

/** The vectors of a root on disk, one per session. */
export function vectorsIn(root: string): Vector[] {
  return readdirSync(root, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith('_'))
    .map(({ name: session }) => ({
      session,
      files: listLandedFiles(join(root, session)).map(({ path, seq }) => ({
        path: relative(root, path),
        seq,
        content: readFileSync(path),
      })),
      rounds: listRounds(join(root, '_conversations', session, 'rounds')).map(({ path, name }) => {
        const content = readFileSync(path);
        const header = JSON.parse(content.subarray(0, content.indexOf('\n')).toString());
        return { name, through: header.through_seq as number, content };
      }),
    }));
}

/** The vectors of a file of random sessions, one a line. */
export function randomVectors(path: string): Vector[] {
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const { session, files, rounds } = JSON.parse(line) as {
        session: string;
        files: Record<string, string>;
        rounds: { through: number; name: string; text: string }[];
      };
      return {
        session,
        files: Object.entries(files).map(([path, text]) => ({
          path,
          seq: readLandedName(path)!.seq,
          content: Buffer.from(text),
        })),
        rounds: rounds.map(({ through, name, text }) => ({ through, name, content: Buffer.from(text) })),
      };
    });
}

/** Puts the files above `after` and up to `through` into a root. */
export function landFiles(root: string, { files }: Vector, through: number, after = 0): void {
  for (const { path, seq, content } of files) {
    if (seq > through || seq <= after) continue;
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  }
}

/**
 * Reproduces a vector's chain in a fresh root, checkpoint by checkpoint. The index is removed before each parse,
 * as a parse extends none: extending it is the collector's work. Gives what differs, in words; none is right.
 */
export async function reproduce(root: string, vector: Vector, options = OPTIONS): Promise<string[]> {
  const different: string[] = [];
  let landed = 0;
  for (const expected of vector.rounds) {
    landFiles(root, vector, expected.through, landed);
    landed = expected.through;
    forgetIndex(root, vector.session);
    const { path, round } = await parseOnce(root, vector.session, options);
    if (round === 0) {
      different.push(`${vector.session}: no round where ${expected.name} was expected`);
      break;
    }
    const difference = firstDifference(readFileSync(path), expected.content);
    if (difference !== undefined) {
      different.push(`${vector.session} ${expected.name}: ${difference}`);
      break;
    }
  }
  return different;
}

/** Removes a session's index, which costs a rebuild and nothing else. */
export function forgetIndex(root: string, session: string): void {
  rmSync(join(root, session, 'index'), { recursive: true, force: true });
}

/** The first line in which two rounds differ, or `undefined`. */
export function firstDifference(got: Buffer, want: Buffer): string | undefined {
  if (got.equals(want)) return undefined;
  const [gotLines, wantLines] = [got.toString().split('\n'), want.toString().split('\n')];
  const at = gotLines.findIndex((line, i) => line !== wantLines[i]);
  return `line ${at + 1}:\n  got  ${gotLines[at]}\n  want ${wantLines[at]}`;
}
