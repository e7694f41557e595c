import { readProblem, ServiceUnreachable, type SlipwayProblem } from '../problems/errors.ts';
import { insist, type TryResult } from './insist.ts';
import { type CallLimit, limitCall, readText, timeoutOf, watchBody } from './limits.ts';
import type { Settings } from './settings.ts';

export interface Sending {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Blob | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Whether it may be sent again if no answer came. True for all methods but POST. */
  readonly repeatable?: boolean;
  /**
   * Whether redirects are followed. Only files have other addresses, so nothing else is sent
   * elsewhere.
   */
  readonly redirect?: 'follow';
}

/** Refusals that changed nothing, so that any request may be sent again. */
const untouched = new Set(['busy', 'identity-unavailable', 'idempotency-key-in-use']);

/** The service, or something before it, is away for a moment. */
const away = [502, 503, 504];

/** A whole answer. One that was cut off counts as none. */
export interface Answer {
  readonly headers: Headers;
  readonly body: string;
}

export function send(settings: Settings, sending: Sending): Promise<Answer> {
  return insistOn(settings, sending, async (response, limit) => {
    const body = await readText(response, settings);
    limit.end();
    return { headers: response.headers, body };
  });
}

/** Parses an answer. Text that is not JSON comes from something in between, not from the service. */
export function parseAnswer({ body }: Pick<Answer, 'body'>): unknown {
  try {
    return JSON.parse(body);
  } catch {
    throw new ServiceUnreachable('The answer is not JSON');
  }
}

/** Parses an answer that must be an object with this field. */
export function parseObject<Shape extends object>(
  answer: Pick<Answer, 'body'>,
  field: keyof Shape & string,
): Shape {
  const value = parseAnswer(answer);
  if (hasField<Shape>(value, field)) return value;
  throw new ServiceUnreachable(`The answer has no '${field}'`);
}

function hasField<Shape>(value: unknown, field: keyof Shape & string): value is Shape {
  return field in Object(value);
}

/** Parses an answer that must be a list. */
export function parseList<Item>(answer: Pick<Answer, 'body'>): Item[] {
  const value = parseAnswer(answer);
  if (Array.isArray(value)) return value;
  throw new ServiceUnreachable('The answer is not a list');
}

/** Sends a request and streams the answer. */
export function sendAndStream(settings: Settings, sending: Sending): Promise<Response> {
  return insistOn(settings, { ...sending, redirect: 'follow' }, async (response, limit) =>
    watchBody(response, limit, timeoutOf(settings)),
  );
}

/**
 * Sends a request, and retries while the service is busy or away, no sooner than it says. A request
 * that must not happen twice is retried only if nothing has happened.
 */
function insistOn<Read>(settings: Settings, sending: Sending, read: Reader<Read>): Promise<Read> {
  let refused: string | undefined;
  return insist(settings, sending.signal, async function tryOnce(): Promise<TryResult<Read>> {
    const token = await findToken(settings, refused);
    const outcome = await sendOnce(settings, sending, token, read);
    if ('result' in outcome || refused !== undefined || !isRenewable(settings, outcome.failure)) {
      return outcome;
    }
    refused = token ?? '';
    return tryOnce();
  });
}

type Reader<Read> = (response: Response, limit: CallLimit) => Promise<Read>;

async function sendOnce<Read>(
  settings: Settings,
  sending: Sending,
  token: string | undefined,
  read: Reader<Read>,
): Promise<TryResult<Read>> {
  const { baseUrl, fetch: request = fetch } = settings;
  const { method, path, headers, body, signal, redirect = 'error' } = sending;
  const { repeatable = method !== 'POST' } = sending;
  const bytes = body instanceof Blob ? body.size : (body?.length ?? 0);
  const limit = limitCall(timeoutOf(settings, bytes), signal);
  try {
    const response = await request(`${baseUrl.replace(/\/$/, '')}${path}`, {
      method,
      headers: {
        accept: 'application/json',
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...headers,
      },
      ...(body !== undefined && { body }),
      redirect,
      signal: limit.signal,
    });
    if (response.ok) return { result: await read(response, limit) };
    const failure = readProblem(response, await readText(response, settings));
    limit.end();
    const { retryAfter } = failure;
    return { failure, passing: mayRepeat(failure, repeatable), retryAfter };
  } catch (cause) {
    limit.end();
    signal?.throwIfAborted();
    const failure = new ServiceUnreachable(`${baseUrl} did not answer ${method} ${path}`, {
      cause,
    });
    return { failure, passing: repeatable };
  }
}

async function findToken(
  { token }: Settings,
  refused: string | undefined,
): Promise<string | undefined> {
  return typeof token === 'function' ? token(refused) : token;
}

function isRenewable({ token }: Settings, failure: Error): boolean {
  return typeof token === 'function' && 'status' in failure && failure.status === 401;
}

function mayRepeat({ name, status }: SlipwayProblem, repeatable: boolean): boolean {
  if (untouched.has(name) || status === 429) return true;
  return repeatable && away.includes(status);
}
