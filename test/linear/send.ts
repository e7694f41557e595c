import { setTimeout as delay } from 'node:timers/promises';

export interface Request {
  readonly method: string;
  readonly path: string;
  readonly token: string;
  readonly body?: object;
  /** The fields of a submission. */
  readonly payload?: object;
  /** Its Idempotency-Key. */
  readonly key?: string;
}

export interface Answer {
  readonly status: number;
  readonly body: unknown;
}

/** A start of the laptop edition on a busy machine. */
const deadlineMs = 120_000;
const pauseMs = 20;

/**
 * Opens a client of a service that may be killed. A request that could not be sent waits until it
 * can be. If the connection broke, the answer is undefined, unless the client insists: then it sends
 * the same again, which is right for reads, cancels and submissions with a key.
 */
export function openSender(url: string) {
  return async (request: Request, { insists = false } = {}): Promise<Answer | undefined> => {
    const deadline = Date.now() + deadlineMs;
    while (Date.now() < deadline) {
      const sent = await send(url, request);
      if (sent === 'broken' && !insists) return undefined;
      if (typeof sent !== 'string' && !mustRepeat(sent)) return sent;
      await delay(pauseMs);
    }
    throw new Error(`${request.method} ${request.path} was not answered in time.`);
  };
}

/** The first request with this key is still under way. */
function mustRepeat({ status, body }: Answer): boolean {
  return status === 409 && JSON.stringify(body).includes('idempotency-key-in-use');
}

async function send(url: string, request: Request): Promise<Answer | 'broken' | 'not sent'> {
  const { method, path, token, body, payload, key } = request;
  const headers = {
    authorization: `Bearer ${token}`,
    ...(body && { 'content-type': 'application/json' }),
    ...(payload && {
      payload: JSON.stringify(payload),
      'content-disposition': 'attachment; filename=job_file.zip',
    }),
    ...(key !== undefined && { 'idempotency-key': key }),
  };
  try {
    const response = await fetch(`${url}${path}`, {
      ...{ method, headers, ...(body && { body: JSON.stringify(body) }) },
      signal: AbortSignal.timeout(deadlineMs),
    });
    return { status: response.status, body: JSON.parse(await response.text()) };
  } catch (error) {
    const cause = error instanceof Error ? error.cause : undefined;
    const isRefused = cause instanceof Error && 'code' in cause && cause.code === 'ECONNREFUSED';
    return isRefused ? 'not sent' : 'broken';
  }
}
