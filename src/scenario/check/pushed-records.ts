/** What every record of a push must say, read from the files themselves (scenario spec 10.1). */
import { createHash } from 'node:crypto';
import { Members } from '../../format/json-members.js';
import { compareInstants, formatTime, type Instant, isNoTime, parseTime } from '../../format/time.js';
import type { WireAttributes, WireRecord } from './wire-receiver.js';

/** When a check pushes. */
export const PUSHED_AT = parseTime('2026-01-03T00:00:00Z');

export function isLanded(path: string): boolean {
  return path.endsWith('.sd');
}

/** What differs between the records that came and the files of the root, by path. */
export function recordLines(
  session: string,
  files: ReadonlyMap<string, Buffer>,
  records: readonly WireRecord[],
): string[] {
  const landed = [...files].filter(([path]) => isLanded(path)).map(([, bytes]) => timesIn(bytes));
  const latest = landed.map(({ through }) => through).reduce(later, undefined);
  const pathOf = ({ attributes }: WireRecord) => String(new Map(attributes).get('asz.file'));
  const order = records.map(pathOf);
  const lines = [
    ...[...files.keys()].filter((path) => !order.includes(path)).map((path) => `${path} is not sent`),
    ...(order.findLastIndex(isLanded) > order.findIndex((path) => !isLanded(path)) &&
    order.some((path) => !isLanded(path))
      ? ['a round is sent before a landed file of its session']
      : []),
  ];
  for (const record of records) {
    const path = pathOf(record);
    const bytes = files.get(path);
    if (bytes === undefined) lines.push(`${path} is sent, and no file of the root`);
    else lines.push(...recordDifferences(session, path, bytes, record, latest));
  }
  return lines;
}

function recordDifferences(
  session: string,
  path: string,
  bytes: Buffer,
  { attributes, body, severity, time, observed }: WireRecord,
  latest: Instant | undefined,
): string[] {
  const header = new Members(JSON.parse(bytes.subarray(0, bytes.indexOf('\n')).toString('utf8')));
  const { own, stamp } = isLanded(path)
    ? landedAttributes(session, path, bytes, header, latest)
    : roundAttributes(header);
  const common: WireAttributes = [
    ['asz.format', isLanded(path) ? 'sd' : 'sf'],
    ['asz.format.version', header.text('schema')],
    ['asz.file', path],
    ['asz.file.kind', isLanded(path) ? header.text('kind') : 'round'],
    ['asz.file.digest', createHash('sha256').update(bytes).digest('hex')],
    ['asz.lines', bytes.toString('latin1').split('\n').length - 1],
  ];
  return [
    ...attributeLines(path, attributes, [...common, ...own]),
    ...(body.equals(bytes) ? [] : [`${path}: its body is not its bytes`]),
    ...different(`${path}: the severity`, severity, '9 INFO'),
    ...different(`${path}: the time`, String(time), String(nanoseconds(stamp))),
    ...different(`${path}: the observed time`, String(observed), String(nanoseconds(PUSHED_AT))),
  ];
}

/** Attributes that differ, each by its name; and their order, when nothing else does. */
function attributeLines(path: string, got: WireAttributes, want: WireAttributes): string[] {
  const [left, right] = [new Map(got), new Map(want)];
  const lines = [...new Set([...left.keys(), ...right.keys()])]
    .filter((name) => left.get(name) !== right.get(name))
    .map(
      (name) =>
        `${path}: ${name} is ${JSON.stringify(left.get(name))}, want ${JSON.stringify(right.get(name))}`,
    );
  const names = (list: WireAttributes) => list.map(([name]) => name);
  return lines.length > 0 ? lines : different(`${path}: the attributes`, names(got), names(want));
}

interface Expected {
  readonly own: WireAttributes;
  readonly stamp: Instant;
}

function landedAttributes(
  session: string,
  path: string,
  bytes: Buffer,
  header: Members,
  latest: Instant | undefined,
): Expected {
  const [, place, id = '', name = ''] = path.split('/');
  const { from, through } = timesIn(bytes);
  const own: WireAttributes = [
    ['asz.session', session],
    ['asz.seq', Number(name.slice(name.lastIndexOf('-') + 1, -'.sd'.length))],
    [place === 'streams' ? 'asz.stream' : 'asz.run', id],
    ...(from === undefined || through === undefined
      ? []
      : ([
          ['asz.from_time', formatTime(from)],
          ['asz.through_time', formatTime(through)],
        ] as const)),
  ];
  return { own, stamp: through ?? latest ?? parseTime(header.text('at')) };
}

const RANGES = ['from_time', 'through_time'] as const;
const COUNTS = [
  ...['talks', 'steps', 'streams', 'segments', 'unresolved', 'changes', 'lines_added', 'lines_removed'],
  ...['llm_calls', 'subagents', 'bash_runs'],
];

function roundAttributes(header: Members): Expected {
  const range = (keys: string, names: string): WireAttributes => {
    const values = RANGES.map((key) => [`${names}${key}`, header.text(`${keys}${key}`)] as const);
    return values.every(([, value]) => value !== '') ? values : [];
  };
  const title = header.text('title');
  const own: WireAttributes = [
    ['asz.session', header.text('session')],
    ['asz.conversation', header.text('conversation')],
    ['asz.round', header.natural('round')],
    ...range('', 'asz.'),
    ...range('session_', 'asz.session.'),
    ...(title === '' ? [] : [['asz.conversation.title', title] as const]),
    ...COUNTS.map((key) => [`asz.conversation.${key}`, header.integer(key)] as const),
  ];
  const through = parseTime(header.text('session_through_time'));
  return { own, stamp: isNoTime(through) ? PUSHED_AT : through };
}

/** The range of the times that records carry, by reading every line as JSON. */
function timesIn(landed: Buffer): {
  readonly from: Instant | undefined;
  readonly through: Instant | undefined;
} {
  const times = landed
    .toString('utf8')
    .trimEnd()
    .split('\n')
    .map((line) => parseTime(new Members(JSON.parse(line)).text('time')))
    .filter((time) => !isNoTime(time));
  const from = times.toSorted(compareInstants)[0];
  return { from, through: times.reduce<Instant | undefined>(later, undefined) };
}

function later(a: Instant | undefined, b: Instant | undefined): Instant | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return compareInstants(b, a) > 0 ? b : a;
}

function nanoseconds({ ms, ns }: Instant): bigint {
  return BigInt(ms) * 1_000_000n + BigInt(ns);
}

export function different(what: string, got: unknown, want: unknown): string[] {
  const [left, right] = [JSON.stringify(got), JSON.stringify(want)];
  return left === right ? [] : [`${what}: ${left}, want ${right}`];
}
