/** Where the document comes from: the file itself, when it is an export, else the server. */
import type { ViewDocument } from '../document.js';
import { ask } from '../shared/api.js';

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

/** The document an export carries. Throws `ForeignDocumentError`. */
export function embeddedDocument(): ViewDocument {
  return checked(JSON.parse(document.getElementById(EMBEDDED)!.textContent));
}

/**
 * Asks the server for a conversation's document. The browser keeps it under its tag, so one that did not change costs
 * little to ask for again. Throws `ApiError` with what the server says, `ForeignDocumentError`.
 */
export async function fetchDocument(
  id: string,
  onReceived: (received: Received) => void = () => {},
  signal?: AbortSignal,
): Promise<ViewDocument> {
  const response = await ask(`/api/c/${encodeURIComponent(id)}/view`, signal);
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
  return checked(await new Response(body).json());
}

function checked(value: unknown): ViewDocument {
  const { format, version } = (value ?? {}) as Partial<ViewDocument>;
  if (format !== FORMAT || version !== VERSION)
    throw new ForeignDocumentError(
      `it is of format ${JSON.stringify(format)}, version ${JSON.stringify(version)}; this page reads ${FORMAT} ${VERSION}`,
    );
  return value as ViewDocument;
}
