/**
 * The steps a record gives by its flags alone: input, injected context, errors and control records. They do not
 * look at the other steps: a notification flagged as external input gives both nodes.
 * Source: assembly spec, "Remaining steps, over canonical entries".
 */
import { positionId } from '../format/ids.js';
import { flag } from '../format/index-entry.js';
import type { Attributes } from '../format/session-flow.js';
import type { EntitySink } from './entity-sink.js';
import type { SessionModel } from './session-model.js';

interface StepRule {
  readonly bit: number;
  readonly prefix: string;
  readonly kind: string;
  readonly attrs?: Attributes;
}

/** The first rule that fits gives the step. */
const INPUT_STEPS: readonly StepRule[] = [
  { bit: flag('external_input'), prefix: 'input', kind: 'message.external' },
  { bit: flag('injected'), prefix: 'inject', kind: 'context.injection' },
];

const CONTROL_STEPS: readonly StepRule[] = [
  { bit: flag('error'), prefix: 'error', kind: 'error.api', attrs: { retry_state: 'unavailable' } },
  {
    bit: flag('turn_duration'),
    prefix: 'turn',
    kind: 'turn.duration',
    attrs: { measured_by: 'observed_replayable' },
  },
  { bit: flag('command'), prefix: 'command', kind: 'control.command' },
  { bit: flag('notice'), prefix: 'notice', kind: 'control.notice' },
];

/** The input step and the control step of a record, each when its flags say so. */
export function emitRecordSteps(model: SessionModel, entry: number, sink: EntitySink): void {
  const flags = model.index.flags[entry]!;
  if (flags === 0) return;
  emitFirst(INPUT_STEPS, model, entry, flags, sink);
  emitFirst(CONTROL_STEPS, model, entry, flags, sink);
}

function emitFirst(
  rules: readonly StepRule[],
  model: SessionModel,
  entry: number,
  flags: number,
  sink: EntitySink,
): void {
  const rule = rules.find(({ bit }) => (flags & bit) !== 0);
  if (rule === undefined) return;
  const ref = model.ref(entry);
  sink.node({
    id: positionId(rule.prefix, ref.seq, ref.row),
    kind: rule.kind,
    parent: model.talks.containerOf(entry),
    stream: model.streamName(entry),
    ref,
    ...(rule.attrs === undefined ? {} : { attrs: rule.attrs }),
  });
}
