/** Who is pushed to, as the configuration says it, and what of that nobody may read (export spec 8, 13). */
import { validateHeaderName, validateHeaderValue } from 'node:http';
import { ConfigError } from '../format/errors.js';

export interface Receiver {
  /** The base URL without trailing slashes: how `push.state` names it. */
  readonly endpoint: string;
  /** Where requests go. */
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
}

const EXAMPLE = 'http://127.0.0.1:12800';
const PUT_INTO_HEADERS = 'put it into export.otlp.headers';

/** Headers that say how a request travels, which is not the configuration's to say. */
const FRAMING = [
  ...['connection', 'content-encoding', 'content-length', 'expect', 'keep-alive', 'te', 'trailer'],
  ...['transfer-encoding', 'upgrade'],
];

/** Throws `ConfigError` `otlp: …` for an endpoint or a header that cannot be meant. Neither is quoted when it may hold a secret. */
export function receiverOf(endpoint: string, headers: Readonly<Record<string, string>>): Receiver {
  checkHeaders(headers);
  const base = checkedEndpoint(endpoint);
  return { endpoint: base, url: new URL(`${base}/v1/logs`), headers };
}

function checkedEndpoint(endpoint: string): string {
  if (endpoint === '') throw new ConfigError('otlp: no endpoint');
  if (endpoint.includes('@'))
    throw new ConfigError(`otlp: the endpoint names a user; ${PUT_INTO_HEADERS}, as Authorization`);
  if (/[?#]/.test(endpoint))
    throw new ConfigError(`otlp: the endpoint has a query or a fragment; ${PUT_INTO_HEADERS}`);
  const isUrl =
    /^https?:\/\/[^/]/.test(endpoint) && !/[\s\p{Cc}\\]/u.test(endpoint) && URL.canParse(endpoint);
  const isQuotable = URL.canParse(endpoint) && !/%40/i.test(endpoint);
  if (!isUrl)
    throw new ConfigError(
      `otlp: an http endpoint is a URL such as ${EXAMPLE}: ${isQuotable ? endpoint : 'export.otlp.endpoint is none'}`,
    );
  return endpoint.replace(/\/+$/, '');
}

function checkHeaders(headers: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(headers)) {
    const refuse = (rule: string) => {
      throw new ConfigError(`otlp: export.otlp.headers: ${JSON.stringify(name)} ${rule}`);
    };
    if (!isValid(() => validateHeaderName(name))) refuse('is no name of a header');
    if (!isValid(() => validateHeaderValue(name, value)))
      refuse('has a value with characters that no header may hold');
    if (FRAMING.includes(name.toLowerCase())) refuse('says how a request travels and cannot be set');
  }
}

function isValid(check: () => void): boolean {
  try {
    check();
    return true;
  } catch {
    return false; // What is thrown would name the value in some versions; the caller says which header it is.
  }
}

/** What a secret is replaced by. */
const BLANK = '***';
/** A shorter word of a header's value is no secret, and blanking it would make an answer unreadable. */
const MIN_WORD = 4;

/** So many characters of a secret in a row are blanked wherever they stand. */
const RUN = 8;

/**
 * Takes the values of the configured headers out of a text, also their words (`Bearer` and what follows it), in the
 * spellings of JSON, HTML, URLs and base64, in upper and lower case, and what a basic authorization says in base64: a
 * receiver may send any of it back, also cut.
 */
export function blankerOf(headers: Readonly<Record<string, string>>): (text: string) => string {
  const values = Object.values(headers).map((value) => value.trim());
  const words = values.flatMap((value) => value.split(/[\s,;=]+/)).filter((word) => word.length >= MIN_WORD);
  const decoded = values.flatMap((value) => basicWords(value));
  const secrets = [...values, ...words, ...decoded]
    .flatMap(spellings)
    .filter((secret) => secret !== '' && !SCHEMES.includes(secret.toLowerCase()));
  if (secrets.length === 0) return (text) => text;
  const longestFirst = [...new Set(secrets)].sort((a, b) => b.length - a.length);
  const any = new RegExp(longestFirst.map(literal).join('|'), 'giu');
  const runs = new Set(longestFirst.flatMap(runsOf));
  return (text) => withoutRuns(text, runs).replace(any, BLANK);
}

function literal(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}

/** As a receiver may spell a text that it sends back. */
function spellings(text: string): string[] {
  const json = JSON.stringify(text).slice(1, -1);
  const url = encodeURIComponent(text);
  const bytes = Buffer.from(text);
  const base64 = ['base64', 'base64url'] as const;
  return [
    text,
    ...[json, json.replaceAll('/', '\\/'), json.replace(/[<>&]/g, escaped), json.replace(/[^ -~]/g, escaped)],
    json.replace(/[<>&]|[^ -~]/g, escaped),
    ...HTML.map((entities) => text.replace(/[&<>"']/g, (letter) => entities[letter]!)),
    ...[url, url.replaceAll('%2F', '/')],
    ...base64.map((as) => bytes.toString(as)),
  ];
}

function escaped(letter: string): string {
  return `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** The ways in which a page of an error escapes text. */
const HTML: readonly Readonly<Record<string, string>>[] = [
  { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' },
  { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&#34;', "'": '&#x27;' },
  { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '"', "'": "'" },
];

function runsOf(text: string): string[] {
  return Array.from({ length: Math.max(0, text.length - RUN + 1) }, (_, at) =>
    text.slice(at, at + RUN).toLowerCase(),
  );
}

/** Every stretch of a text that such runs cover is blanked as one. */
function withoutRuns(text: string, runs: ReadonlySet<string>): string {
  let kept = '';
  for (let at = 0; at < text.length; ) {
    let end = at;
    for (let run = at; run <= end && runs.has(text.slice(run, run + RUN).toLowerCase()); run++)
      end = run + RUN;
    kept += end === at ? text[at]! : BLANK;
    at = end === at ? at + 1 : end;
  }
  return kept;
}

const SCHEMES = ['basic', 'bearer', 'digest', 'token'];

function basicWords(value: string): string[] {
  const encoded = /^basic\s+([\w+/]+=*)$/i.exec(value)?.[1];
  if (encoded === undefined) return [];
  const pair = Buffer.from(encoded, 'base64').toString('utf8');
  const password = pair.slice(pair.indexOf(':') + 1);
  return [pair, password].filter((word) => word.length >= MIN_WORD);
}
