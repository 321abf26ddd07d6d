/** The properties that a check holds without being asked, as data, in the order they run (scenario spec 10). */
import type { Format } from '../build.js';
import type { Scenario } from '../scenario.js';
import {
  bundle,
  foldEqualsParse,
  headerMatchesFold,
  immutableRounds,
  recordsWellFormed,
  reproducible,
  unchangedWritesNothing,
} from './chain-properties.js';
import { changesLeaveTheFold, hasChanges } from './change-property.js';
import type { CheckedRoot } from './checked-root.js';
import { pushFollowsTheWire } from './push-property.js';
import { repackKeepsStructure } from './repack-property.js';
import {
  discoveryIgnoresNoise,
  everyLineARecord,
  partsKeepSourceBytes,
  prunedSourcesGone,
  recollectIdempotent,
} from './source-properties.js';
import { viewCoversTheSession } from './view-property.js';

/** What can be left out of a check by name: all that is asserted of the document, or of the export. */
export const PARTS = ['view', 'push'] as const;
export type Part = (typeof PARTS)[number];

export interface Property {
  readonly name: string;
  /** The one format that has it. */
  readonly only?: Format;
  /** What it is part of, and left out with. */
  readonly part?: Part;
  /** Whether a scenario has what it is about; absent: every one. */
  readonly concerns?: (scenario: Scenario) => boolean;
  /** It looks at landed files, so it says nothing once some were taken away. */
  readonly needsEvidence?: boolean;
  /** What does not hold. Absent: it comes with a feature that is not built. */
  readonly holds?: (root: CheckedRoot, scenario: Scenario) => Promise<string[]>;
}

export const PROPERTIES: readonly Property[] = [
  { name: 'unchanged_writes_nothing', holds: unchangedWritesNothing },
  { name: 'header_matches_fold', holds: headerMatchesFold },
  { name: 'fold_equals_parse', needsEvidence: true, holds: foldEqualsParse },
  { name: 'immutable_rounds', holds: immutableRounds },
  { name: 'records_well_formed', holds: recordsWellFormed },
  { name: 'repack_keeps_structure', needsEvidence: true, holds: repackKeepsStructure },
  { name: 'push_follows_the_wire', part: 'push', holds: pushFollowsTheWire },
  { name: 'view_covers_the_session', part: 'view', holds: viewCoversTheSession },
  { name: 'changes_leave_the_fold', concerns: hasChanges, needsEvidence: true, holds: changesLeaveTheFold },
  { name: 'reproducible', holds: reproducible },
  { name: 'recollect_idempotent', only: 'claude-code', holds: recollectIdempotent },
  { name: 'every_line_a_record', only: 'claude-code', needsEvidence: true, holds: everyLineARecord },
  { name: 'parts_keep_source_bytes', only: 'claude-code', holds: partsKeepSourceBytes },
  { name: 'discovery_ignores_noise', only: 'claude-code', holds: discoveryIgnoresNoise },
  { name: 'pruned_sources_gone', only: 'claude-code', needsEvidence: true, holds: prunedSourcesGone },
  { name: 'bundle', needsEvidence: true, holds: bundle },
];

/** Those between two formats of one scenario. */
export const CROSS_PROPERTIES = ['cross_format', 'records_match'] as const;

/** Every name that an expectation may turn on or off. */
export const PROPERTY_NAMES: readonly string[] = [...PROPERTIES.map(({ name }) => name), ...CROSS_PROPERTIES];
