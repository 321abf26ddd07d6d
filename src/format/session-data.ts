/**
 * Session Data, `sd/1`: what one landed file says. One header, records, one closing line, JSON a line.
 *
 *     {"h":1,"schema":"sd/1","seq":1,"at":"2026-01-02T03:05:00.5Z","kind":"transcript","adapter":"x/1","dialect":"x/1","src":"p/s.jsonl","session":"s","stream":"main"}
 *     {"ord":1,"off":0,"sha":"428b4ad985d6","bytes":238,"id":"u1","run":"p1","from":"external","parts":[{"k":"text","text":"count","state":"available","bytes":5}]}
 *     {"t":"end","records":1,"digest":"<sha-256 of every byte before this line, hex>"}
 *
 * Keys stand in the order of the interfaces below; an empty value is left out unless a field says otherwise.
 * Source: dialect spec 1.1 to 1.12.
 */
import { FormatError } from './errors.js';
import { Members } from './json-members.js';
import { type Shape, scanJson } from './json-scan.js';
import { jsonString, parseJson } from './json-text.js';

export const SD_SCHEMA = 'sd/1';

/** JSON text, compact, that is inserted as it stands: number spellings and key order survive. */
export type RawJson = string;

/** The first line of a landed file (dialect spec 1.2). */
export interface SdHeader {
  readonly seq: number;
  /** When the pass collected it, RFC 3339. */
  readonly at: string;
  readonly kind: string;
  /** `<name>/<contract version>` */
  readonly adapter: string;
  readonly dialect: string;
  /** Source path relative to the adapter's source root, with `/`. */
  readonly src: string;
  readonly session: string;
  readonly stream?: string;
  readonly batch?: string;
}

/** One source unit as it lands (dialect spec 1.3). Row numbers are not stored: they are the line's place. */
export interface SdRecord {
  /** Source line, from 1. Always written. */
  readonly ord: number;
  /** Byte offset of the line in the source. Always written. */
  readonly off: number;
  /** First 12 hex digits of the SHA-256 of the source bytes. Always written. */
  readonly sha: string;
  /** Size of the source bytes, without the line's `\n`. Always written. */
  readonly bytes: number;
  readonly id?: string;
  readonly parent?: string;
  readonly call?: string;
  readonly run?: string;
  readonly continues?: string;
  readonly tool?: string;
  readonly child?: string;
  readonly batch?: string;
  readonly label?: string;
  readonly started_by?: string;
  readonly from?: string;
  /** The source's own words for the time, verbatim. */
  readonly time?: string;
  readonly trigger?: string;
  readonly flags?: readonly string[];
  readonly usage?: SdUsage;
  readonly model?: string;
  readonly parts?: readonly SdPart[];
  readonly dropped?: readonly SdDropped[];
}

/** Token counts; zero is left out, so all-zero usage is `{}` (dialect spec 1.4). */
export interface SdUsage {
  readonly in?: number;
  readonly out?: number;
  readonly cache_read?: number;
  readonly cache_write?: number;
}

/** What a dialect understood and chose not to carry. `bytes` is always written. */
export interface SdDropped {
  readonly what: string;
  readonly bytes: number;
  readonly why?: string;
}

/** One piece of source content (dialect spec 1.5). Its place in `parts` is its address. */
export interface SdPart {
  readonly k: string;
  readonly text?: string;
  readonly data?: RawJson;
  readonly id?: string;
  readonly of?: string;
  readonly name?: string;
  readonly server?: string;
  readonly server_tool?: string;
  /** `false` is written: the runtime said so. Absent: it said nothing. */
  readonly failed?: boolean;
  readonly media?: string;
  readonly encoding?: string;
  readonly state?: string;
  /** Size of the original in UTF-8 bytes; 0 is left out. */
  readonly bytes?: number;
}

/** The header line, without its newline. Throws `FormatError` for a header a reader would refuse. */
export function writeHeader(header: SdHeader): string {
  checkHeader({ h: 1, schema: SD_SCHEMA, ...header });
  let line = `{"h":1,"schema":"${SD_SCHEMA}","seq":${header.seq}`;
  for (const key of ['at', 'kind', 'adapter', 'dialect', 'src', 'session'] as const)
    line += `,"${key}":${jsonString(header[key])}`;
  line += text('stream', header.stream) + text('batch', header.batch);
  return `${line}}`;
}

