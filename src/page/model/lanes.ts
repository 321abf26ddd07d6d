/** The lanes of a timeline and which kind of step goes where (view spec 9.3). */

export type Lane = 'input' | 'messages' | 'context' | 'model' | 'tools' | 'agents' | 'nested' | 'notices';

/** In the order they are drawn, from the top. Child agents stand under the activity that started them. */
export const LANES: readonly { readonly lane: Lane; readonly title: string }[] = [
  { lane: 'input', title: 'External input' },
  { lane: 'messages', title: 'Responses' },
  { lane: 'context', title: 'Context put in' },
  { lane: 'model', title: 'Model calls' },
  { lane: 'tools', title: 'Tools' },
  { lane: 'agents', title: 'Agent activity' },
  { lane: 'nested', title: 'Child agents' },
  { lane: 'notices', title: 'Runtime notices' },
];

const LANE_OF_KIND: ReadonlyMap<string, Lane> = new Map([
  ['message.external', 'input'],
  ['message.assistant', 'messages'],
  ['agent.output', 'messages'],
  ['message.synthetic', 'messages'],
  ['context.injection', 'context'],
  ['llm.call', 'model'],
  ['thinking', 'model'],
  ['tool', 'tools'],
  ['agent.call', 'agents'],
  ['agent.launch_ack', 'agents'],
  ['runtime.notification', 'agents'],
]);

/** The lane of a step by its kind. What a newer document names is drawn with the notices, never left out. */
export function laneOf(kind: string): Lane {
  return LANE_OF_KIND.get(kind) ?? 'notices';
}
