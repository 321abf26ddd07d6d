/** Workspace changes stand beside a conversation: without them it is the same (scenario spec 10). */
import type { Child, Request, Scenario, Step } from '../scenario.js';
import { type CheckedRoot, inRoot } from './checked-root.js';
import { foldDifferences, landedEntries } from './compare.js';
import { attributeOf, countBy, type FoldView } from './fold-view.js';

/** Whether a scenario has any change. */
export function hasChanges({ steps }: Pick<Scenario, 'steps'>): boolean {
  return steps.some((step) =>
    requestsOf(step).some((request) => request.is === 'tool' && request.changes.length > 0),
  );
}

/** The scenario without its changes, built and parsed afresh in one go, is the same conversation. */
export async function changesLeaveTheFold(root: CheckedRoot, scenario: Scenario): Promise<string[]> {
  return inRoot(root.beside('plain'), async (plain) => {
    plain.build({ ...scenario, steps: scenario.steps.map(withoutChanges) });
    if (plain.options.format === 'claude-code') await plain.collect();
    await plain.parse();
    const [ours, theirs] = [root.fold(), plain.fold()];
    return [
      ...foldDifferences(ours, theirs),
      ...listDifferences('records on', recordCounts(ours), recordCounts(theirs)),
      ...listDifferences('', identities(root, ours), identities(plain, theirs)),
    ];
  });
}

function requestsOf(step: Step): Request[] {
  if (step.kind !== 'call' || step.call.request === undefined) return [];
  const { request } = step.call;
  const children: readonly Child[] =
    request.is === 'workflow' ? request.children : request.is === 'tool' ? [] : [request];
  return [request, ...children.flatMap(({ steps }) => steps.flatMap(requestsOf))];
}

function withoutChanges(step: Step): Step {
  if (step.kind !== 'call' || step.call.request === undefined) return step;
  return { ...step, call: { ...step.call, request: plainRequest(step.call.request) } };
}

function plainRequest(request: Request): Request {
  switch (request.is) {
    case 'tool':
      return { ...request, changes: [] };
    case 'workflow':
      return { ...request, children: request.children.map(plainChild) };
    default:
      return plainChild(request);
  }
}

function plainChild<C extends Child>(child: C): C {
  return { ...child, steps: child.steps.map(withoutChanges) };
}

function recordCounts(view: FoldView): string[] {
  return [...view.nodes.values()].flatMap((node) =>
    node.kind === 'stream' ? [`${node.stream}: ${attributeOf(node, 'records')}`] : [],
  );
}

/** Nodes, parents and relations, a landed position called by its source and line, which a change does not move. */
function identities(root: CheckedRoot, view: FoldView): string[] {
  const places = new Map(
    landedEntries(root.root, root.session).map(({ seq, row, src, record }) => [
      `${seq} ${row}`,
      `${src}#${record.ord}`,
    ]),
  );
  const placeOf = (seq: string, row: string) => places.get(`${seq} ${row}`) ?? `${seq}/${row}`;
  const identity = (id = '') =>
    id
      .replace(
        /^([a-z]+)\/(\d+)\/(\d+)(:\d+)?$/,
        (_, prefix, seq, row, block = '') => `${prefix}/${placeOf(seq, row)}${block}`,
      )
      .replace(/at_(\d+)_(\d+)/g, (_, seq, row) => `at_${placeOf(seq, row)}`);
  return [
    ...[...view.nodes.values()].map(
      ({ id, kind, parent }) => `${identity(id)} is a ${kind} in ${identity(parent)}`,
    ),
    ...[...view.relations.values()].map(({ type, from, to }) => `${identity(from)} ${type} ${identity(to)}`),
  ];
}

function listDifferences(what: string, a: readonly string[], b: readonly string[]): string[] {
  const [left, right] = [countBy(a, String), countBy(b, String)];
  const only = (these: ReadonlyMap<string, number>, those: ReadonlyMap<string, number>) =>
    [...these.keys()].filter((item) => !those.has(item));
  const said = (item: string, where: string) => `${what === '' ? '' : `${what} `}${item}: ${where} alone`;
  return [
    ...only(left, right).map((item) => said(item, 'with changes')),
    ...only(right, left).map((item) => said(item, 'without changes')),
  ];
}