/** A record line, without its newline. */
export function writeRecord(record: SdRecord): string {
  let line = `{"ord":${record.ord},"off":${record.off},"sha":"${record.sha}","bytes":${record.bytes}`;
  for (const key of RECORD_TEXTS) line += text(key, record[key]);
  if (record.flags?.length) line += `,"flags":${JSON.stringify(record.flags)}`;
  if (record.usage !== undefined) line += `,"usage":${writeUsage(record.usage)}`;
  line += text('model', record.model);
  if (record.parts?.length) line += `,"parts":[${record.parts.map(writePart).join(',')}]`;
  if (record.dropped?.length) line += `,"dropped":[${record.dropped.map(writeDropped).join(',')}]`;
  return `${line}}`;
}

/** The closing line, without its newline. `digest`: SHA-256 of every byte before it, lower-case hex. */
export function writeClosing(records: number, digest: string): string {
  return `{"t":"end","records":${records},"digest":"${digest}"}`;
}

const RECORD_TEXTS = [
  'id',
  'parent',
  'call',
  'run',
  'continues',
  'tool',
  'child',
  'batch',
  'label',
  'started_by',
  'from',
  'time',
  'trigger',
] as const;

function writePart(part: SdPart): string {
  let json = `{"k":${jsonString(part.k)}${text('text', part.text)}`;
  if (part.data !== undefined) json += `,"data":${part.data}`;
  for (const key of ['id', 'of', 'name', 'server', 'server_tool'] as const) json += text(key, part[key]);
  if (part.failed !== undefined) json += `,"failed":${part.failed}`;
  for (const key of ['media', 'encoding', 'state'] as const) json += text(key, part[key]);
  return `${json}${count('bytes', part.bytes)}}`;
}

function writeUsage(usage: SdUsage): string {
  const members = USAGE_COUNTS.map((key) => count(key, usage[key])).join('');
  return `{${members.slice(1)}}`;
}

function writeDropped({ what, bytes, why }: SdDropped): string {
  return `{"what":${jsonString(what)},"bytes":${bytes}${text('why', why)}}`;
}

const USAGE_COUNTS = ['in', 'out', 'cache_read', 'cache_write'] as const;

function text(key: string, value: string | undefined): string {
  return value ? `,"${key}":${jsonString(value)}` : '';
}

function count(key: string, value: number | undefined): string {
  return value ? `,"${key}":${value}` : '';
}

// ---- reading ----

/** A header as read: what a writer leaves out is the empty string. */
export type SdHeaderRead = { readonly [K in keyof SdHeader]-?: NonNullable<SdHeader[K]> };

/** A part as read. `data` is the decoded value; `undefined` when the part has none. */
export interface SdPartRead {
  readonly k: string;
  readonly text: string;
  readonly data: unknown;
  readonly id: string;
  readonly of: string;
  readonly name: string;
  readonly server: string;
  readonly server_tool: string;
  readonly failed: boolean | undefined;
  readonly media: string;
  readonly encoding: string;
  readonly state: string;
  readonly bytes: number;
}

/** A record as read: absent texts are empty, absent lists are empty, absent usage is `undefined`. */
export interface SdRecordRead {
  readonly ord: number;
  readonly off: number;
  readonly sha: string;
  readonly bytes: number;
  readonly id: string;
  readonly parent: string;
  readonly call: string;
  readonly run: string;
  readonly continues: string;
  readonly tool: string;
  readonly child: string;
  readonly batch: string;
  readonly label: string;
  readonly started_by: string;
  readonly from: string;
  readonly time: string;
  readonly trigger: string;
  readonly flags: readonly string[];
  readonly usage: { readonly [K in keyof SdUsage]-?: number } | undefined;
  readonly model: string;
  readonly parts: readonly SdPartRead[];
  readonly dropped: readonly { readonly what: string; readonly bytes: number; readonly why: string }[];
}

/** The closing line as read. */
export interface SdClosing {
  readonly records: number;
  readonly digest: string;
}

/**
 * Reads a header line. Throws `FormatError` with the texts of dialect spec 1.12; `adapter`, `at` and `seq`
 * are not checked, because the sequence that counts is the file name's.
 */
