import { callUpstream, retryOnceRefused } from '../call-upstream.ts';
import type { CredentialStore } from '../credentials.ts';
import { CredentialsRefusedError, SystemUnavailableError } from '../errors.ts';
import type { UpstreamAnswer, UpstreamCall } from '../exchange-bytes.ts';

export interface UnicoreSession {
  /** Without a slash at its end. */
  readonly baseUrl: string;
  call(call: UpstreamCall): Promise<UpstreamAnswer>;
}

export interface SessionOptions {
  readonly baseUrl: string;
  readonly credentials: CredentialStore;
  readonly timeoutSeconds?: number;
  /** Of the accounts that the credentials may use, the one that all calls are for. */
  readonly login?: string | undefined;
}

const sessionHeader = 'X-UNICORE-SecuritySession';

/**
 * Credentials are shown once; the system answers with a session that stands for them until it
 * forgets it (HTTP 432).
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
          // The session stands for the credentials that were refused.
          if (error instanceof CredentialsRefusedError) session = undefined;
          throw error;
        }
      }),
  };
}

/** Links come from the system's answers; credentials follow none that leads elsewhere. */
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

/** As many accounts as have calls at about the same time; a session that went is opened anew. */
const mostSessions = 200;

/**
 * A session for each account: which of a user's accounts a call is for is a preference, and the
 * session may well remember the one that it began with.
 */
export function keepSessions(
  options: SessionOptions,
): (login: string | undefined) => UnicoreSession {
  const sessions = new Map<string | undefined, UnicoreSession>();
  return (login) => {
    const session = sessions.get(login) ?? openSession({ ...options, login });
    // The one that was needed last stands last.
    sessions.delete(login);
    sessions.set(login, session);
    if (sessions.size > mostSessions) sessions.delete(sessions.keys().next().value);
    return session;
  };
}
