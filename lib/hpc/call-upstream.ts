import { mapInParallel } from '#lib/concurrency/map-in-parallel.ts';
import { causeCode } from '#lib/outbound/cause-code.ts';
import type { CredentialStore } from './credentials.ts';
import { CredentialsRefusedError, SystemBusyError, SystemUnavailableError } from './errors.ts';

export interface UpstreamCall {
  readonly url: string | URL;
  readonly method?: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array<ArrayBuffer> | FormData;
  /** For the whole call, its answer included. */
  readonly timeoutSeconds?: number;
  readonly maxAnswerBytes?: number;
  /**
   * Looks at an answer before it is classified by its status: true hands it to the caller as it
   * is; an error that this throws is the outcome. For systems whose 5xx carries a plain refusal.
   */
  readonly takesAnswer?: (answer: UpstreamAnswer) => boolean | Promise<boolean>;
}

export interface UpstreamAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Uint8Array;
}

/** The call may have had its effect; its answer is too long to be read. */
export class AnswerTooLargeError extends SystemUnavailableError {
  override readonly name = 'AnswerTooLargeError';
}

/**
 * One call to an HPC system. What comes back is a 2xx or a 4xx that only the caller can judge;
 * everything else is an error of the port. Messages name the method and the host alone: paths
 * carry users, and what fetch itself reports can quote a header with credentials in it.
 */
export async function callUpstream(call: UpstreamCall): Promise<UpstreamAnswer> {
  const answer = await exchange(call);
  if (await call.takesAnswer?.(answer)) return answer;
  refuseBadStatus(answer, nameCall(call));
  return answer;
}

export function decodeText({ body }: UpstreamAnswer): string {
  return new TextDecoder().decode(body);
}

/** Once more with credentials that were read anew: they may have been rotated. */
export async function retryOnceRefused<T>(
  credentials: CredentialStore,
  attempt: () => Promise<T>,
): Promise<T> {
  try {
    return await attempt();
  } catch (error) {
    if (!(error instanceof CredentialsRefusedError)) throw error;
    credentials.forget();
    return attempt();
  }
}

/**
 * Answers for as many items as there are, for look-ups: one job that the system cannot show must
 * not hide the others. A third failure means the system and not the job, and ends the asking.
 */
export async function askForEach<T, R>(
  items: readonly T[],
  width: number,
  ask: (item: T) => Promise<R>,
): Promise<Map<T, R>> {
  const answers = new Map<T, R>();
  const failures: unknown[] = [];
  const hopeless = (error: unknown) =>
    failures.push(error) >= 3 || !(error instanceof SystemUnavailableError);
  const askOne = async (item: T) => {
    try {
      answers.set(item, await ask(item));
    } catch (error) {
      if (hopeless(error)) throw error;
    }
  };
  await mapInParallel(items, width, askOne, { stopAtFailure: true }).catch((error: unknown) => {
    if (answers.size === 0) throw error;
  });
  if (answers.size === 0 && failures.length > 0) throw failures[0];
  return answers;
}

async function exchange(call: UpstreamCall): Promise<UpstreamAnswer> {
  const { url, method = 'GET', headers = {}, body, timeoutSeconds = 20 } = call;
  try {
    const response = await fetch(url, {
      method,
      headers,
      // Credentials go to the address that was configured, and nowhere else.
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutSeconds * 1000),
      ...(body !== undefined && { body }),
    });
    const bytes = await readBounded(response, call);
    return { status: response.status, headers: response.headers, body: bytes };
  } catch (error) {
    if (error instanceof SystemUnavailableError) throw error;
    const timedOut = error instanceof Error && error.name === 'TimeoutError';
    const reason = timedOut
      ? `no answer within ${timeoutSeconds} s`
      : (causeCode(error) ?? 'the call failed');
    throw new SystemUnavailableError(`${nameCall(call)}: ${reason}.`);
  }
}

async function readBounded(response: Response, call: UpstreamCall): Promise<Uint8Array> {
  const limit = call.maxAnswerBytes ?? 10_000_000;
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength;
    if (size > limit) {
      throw new AnswerTooLargeError(`${nameCall(call)}: the answer is over ${limit} bytes.`);
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, size);
}

function refuseBadStatus({ status, headers }: UpstreamAnswer, call: string): void {
  const message = `${call}: HTTP ${status}.`;
  const retryAfter = headers.get('retry-after');
  if (status === 429 || (status === 503 && retryAfter !== null)) {
    throw new SystemBusyError(message, readRetryAfter(retryAfter, Date.now()));
  }
  if (status === 401 || status === 403) throw new CredentialsRefusedError(message);
  if (status < 200 || status >= 500) throw new SystemUnavailableError(message);
  if (status >= 300 && status < 400) {
    throw new SystemUnavailableError(`${call}: HTTP ${status}, and redirects are not followed.`);
  }
}

/** Seconds or a date; at least a second, at most a day, whatever the system says. */
export function readRetryAfter(value: string | null, now: number): number | undefined {
  if (value === null) return undefined;
  const seconds = /^\d+$/.test(value) ? Number(value) : (Date.parse(value) - now) / 1000;
  if (Number.isNaN(seconds)) return undefined;
  return Math.min(Math.max(Math.ceil(seconds), 1), 86_400);
}

function nameCall({ method = 'GET', url }: UpstreamCall): string {
  const host = URL.parse(String(url))?.host;
  return host ? `${method} ${host}` : method;
}
