/** Where the document comes from: the file itself, when it is an export, else the server. */
import type { ViewDocument } from '../../format/view-document.js';
import { soundDocument } from '../model/sound-document.js';
import { ApiError, ask } from '../shared/api.js';

/** What this page can read (view format, its first two members). */
const FORMAT = 'asz.view';
const VERSION = '1.0';

/** The element in which an export carries its document. */
const EMBEDDED = 'asz-document';

/** How much has come; `total` is `undefined` when the server does not say. */
export interface Received {
  readonly bytes: number;
  readonly total: number | undefined;
}

/** The document is of another format or version than this page reads. */
export class ForeignDocumentError extends Error {}

/** Whether this page is a file with its document in it, behind which there is no server. */
export function isExport(): boolean {
  return document.getElementById(EMBEDDED) !== null;
}

/** `/c/{id}`, which is how the server names this page. A document's own word for it is not asked. */
export function idOfPath(): string {
  return decodeURIComponent(location.pathname.replace(/^\/c\//, ''));
}

/** The document an export carries. Throws `ForeignDocumentError`. */
export function embeddedDocument(): ViewDocument {
  return checked(JSON.parse(document.getElementById(EMBEDDED)!.textContent));
}

/** What the document that came last is known by, where the server says. */
let lastTag: string | null = null;

/** Whether the server can tell that its answer would be the same. */
export function isTagged(): boolean {
  return lastTag !== null;
}

/** The same document, if it is another one than came last. Throws as `fetchDocument` does. */
export async function fetchNewer(id: string): Promise<ViewDocument | undefined> {
  try {
    return await fetchDocument(id, () => {}, undefined, lastTag === null ? {} : { 'If-None-Match': lastTag });
  } catch (cause) {
    if (cause instanceof ApiError && cause.status === NOT_MODIFIED) return undefined;
    throw cause;
  }
}

const NOT_MODIFIED = 304;

/**
 * Asks the server for a conversation's document. Throws `ApiError` with what the server says, `ForeignDocumentError`.
 */
export async function fetchDocument(
  id: string,
  onReceived: (received: Received) => void = () => {},
  signal?: AbortSignal,
  headers: Readonly<Record<string, string>> = {},
): Promise<ViewDocument> {
  const response = await ask(`/api/c/${encodeURIComponent(id)}/view`, signal, headers);
  const length = response.headers.get('Content-Length');
  const total = length === null ? undefined : Number(length);
  let bytes = 0;
  const counted = new TransformStream<Uint8Array, Uint8Array>({
    transform(piece, controller) {
      bytes += piece.length;
      onReceived({ bytes, total });
      controller.enqueue(piece);
    },
  });
  const body = response.body!.pipeThrough(
    counted as TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>,
  );
  const document = checked(await new Response(body).json());
  // Not before: what broke off on its way has not come.
  lastTag = response.headers.get('ETag');
  return document;
}

function checked(value: unknown): ViewDocument {
  const { format, version } = (value ?? {}) as Partial<ViewDocument>;
  if (format !== FORMAT || version !== VERSION)
    throw new ForeignDocumentError(
      `it is of format ${JSON.stringify(format)}, version ${JSON.stringify(version)}; this page reads ${FORMAT} ${VERSION}`,
    );
  return soundDocument(value);
}
