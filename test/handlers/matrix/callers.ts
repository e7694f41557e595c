import { generateKeyPairSync } from 'node:crypto';
import { createIssuer, type Issuer } from '#local/issuer.ts';
import { userId } from '../../fixtures/names.ts';
import { administrator, otherUser, user } from '../../fixtures/samples.ts';
import { tokenAttacks } from '../../fixtures/token-attacks.ts';

/** Every kind of caller. The world puts each of them into its state (world.ts). */
export const callers = {
  /** Sends no token. */
  nobody: undefined,
  /** Owns the job, the batch, the request and the webhook that the paths name. */
  user,
  other: otherUser,
  /** Leads the project that the paths name. */
  leader: userId('306330'),
  /** Leads another project. */
  otherLeader: userId('306331'),
  banned: userId('306332'),
  /** Has quotas that have ended. */
  expired: userId('306333'),
  administrator,
  /** Is an administrator, but for another issuer, whose key the service does not know. */
  foreign: administrator,
} as const;

export type Caller = keyof typeof callers;

export const callerNames = Object.keys(callers).filter((name): name is Caller => name in callers);

/** Returns the headers of each kind of caller. */
export function identify(issuer: Issuer): Readonly<Record<Caller, Headers>> {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const signed = (by: Issuer, user: string, administrator = false) => ({
    authorization: `Bearer ${by.issueToken({ user, administrator })}`,
  });
  return {
    nobody: {},
    user: signed(issuer, callers.user),
    other: signed(issuer, callers.other),
    leader: signed(issuer, callers.leader),
    otherLeader: signed(issuer, callers.otherLeader),
    banned: signed(issuer, callers.banned),
    expired: signed(issuer, callers.expired),
    administrator: signed(issuer, callers.administrator, true),
    foreign: signed(createIssuer(privateKey), callers.foreign, true),
  };
}

type Headers = Readonly<Record<string, string>>;

/** Tokens and headers that stand for nobody, whatever they claim. */
export function listBadTokens(
  issuer: Issuer,
): { readonly name: string; readonly headers: Headers }[] {
  const good = issuer.issueToken({ user: administrator, administrator: true });
  const written = (name: string, authorization: string) => ({ name, headers: { authorization } });
  return [
    ...tokenAttacks(issuer).map(({ name, makeToken }) => written(name, `Bearer ${makeToken()}`)),
    written('an empty header', ''),
    written('a scheme without a token', 'Bearer '),
    written('the scheme alone', 'Bearer'),
    written('the wrong scheme', `Basic ${good}`),
    written('a scheme that begins alike', `BearerX ${good}`),
    written('no scheme', good),
    written('two tokens', `Bearer ${good} ${good}`),
    written('two headers, joined', `Bearer ${good},Bearer ${good}`),
    written('a token in quotes', `Bearer "${good}"`),
    written('a token cut by one character', `Bearer ${good.slice(0, -1)}`),
    written('a token with a fourth part', `Bearer ${good}.x`),
    written('a token of three dots', 'Bearer ...'),
    { name: 'the token in another header', headers: { 'x-authorization': `Bearer ${good}` } },
    { name: 'the token in a cookie', headers: { cookie: `Authorization=Bearer ${good}` } },
  ];
}