export function readHeader(line: string): SdHeaderRead {
  const header = decoding('decode header', () => {
    const o = new Members(parseJson(line));
    return {
      h: o.integer('h'),
      schema: o.text('schema'),
      seq: o.natural('seq'),
      at: o.text('at'),
      kind: o.text('kind'),
      adapter: o.text('adapter'),
      dialect: o.text('dialect'),
      src: o.text('src'),
      session: o.text('session'),
      stream: o.text('stream'),
      batch: o.text('batch'),
    };
  });
  checkHeader(header);
  return header;
}

/** Reads a record line. Throws `FormatError` when it does not decode (dialect spec 1.12). */
export function readRecord(line: string): SdRecordRead {
  return decoding('decode record', () => {
    const o = new Members(parseJson(line));
    return {
      ord: o.natural('ord'),
      off: o.natural('off'),
      sha: o.text('sha'),
      bytes: o.integer('bytes'),
      id: o.text('id'),
      parent: o.text('parent'),
      call: o.text('call'),
      run: o.text('run'),
      continues: o.text('continues'),
      tool: o.text('tool'),
      child: o.text('child'),
      batch: o.text('batch'),
      label: o.text('label'),
      started_by: o.text('started_by'),
      from: o.text('from'),
      time: o.text('time'),
      trigger: o.text('trigger'),
      flags: o.texts('flags'),
      usage: o.object('usage', readUsage),
      model: o.text('model'),
      parts: o.objects('parts', readPart),
      dropped: o.objects('dropped', readDropped),
    };
  });
}

/** What a closing line begins with, and no record. */
export const CLOSING_START = '{"t":"end';

/** Whether a line of a landed file is its closing line: told by its first nine bytes. */
export function isClosing(line: string): boolean {
  return line.startsWith(CLOSING_START);
}

/** Reads a closing line. Throws `FormatError` when it does not decode. */
export function readClosing(line: string): SdClosing {
  return decoding('decode closing line', () => {
    const o = new Members(parseJson(line));
    return { records: o.integer('records'), digest: o.text('digest') };
  });
}

function checkHeader(header: {
  readonly h: number;
  readonly schema: string;
  readonly kind: string;
  readonly session: string;
  readonly src: string;
  readonly dialect: string;
}): void {
  if (header.h !== 1) throw new FormatError(`sessiondata: unsupported envelope version ${header.h}`);
  if (header.schema !== SD_SCHEMA)
    throw new FormatError(`sessiondata: unsupported schema ${JSON.stringify(header.schema)}, want "sd/1"`);
  for (const key of ['kind', 'session', 'src', 'dialect'] as const)
    if (header[key] === '') throw new FormatError(`sessiondata: header missing ${key}`);
}

function readUsage(o: Members): NonNullable<SdRecordRead['usage']> {
  return {
    in: o.integer('in'),
    out: o.integer('out'),
    cache_read: o.integer('cache_read'),
    cache_write: o.integer('cache_write'),
  };
}

function readPart(o: Members): SdPartRead {
  return {
    k: o.text('k'),
    text: o.text('text'),
    data: o.value('data'),
    id: o.text('id'),
    of: o.text('of'),
    name: o.text('name'),
    server: o.text('server'),
    server_tool: o.text('server_tool'),
    failed: o.boolean('failed'),
    media: o.text('media'),
    encoding: o.text('encoding'),
    state: o.text('state'),
    bytes: o.integer('bytes'),
  };
}

function readDropped(o: Members): SdRecordRead['dropped'][number] {
  return { what: o.text('what'), bytes: o.integer('bytes'), why: o.text('why') };
}

function decoding<T>(what: string, read: () => T): T {
  try {
    return read();
  } catch (cause) {
    const words = cause instanceof Error ? cause.message : String(cause);
    throw new FormatError(`sessiondata: ${what}: ${words}`, { cause });
  }
}

/**
 * The `data` of each part of a record line, as it stands there; `undefined` for a part without. Number spellings,
 * the order of keys and keys given twice are evidence too, and a parsed value has lost them.
 */
export function dataSlices(line: string): readonly (string | undefined)[] {
  const parts = scanJson(line, DATA_OF_PARTS).members.get('parts')?.elements ?? [];
  return parts.map(({ members }) => {
    const data = members.get('data');
    return data && line.slice(data.start, data.end);
  });
}

const DATA_OF_PARTS: Shape = {
  members: new Map([['parts', { elements: { members: new Map([['data', {}]]) } }]]),
};
