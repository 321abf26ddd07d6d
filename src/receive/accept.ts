/** Which requests a receiver looks into, by their first line and their headers. */
import type { IncomingMessage } from 'node:http';
import { PROTOBUF_TYPE } from '../format/otlp-fields.js';
import { isAllowedHost } from '../http/host-check.js';
import { Refusal } from '../http/refusal.js';

/** Throws `Refusal` for whatever is no request for logs from this machine. */
export function accept({ headers, headersDistinct, url, method }: IncomingMessage): void {
  for (const name of SAID_ONCE)
    if ((headersDistinct[name]?.length ?? 0) > 1) throw new Refusal(400, `more than one ${name} header`);
  if (!isAllowedHost(headers.host ?? '', []))
    throw new Refusal(403, 'this host name is not served: use an address, or localhost');
  if (url !== '/v1/logs') throw new Refusal(404, 'logs go to /v1/logs, and nothing else is here');
  if (method !== 'POST') throw new Refusal(405, 'only POST', { Allow: 'POST' });
  if (headers['content-type'] !== PROTOBUF_TYPE) throw new Refusal(415, `only ${PROTOBUF_TYPE}`);
  if (!FRAMINGS.includes(headers['transfer-encoding']))
    throw new Refusal(400, 'only chunked, or no transfer encoding');
  if (!ENCODINGS.includes(headers['content-encoding'])) throw new Refusal(415, 'only gzip, or no encoding');
}

/** Of two, a proxy and a server may each believe another. */
const SAID_ONCE = ['host', 'content-type', 'content-encoding'];

const FRAMINGS: readonly (string | undefined)[] = [undefined, 'chunked'];
const ENCODINGS: readonly (string | undefined)[] = [undefined, 'identity', 'gzip'];
