import { callUpstream, retryOnceRefused } from '../call-upstream.ts';
import type { CredentialStore } from '../credentials.ts';
import { CredentialsRefusedError, SystemBusyError, SystemUnavailableError } from '../errors.ts';
import type { UpstreamAnswer, UpstreamCall } from '../exchange-bytes.ts';
import { isSuccess, readAnswer, requireSuccess, Site } from './read-answer.ts';

export interface UnicoreSession {
  /** Without a trailing slash. */
  readonly baseUrl: string;
  call(call: UpstreamCall): Promise<UpstreamAnswer>;
}

/** Returns the session of an account, or the service's own. */
export type SessionOf = (login: string | undefined) => UnicoreSession;

export interface SessionOptions {
  readonly baseUrl: string;
  readonly credentials: CredentialStore;
  readonly timeoutSeconds?: number;
}

/**
 * UNICORE accepts the credentials but not the account of the call. Whoever hands a job over refuses
 * the job; everybody else waits, because the system itself is up.
 */
export class AccountRefusedError extends SystemBusyError {
  constructor(login: string) {
    super(
      `The HPC system does not let this service use the account '${login}'. ` +
        'Ask an administrator to correct it, and submit the job again.',
      300,
    );
  }
}

const sessionHeader = 'X-UNICORE-SecuritySession';

/**
 * Sends the credentials once. UNICORE answers with a session that replaces them until it expires
 * (HTTP 432). `login` is the account that all calls are for, if the credentials may use several.
 */
function openSession(
  { baseUrl, credentials, timeoutSeconds = 20 }: SessionOptions,
  login: string | undefined,
): UnicoreSession {
  const base = baseUrl.replace(/\/+$/, '');
  const preferences: Record<string, string> =
    login === undefined ? {} : { 'X-UNICORE-User-Preferences': `uid:${login}` };
  let session: string | undefined;

  async function send(call: UpstreamCall, proof: Record<string, string>): Promise<UpstreamAnswer> {
    refuseStrangers(base, call.url);
    const headers = { Accept: 'application/json', ...call.headers, ...preferences, ...proof };
    const answer = await callUpstream({ timeoutSeconds, ...call, headers });
    if (call.url === base) refuseAnonymous(answer);
    session = answer.headers.get(sessionHeader) ?? session;
    return answer;
  }

  const sendInSession = (call: UpstreamCall, known: string) =>
    send(call, { [sessionHeader]: known });

  async function showProof(call: UpstreamCall): Promise<UpstreamAnswer> {
    if (session !== undefined) {
      const answer = await sendInSession(call, session);
      if (answer.status !== 432) return answer;
      session = undefined;
    }
    const read = await credentials.read();
    const proof = { Authorization: authorize(read) };
    if (read.token === undefined || call.url === base) return send(call, proof);
    // A token that UNICORE does not know would be answered with empty lists.
    await send({ url: base }, proof);
    return session === undefined ? send(call, proof) : sendInSession(call, session);
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

/**
 * Refuses credentials that UNICORE does not know. It answers calls with an unknown token as those of
 * an anonymous client, who has no jobs and may not submit any.
 */
function refuseAnonymous(answer: UpstreamAnswer): void {
  if (!isSuccess(answer.status)) return;
  if (readAnswer(Site, answer).client?.role?.selected !== 'anonymous') return;
  throw new CredentialsRefusedError(
    'UNICORE does not know the credentials of this service: it takes it for an anonymous client.',
  );
}

/** Checks that UNICORE answers, and that it knows the credentials. */
export async function checkClient({ baseUrl, call }: UnicoreSession): Promise<void> {
  requireSuccess(await call({ url: baseUrl }));
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

/** UNICORE keeps five sessions of a user and forgets the one that was not used for longest. */
const mostSessions = 4;

/**
 * Keeps the sessions of the accounts that were used last. No session serves two accounts, because it
 * remembers the last account that was asked for, even a refused one.
 */
export function keepSessions(options: SessionOptions): SessionOf {
  const sessions = new Map<string | undefined, UnicoreSession>();
  const sessionOf: SessionOf = (login) => {
    const session = sessions.get(login) ?? openSession(options, login);
    // The most recently used session is last.
    sessions.delete(login);
    sessions.set(login, session);
    if (sessions.size > mostSessions) sessions.delete(sessions.keys().next().value);
    return login === undefined ? session : explainRefusals(session, login, sessionOf);
  };
  return sessionOf;
}

/**
 * Finds out why UNICORE refuses a call for an account. It answers 403 to wrong credentials and to
 * an account that they may not use, so we ask again without the account.
 */
function explainRefusals(
  session: UnicoreSession,
  login: string,
  sessionOf: SessionOf,
): UnicoreSession {
  const call = async (call: UpstreamCall) => {
    try {
      return await session.call(call);
    } catch (error) {
      if (!(error instanceof CredentialsRefusedError)) throw error;
      await checkClient(sessionOf(undefined));
      throw new AccountRefusedError(login);
    }
  };
  return { ...session, call };
}
