import { ServiceUnreachable, type SlipwayProblem } from './errors.ts';
import { pause } from './pause.ts';
import { readProblem } from './problems.ts';
import type { Settings } from './settings.ts';

export interface Sending {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: BodyInit | undefined;
  readonly signal?: AbortSignal | undefined;
}

const usualRetries = 6;
const firstPauseMs = 250;
const longestPauseMs = 30_000;

/** Refusals after which nothing has happened, so that anything may be sent again. */
const untouched = new Set(['busy', 'identity-unavailable']);

/**
 * Sends a request until it is answered: again after a pause where the service is busy or away, and
 * no sooner than it says. What must not happen twice is sent again only where nothing has happened.
 */
export async function send(settings: Settings, sending: Sending): Promise<Answer> {
  const { retries = usualRetries, pause: wait = pause } = settings;
  for (let attempt = 0; ; attempt += 1) {
    const outcome = await attemptOnce(settings, sending, attempt > 0);
    if ('answer' in outcome) return outcome.answer;
    if (attempt >= retries || !mayRepeat(sending, outcome.failure)) throw outcome.failure;
    await wait(choosePause(attempt, outcome.failure), sending.signal);
  }
}

/** All of it has arrived: an answer that is cut off in the middle is none. */
export interface Answer {
  readonly headers: Headers;
  readonly body: string;
}

type Failure = SlipwayProblem | ServiceUnreachable;

async function attemptOnce(
  settings: Settings,
  sending: Sending,
  again: boolean,
): Promise<{ readonly answer: Answer } | { readonly failure: Failure }> {
  const { method, path, headers, body, signal } = sending;
  const { baseUrl, fetch: request = fetch } = settings;
  const authorization = await findToken(settings);
  try {
    const response = await request(`${baseUrl.replace(/\/$/, '')}${path}`, {
      method,
      headers: { accept: 'application/json', ...authorization, ...headers },
      ...(body !== undefined && { body }),
      ...(signal && { signal }),
      redirect: 'manual',
    });
    if (response.status < 400) {
      return { answer: { headers: response.headers, body: await response.text() } };
    }
    const failure = await readProblem(response);
    if (response.status === 401 && !again && typeof settings.token === 'function') {
      return attemptOnce(settings, sending, true);
    }
    return { failure };
  } catch (error) {
    if (signal?.aborted) throw signal.reason;
    return {
      failure: new ServiceUnreachable(`${method} ${path} was not answered.`, { cause: error }),
    };
  }
}

async function findToken({ token }: Settings): Promise<Record<string, string>> {
  if (token === undefined) return {};
  const found = typeof token === 'function' ? await token() : token;
  return { authorization: `Bearer ${found}` };
}

function mayRepeat({ method, headers = {} }: Sending, failure: Failure): boolean {
  const repeatable = method === 'GET' || method === 'DELETE' || 'idempotency-key' in headers;
  if (failure instanceof ServiceUnreachable) return repeatable;
  const { status } = failure.problem;
  const { name } = failure;
  if (status === 429 && name !== 'too-many-jobs') return true;
  if (name === 'idempotency-key-in-use' || untouched.has(name)) return true;
  return repeatable && (status === 502 || status === 503 || status === 504);
}

/** What the service asks for, else longer each time, and never the same for everybody. */
function choosePause(attempt: number, failure: Failure): number {
  const asked = 'retryAfter' in failure ? (failure.retryAfter ?? 0) * 1000 : 0;
  const own = Math.min(longestPauseMs, firstPauseMs * 2 ** attempt) * (0.5 + Math.random() / 2);
  return Math.max(asked, own);
}
