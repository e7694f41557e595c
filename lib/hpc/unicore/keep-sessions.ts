import { openSession, type SessionOptions, type UnicoreSession } from './session.ts';

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
