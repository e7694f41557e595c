import { ServiceUnreachable, SlipwayProblem } from '../problems/errors.ts';
import { readProblem } from '../problems/read-problem.ts';
import { choosePause, pause } from './pause.ts';
import type { Settings } from './settings.ts';

export interface Sending {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: BodyInit | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Whether it does no harm to send it again when no answer came; of all but POST it is so. */
  readonly repeatable?: boolean;
}

export const usualRetries = 6;

/** Refusals after which nothing has happened, so that anything may be sent again. */
const untouched = new Set(['busy', 'identity-unavailable', 'idempotency-key-in-use']);

/** These say 429 too, and no pause ends them. */
const lasting = new Set(['too-many-jobs', 'too-many-uploads']);

/** All of it has arrived: an answer that is cut off in the middle is none. */
export interface Answer {
  readonly headers: Headers;
  readonly body: string;
}

export function send(settings: Settings, sending: Sending): Promise<Answer> {
  return sendAndRead(settings, sending, async (response) => ({
    headers: response.headers,
    body: await response.text(),
  }));
}

/**
 * Sends a request until it is answered: again after a pause where the service is busy or away, and
 * no sooner than it says. What must not happen twice is sent again only where nothing has happened.
 */
export async function sendAndRead<Read>(
  settings: Settings,
  sending: Sending,
  read: (response: Response) => Promise<Read>,
): Promise<Read> {
  const { retries = usualRetries, pause: wait = pause } = settings;
  let refused: string | undefined;
  for (let attempt = 0; ; ) {
    const token = await findToken(settings, refused);
    const outcome = await attemptOnce(settings, sending, token, read);
    if ('answer' in outcome) return outcome.answer;
    const { failure } = outcome;
    if (refused === undefined && isRenewable(settings, failure)) {
      refused = token ?? '';
      continue;
    }
    if (attempt >= retries || !mayRepeat(sending, failure)) throw failure;
    const asked = 'retryAfter' in failure ? failure.retryAfter : undefined;
    await wait(choosePause(attempt, asked), sending.signal);
    attempt += 1;
  }
}

type Failure = SlipwayProblem | ServiceUnreachable;

async function attemptOnce<Read>(
  { baseUrl, fetch: request = fetch }: Settings,
  { method, path, headers, body, signal }: Sending,
  token: string | undefined,
  read: (response: Response) => Promise<Read>,
): Promise<{ readonly answer: Read } | { readonly failure: Failure }> {
  try {
    const response = await request(`${baseUrl.replace(/\/$/, '')}${path}`, {
      method,
      headers: {
        accept: 'application/json',
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...headers,
      },
      ...(body !== undefined && { body }),
      ...(signal && { signal }),
    });
    return response.ok
      ? { answer: await read(response) }
      : { failure: await readProblem(response) };
  } catch (error) {
    if (signal?.aborted) throw signal.reason;
    const words = `${baseUrl} did not answer ${method} ${path}`;
    return { failure: new ServiceUnreachable(words, { cause: error }) };
  }
}

async function findToken(
  { token }: Settings,
  refused: string | undefined,
): Promise<string | undefined> {
  return typeof token === 'function' ? token(refused) : token;
}

function isRenewable({ token }: Settings, failure: Failure): boolean {
  return typeof token === 'function' && 'status' in failure && failure.status === 401;
}

function mayRepeat({ method, repeatable = method !== 'POST' }: Sending, failure: Failure): boolean {
  if (!(failure instanceof SlipwayProblem)) return repeatable;
  const { name, status } = failure;
  if (untouched.has(name) || (status === 429 && !lasting.has(name))) return true;
  return repeatable && (status === 502 || status === 503 || status === 504);
}
