/**
 * A history in the landed form, index included, without its source files ever being written: the units go
 * through the dialect and into the collector's own writer, pass by pass, cut where the collector would cut. A
 * test holds every byte against what the collector lands.
 */
import { hash } from 'node:crypto';
import { CLAUDE_CODE } from '../../src/adapters/claude-code/claude-code.js';
import { locate } from '../../src/adapters/claude-code/source-names.js';
import { compareCodePoints } from '../../src/format/json-text.js';
import type { Instant } from '../../src/format/time.js';
import { saveSessionState } from '../../src/io/session-state.js';
import { sessionStateFile } from '../../src/io/storage-root.js';
import { DEFAULT_MAX_DELTA_BYTES } from '../../src/landing/collect-root.js';
import { indexSink } from '../../src/landing/index-sink.js';
import type { SessionIndexing } from '../../src/landing/landed-sink.js';
import { emptyTally } from '../../src/landing/pass-tally.js';
import { SessionLanding } from '../../src/landing/session-landing.js';
import type { Pass, PassFile } from './history.js';

type Source = NonNullable<ReturnType<typeof locate>>['source'];

/** Where the next line of a source stands. */
interface Place {
  ord: number;
  off: number;
}

/** Lands one session; its index is saved by `finish`. */
export class LandedSession {
  readonly #root: string;
  readonly #session: string;
  readonly #indexing: SessionIndexing;
  readonly #places: Map<string, Place>;
  #nextSeq: number;

  /** `nextSeq` above 1 goes on with a session that is there; its index is then extended. `places` by source path. */
  constructor(root: string, session: string, nextSeq = 1, places: ReadonlyMap<string, Place> = new Map()) {
    this.#places = new Map(places);
    this.#root = root;
    this.#session = session;
    this.#indexing = indexSink(root).open(session, nextSeq - 1);
    this.#nextSeq = nextSeq;
  }

  /** `now` is the pass's instant: it stands in every header and name. */
  pass(pass: Pass, now: Instant): void {
    const place = {
      adapter: CLAUDE_CODE,
      sourceRoot: '',
      storageRoot: this.#root,
      session: this.#session,
      maxDeltaBytes: DEFAULT_MAX_DELTA_BYTES,
    };
    const landing = new SessionLanding(place, emptyTally(), now, this.#nextSeq, () => this.#indexing);
    for (const [relativePath, file] of [...pass].sort(([a], [b]) => compareCodePoints(a, b))) {
      const location = locate(relativePath);
      if (location === undefined) throw new Error(`${relativePath} is no source`);
      if (file.growth === 'append') this.#appended(landing, location.source, file);
      else this.#document(landing, location.source, file.lines[0]!);
    }
    this.#nextSeq = landing.nextSeq;
    const { at } = landing;
    saveSessionState(sessionStateFile(this.#root, this.#session), {
      ...{ session: this.#session, nextSeq: this.#nextSeq, lastScan: at, updatedAt: at },
    });
  }

  finish(now: Instant): void {
    this.#indexing.save(now);
  }

  /** A window of source bytes and a landed file are bounded alike, and a file ends at whichever comes first. */
  #appended(landing: SessionLanding, source: Source, { lines }: PassFile): void {
    const place = this.#places.get(source.relativePath) ?? { ord: 0, off: 0 };
    this.#places.set(source.relativePath, place);
    const units = lines.map((line) => Buffer.from(line));
    for (let next = 0; next < units.length; ) {
      const landed = landing.startFile(source);
      const windowEnd = place.off + DEFAULT_MAX_DELTA_BYTES;
      while (next < units.length) {
        const raw = units[next]!;
        const behind = place.off + raw.length + 1;
        if (landed.records > 0 && behind > windowEnd) break;
        const sha = hash('sha256', raw, 'hex').slice(0, 12);
        const { session } = landing.place;
        const at = { ord: place.ord + 1, off: place.off, sha };
        const record = CLAUDE_CODE.convert({ session, source, raw, ...at });
        if (!landed.addWithin(record, DEFAULT_MAX_DELTA_BYTES)) break;
        place.ord++;
        place.off = behind;
        next++;
      }
      landed.publish();
    }
  }

  #document(landing: SessionLanding, source: Source, text: string): void {
    const raw = Buffer.from(text);
    const sha = hash('sha256', raw, 'hex').slice(0, 12);
    const { session } = landing.place;
    const record = CLAUDE_CODE.convert({ session, source, raw, ord: 1, off: 0, sha });
    const landed = landing.startFile(source);
    landed.addWithin(record, Number.POSITIVE_INFINITY);
    landed.publish();
  }
}
