/** Answers of the server. An error of it is one line of text (docs/server.md). */

/** The server refused, or is not there. `status` 0: no answer came. */
export class ApiError extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** Asks for a path. Throws `ApiError` for every answer that is not what was asked for, and when it is aborted the reason. */
export async function ask(
  path: string,
  signal?: AbortSignal,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(path, { headers, ...(signal && { signal }) });
  } catch (cause) {
    signal?.throwIfAborted();
    throw new ApiError(0, `the server does not answer: ${cause instanceof Error ? cause.message : cause}`);
  }
  if (!response.ok) throw new ApiError(response.status, await errorText(response));
  return response;
}

/** The same, for an answer that is JSON. */
export async function askJson<T>(path: string, signal?: AbortSignal): Promise<T> {
  return (await (await ask(path, signal)).json()) as T;
}

async function errorText(response: Response): Promise<string> {
  const body = await response.text();
  try {
    const { error } = JSON.parse(body) as { error?: unknown };
    if (typeof error === 'string') return error;
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause;
  }
  return body.trim() === '' ? `status ${response.status}` : body.trim();
}
