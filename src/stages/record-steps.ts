/**
 * The steps a record gives by its flags alone: input, injected context, errors and control records. They do not
 * look at the other steps: a notification flagged as external input gives both nodes.
 * Source: assembly spec, "Remaining steps, over canonical entries".
 */
import { positionId } from '../format/ids.js';
import { type FlagName, flag } from '../format/index-entry.js';
import type { Attributes, Node } from '../format/session-flow.js';
import type { SessionModel } from './session-model.js';

interface StepRule {
  readonly flag: FlagName;
  readonly prefix: string;
  readonly kind: string;
  readonly attrs?: Attributes;
}

/** The first rule that fits gives the step. */
const INPUT_STEPS: readonly StepRule[] = [
  { flag: 'external_input', prefix: 'input', kind: 'message.external' },
  { flag: 'injected', prefix: 'inject', kind: 'context.injection' },
];

const CONTROL_STEPS: readonly StepRule[] = [
  { flag: 'error', prefix: 'error', kind: 'error.api', attrs: { retry_state: 'unavailable' } },
  {
    flag: 'turn_duration',
    prefix: 'turn',
    kind: 'turn.duration',
    attrs: { measured_by: 'observed_replayable' },
  },
  { flag: 'command', prefix: 'command', kind: 'control.command' },
  { flag: 'notice', prefix: 'notice', kind: 'control.notice' },
];

export function inputSteps(model: SessionModel): Generator<Node> {
  return stepsBy(INPUT_STEPS, model);
}

export function controlSteps(model: SessionModel): Generator<Node> {
  return stepsBy(CONTROL_STEPS, model);
}

function* stepsBy(rules: readonly StepRule[], model: SessionModel): Generator<Node> {
  const { index, records, talks } = model;
  const withBits = rules.map((rule) => ({ ...rule, bit: flag(rule.flag) }));
  for (let entry = 0; entry < model.entries; entry++) {
    const flags = index.flags[entry]!;
    if (flags === 0 || !records.isCanonical(entry)) continue;
    const rule = withBits.find(({ bit }) => (flags & bit) !== 0);
    if (rule === undefined) continue;
    const ref = model.ref(entry);
    yield {
      id: positionId(rule.prefix, ref.seq, ref.row),
      kind: rule.kind,
      parent: talks.containerOf(entry),
      stream: model.streamName(entry),
      ref,
      ...(rule.attrs === undefined ? {} : { attrs: rule.attrs }),
    };
  }
}
