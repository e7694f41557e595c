import { mapInParallel } from '#lib/concurrency/map-in-parallel.ts';
import { isSystemFault } from './connector.ts';
import type { CredentialStore } from './credentials.ts';
import { CredentialsRefusedError, SystemBusyError, SystemUnavailableError } from './errors.ts';
import { exchangeBytes, type UpstreamAnswer, type UpstreamCall } from './exchange-bytes.ts';

/**
 * Calls an HPC system. Returns a 2xx, or a 4xx that only the caller can judge; anything else is
 * thrown. Messages name only the method and the host, because paths contain users, and errors of
 * fetch can quote a header with credentials.
 */
export async function callUpstream(call: UpstreamCall): Promise<UpstreamAnswer> {
  const answer = await exchangeBytes(call, nameCall(call));
  if (await call.takesAnswer?.(answer)) return answer;
  refuseBadStatus(answer, nameCall(call));
  return answer;
}

export function decodeText({ body }: UpstreamAnswer): string {
  return new TextDecoder().decode(body);
}

/** Retries once with freshly read credentials, as they may have been rotated. */
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
 * Asks for each item in turn. A job that the system cannot show must not hide the others, but after
 * a third failure the system is at fault and we stop asking.
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
    if (answers.size === 0 || !isSystemFault(error)) throw error;
  });
  if (answers.size === 0 && failures.length > 0) throw failures[0];
  return answers;
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

/** Reads seconds or a date, and keeps the result between a second and a day. */
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
