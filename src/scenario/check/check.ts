/**
 * Runs a scenario as a test: builds it checkpoint by checkpoint in each format, collects and parses as the ordinary
 * commands do, and holds what comes of it against the expectation and the properties (scenario spec 8).
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { AszError } from '../../format/errors.js';
import type { Instant } from '../../format/time.js';
import type { ParseReport } from '../../rounds/parse-session.js';
import { verifyChain } from '../../rounds/verify-chain.js';
import { verifyLanded } from '../../rounds/verify-landed.js';
import type { Format } from '../build.js';
import { type Plan, planScenario, sessionOf } from '../plan.js';
import { checkpointsOf, FINAL, type Scenario } from '../scenario.js';
import { ScenarioError } from '../yaml-file.js';
import { CheckedRoot } from './checked-root.js';
import { foldDifferences, landedEntries, recordDifferences } from './compare.js';
import { type Difference, differenceLines } from './difference.js';
import { documentText, readDocument } from './document.js';
import { assertsNothing, evaluate, foldSummary } from './evaluate.js';
import type { Block, Expectation } from './expectation.js';
import { loseFile } from './lose.js';
import { type Part, PROPERTIES, type Property } from './properties.js';
import { missingKinds } from './push-property.js';
import { NO_BLOCK } from './read-expectation.js';

export interface CheckOptions {
  readonly scenario: Scenario;
  readonly expectation: Expectation | undefined;
  readonly formats: readonly Format[];
  /** Each format works in a folder of its own below it. */
  readonly folder: string;
  readonly at: Instant;
  readonly intervalMs?: number | undefined;
  readonly scale?: number | undefined;
  /** What of the expectation and the properties is left out. */
  readonly without?: readonly Part[];
  /** One line per checkpoint and property, as it becomes known. */
  readonly print: (line: string) => void;
}

export interface CheckResult {
  readonly held: number;
  readonly failed: number;
  readonly notChecked: number;
  /** The first difference, shown with what stands behind it. Empty when there is none. */
  readonly first: readonly string[];
}

/**
 * Throws what stops a check: a scenario that cannot be planned, an adapter's error. A difference is no error; it is
 * counted, printed, and the check goes on.
 */
export async function checkScenario(options: CheckOptions): Promise<CheckResult> {
  const check = new Check(options);
  const roots: CheckedRoot[] = [];
  for (const format of options.formats) roots.push(await check.format(format));
  const [a, b] = roots;
  if (a !== undefined && b !== undefined) check.across(a, b);
  return check;
}

class Check implements CheckResult {
  held = 0;
  failed = 0;
  notChecked = 0;
  first: readonly string[] = [];
  readonly #options: CheckOptions;
  readonly #properties: ReadonlyMap<string, boolean>;
  readonly #streams: ReadonlyMap<string, string>;
  readonly #baseMs: number;

  constructor(options: CheckOptions) {
    const { scenario, expectation, at } = options;
    this.#options = options;
    this.#properties = expectation?.properties ?? new Map();
    this.#baseMs = at.ms;
    this.#streams = streamsByLabel(planScenario(scenario, { baseMs: at.ms }));
  }

  async format(format: Format): Promise<CheckedRoot> {
    const { scenario, expectation, folder, at, intervalMs, scale } = this.#options;
    const root = new CheckedRoot({
      ...{ format, root: join(folder, format), session: sessionOf(scenario), at, intervalMs, scale },
      maxRoundBytes: expectation?.maxRoundBytes,
      maxDeltaBytes: expectation?.maxDeltaBytes,
    });
    if (existsSync(root.root)) throw new ScenarioError(`${root.root} is there already; use another --out`);
    let lost = false;
    for (const name of [...checkpointsOf(scenario), FINAL]) {
      const block = this.#asked(format, name, expectation?.checkpoints.get(name) ?? NO_BLOCK);
      const report = await this.#parsed(root, name);
      if (report === undefined) return root;
      for (const one of block.lose) {
        this.#options.print(`${format} ${name}: lost ${loseFile(root, one, this.#streams)}`);
        lost = true;
      }
      this.#checkpoint(root, name, block, report);
    }
    await this.#pushKinds(root, expectation?.pushKinds ?? []);
    for (const property of PROPERTIES) await this.#property(root, property, lost);
    return root;
  }

  /** A block, or the same with what was left out of this check taken away and said so. */
  #asked(format: Format, name: string, block: Block): Block {
    if (block.view === undefined || !this.#isLeftOut('view')) return block;
    this.#skip(`${format} ${name} view`);
    return { ...block, view: undefined };
  }

