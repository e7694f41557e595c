import { callUpstream, retryOnceRefused } from '../call-upstream.ts';
import type { CredentialStore } from '../credentials.ts';
import { CredentialsRefusedError, SystemUnavailableError } from '../errors.ts';
import type { UpstreamAnswer, UpstreamCall } from '../exchange-bytes.ts';

export interface UnicoreSession {
  /** Without a trailing slash. */
  readonly baseUrl: string;
  call(call: UpstreamCall): Promise<UpstreamAnswer>;
}

export interface SessionOptions {
  readonly baseUrl: string;
  readonly credentials: CredentialStore;
  readonly timeoutSeconds?: number;
  /** The account that all calls are for, if the credentials may use several. */
  readonly login?: string | undefined;
}

const sessionHeader = 'X-UNICORE-SecuritySession';

/**
 * Sends the credentials once. UNICORE answers with a session that replaces them until it expires
 * (HTTP 432).
 */
export function openSession({
  baseUrl,
  credentials,
  timeoutSeconds = 20,
  login,
}: SessionOptions): UnicoreSession {
  const base = baseUrl.replace(/\/+$/, '');
  const preferences: Record<string, string> =
    login === undefined ? {} : { 'X-UNICORE-User-Preferences': `uid:${login}` };
  let session: string | undefined;

  async function send(call: UpstreamCall, proof: Record<string, string>): Promise<UpstreamAnswer> {
    refuseStrangers(base, call.url);
    const headers = { Accept: 'application/json', ...call.headers, ...preferences, ...proof };
    const answer = await callUpstream({ timeoutSeconds, ...call, headers });
    session = answer.headers.get(sessionHeader) ?? session;
    return answer;
  }

  async function showProof(call: UpstreamCall): Promise<UpstreamAnswer> {
    if (session !== undefined) {
      const answer = await send(call, { [sessionHeader]: session });
      if (answer.status !== 432) return answer;
      session = undefined;
    }
    return send(call, { Authorization: authorize(await credentials.read()) });
  }

  return {
    baseUrl: base,
    call: (call) =>
      retryOnceRefused(credentials, async () => {
        try {
          return await showProof(call);
        } catch (error) {
          // The session belongs to the refused credentials.
          if (error instanceof CredentialsRefusedError) session = undefined;
          throw error;
        }
      }),
  };
}

/** Links come from answers, and credentials must not follow one to another host. */
function refuseStrangers(base: string, url: string | URL): void {
  if (String(url) === base || String(url).startsWith(`${base}/`)) return;
  throw new SystemUnavailableError(`A link leads away from ${new URL(base).host}.`);
}

function authorize({ username, password, token }: Readonly<Record<string, string>>): string {
  if (token !== undefined) return `Bearer ${token}`;
  if (username === undefined || password === undefined) {
    throw new CredentialsRefusedError(
      'The secret must have either token, or username and password.',
    );
  }
  return `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
}

/** The number of accounts with open sessions. A dropped session is opened again when needed. */
const mostSessions = 200;

/**
 * Keeps a session for each account. The account of a call is only a preference, and a session may
 * remember the account that it began with.
 */
export function keepSessions(
  options: SessionOptions,
): (login: string | undefined) => UnicoreSession {
  const sessions = new Map<string | undefined, UnicoreSession>();
  return (login) => {
    const session = sessions.get(login) ?? openSession({ ...options, login });
    // The most recently used session is last.
    sessions.delete(login);
    sessions.set(login, session);
    if (sessions.size > mostSessions) sessions.delete(sessions.keys().next().value);
    return session;
  };
}