  /** What two formats of one scenario must have in common. */
  across(a: CheckedRoot, b: CheckedRoot): void {
    const prefix = `${a.options.format} against ${b.options.format}: `;
    if (this.#isOn('cross_format')) {
      const found = foldDifferences(a.fold(), b.fold()).map(plainDifference);
      this.#report(found, 'cross-format: the folds agree', prefix, a);
    }
    if (this.#isOn('records_match')) {
      // Only the mock lands what a plugin saw: the adapter that would collect it is not built.
      const compared = (root: CheckedRoot) =>
        landedEntries(root.root, root.session).filter(({ kind }) => kind !== 'changes');
      const found = recordDifferences(compared(a), compared(b)).map(plainDifference);
      this.#report(found, 'records_match: the landed records agree', prefix, a);
    }
  }

  /** Built, collected and parsed; `undefined` when the parse failed, which ends the format. */
  async #parsed(root: CheckedRoot, name: string): Promise<ParseReport | undefined> {
    const { format } = root.options;
    root.build(this.#options.scenario, name);
    if (format === 'claude-code') {
      const { errors } = await root.collect();
      if (errors[0] !== undefined) throw errors[0];
    }
    try {
      return await root.parse();
    } catch (cause) {
      if (!(cause instanceof AszError)) throw cause;
      this.#report([plainDifference(`parse: ${cause.message}`)], '', `${format} ${name}: `, root);
      return undefined;
    }
  }

  #checkpoint(root: CheckedRoot, name: string, block: Block, report: ParseReport): void {
    const prefix = `${root.options.format} ${name}: `;
    const view = root.fold();
    if (assertsNothing(block)) {
      this.#options.print(`${prefix}no expectations; ${foldSummary({ view, streams: this.#streams })}`);
      return;
    }
    const problems = () => problemsOf(root);
    const document = (hide: readonly string[]) => readDocument(documentText(root.root, root.session, hide));
    const found = evaluate(block, {
      ...{ view, report, baseMs: this.#baseMs, streams: this.#streams, problems, document },
    });
    this.#report(found, `${prefix}ok`, prefix, root);
  }

  /** Kinds of file that a push must carry. */
  async #pushKinds(root: CheckedRoot, kinds: readonly string[]): Promise<void> {
    const name = `${root.options.format} push.kinds`;
    if (kinds.length === 0) return;
    if (this.#isLeftOut('push')) {
      this.#skip(name);
      return;
    }
    const missing = await missingKinds(root, kinds);
    this.#report(missing.map(plainDifference), `${name}: ok`, `${name}: `, root);
  }

  async #property(root: CheckedRoot, property: Property, lost: boolean): Promise<void> {
    const { name, only, part, concerns, needsEvidence, holds } = property;
    const { format } = root.options;
    if ((only !== undefined && only !== format) || !this.#isOn(name)) return;
    if (concerns !== undefined && !concerns(this.#options.scenario)) return;
    if (holds === undefined || this.#isLeftOut(part) || (lost && needsEvidence)) {
      this.#skip(`${format} ${name}`);
      return;
    }
    const found = await holdingErrors(() => holds(root, this.#options.scenario));
    this.#report(found.map(plainDifference), `${format} ${name}: ok`, `${format} ${name}: `, root);
  }

  #isOn(name: string): boolean {
    return this.#properties.get(name) ?? true;
  }

  #isLeftOut(part: Part | undefined): boolean {
    return part !== undefined && this.#options.without?.includes(part) === true;
  }

  #skip(what: string): void {
    this.notChecked++;
    this.#options.print(`${what}: not checked`);
  }

  #report(found: readonly Difference[], success: string, prefix: string, root: CheckedRoot): void {
    const [first] = found;
    if (first === undefined) {
      this.held++;
      this.#options.print(success);
      return;
    }
    this.failed++;
    for (const { text } of found) this.#options.print(`${prefix}${text}`);
    if (this.first.length > 0) return;
    const shown = differenceLines(root.root, root.session, root.fold(), first);
    this.first = [`first difference: ${prefix.replace(/: $/, '')}`, ...shown];
  }
}

/** What a property throws as one of our own errors is how it does not hold. */
async function holdingErrors(holds: () => Promise<string[]>): Promise<string[]> {
  try {
    return await holds();
  } catch (cause) {
    if (!(cause instanceof AszError)) throw cause;
    return [cause.message];
  }
}

function plainDifference(text: string): Difference {
  return { text, about: [] };
}

function problemsOf({ root, session }: CheckedRoot): string[] {
  const landed = verifyLanded(root, session);
  const { problems } = verifyChain(root, session, () => landed.digests);
  return [...landed.problems, ...problems].map(({ words }) => words);
}

/** Ids of a plan's streams, by what people call them. `main` is the main stream, whatever a child is called. */
function streamsByLabel({ streams }: Plan): Map<string, string> {
  return new Map(
    streams.flatMap(({ id, label }) => (label === undefined || label === 'main' ? [] : [[label, id]])),
  );
}
