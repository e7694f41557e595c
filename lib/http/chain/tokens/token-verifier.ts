import { JwtVerifier } from 'aws-jwt-verify';
import { FetchError, JwksValidationError, JwkValidationError } from 'aws-jwt-verify/error';
import type { Fetcher } from 'aws-jwt-verify/https';
import { SimpleJwksCache } from 'aws-jwt-verify/jwk';
import type { JwtPayload } from 'aws-jwt-verify/jwt-model';
import type { IdentitySettings } from '#lib/config.ts';
import type { Caller } from '../../caller.ts';
import { IdentityProviderUnavailableError, InvalidTokenError } from '../../errors.ts';
import { createKeyFetcher } from './key-fetcher.ts';
import { rememberTokens } from './remember-tokens.ts';
import { chooseNaming, type UserNaming } from './user-naming.ts';

export type TokenVerifier = (token: string) => Promise<Caller>;

/** Clocks of two well-kept machines differ by less. Documented in docs/interface.md, section 1. */
const graceSeconds = 10;

const shared = new Map<string, TokenVerifier>();

/**
 * One for all endpoints of a process, with the keys and the tokens that it remembers: `$default`
 * holds a dozen of them, and the laptop edition all.
 */
export function shareTokenVerifier(settings: IdentitySettings): TokenVerifier {
  const name = JSON.stringify(settings);
  const verifier = shared.get(name) ?? createTokenVerifier(settings);
  shared.set(name, verifier);
  return verifier;
}

/**
 * Checks signature, issuer, audience, `exp`, `nbf` and the form of the claim that names the user. Keys of
 * the issuer are fetched when a token first names them and kept while the container lives. What
 * was verified is remembered for a minute at most.
 */
export function createTokenVerifier(
  settings: IdentitySettings,
  fetcher: Fetcher = chooseFetcher(settings.JWKS),
  nameUser: UserNaming = chooseNaming(settings),
): TokenVerifier {
  const verifier = JwtVerifier.create(
    {
      issuer: settings.ISSUER,
      audience: settings.AUDIENCE,
      graceSeconds,
      customJwtCheck: refuseExtensions,
      ...(settings.JWKS_URI === undefined ? {} : { jwksUri: settings.JWKS_URI }),
    },
    { jwksCache: new SimpleJwksCache({ fetcher }) },
  );
  async function readToken(token: string) {
    try {
      const payload = await verifier.verify(token);
      return {
        user: nameUser(payload[settings.USER_CLAIM]),
        administrator: isAdministrator(payload, settings),
        expiresAt: readExpiry(payload) * 1000,
      };
    } catch (error) {
      if (isProvidersFault(error)) throw new IdentityProviderUnavailableError({ cause: error });
      throw new InvalidTokenError({ cause: error });
    }
  }
  return rememberTokens(async (token) => {
    const { user, administrator, expiresAt } = await readToken(token);
    // A table that cannot be reached is no fault of the token.
    return { caller: { userId: await user, administrator }, expiresAt };
  });
}

/** An issuer may mark extensions that must be understood (RFC 7515, 4.1.11), and none is here. */
function refuseExtensions({ header }: { readonly header: object }): void {
  if ('crit' in header) throw new Error('The token has extensions (crit) that are not understood.');
}

/** No answer, or one that holds no keys: nothing is known about the token then. */
function isProvidersFault(error: unknown): boolean {
  return [FetchError, JwksValidationError, JwkValidationError].some(
    (fault) => error instanceof fault,
  );
}

/** The library takes a token without `exp` for one that never ends. */
function readExpiry({ exp }: JwtPayload): number {
  if (typeof exp !== 'number') throw new Error('The token has no expiry (exp).');
  return exp;
}

function isAdministrator(payload: JwtPayload, settings: IdentitySettings): boolean {
  return settings.ADMIN_CLAIMS.split(',').some((claim) =>
    holds(payload[claim.trim()], settings.ADMIN_VALUE),
  );
}

function holds(claim: unknown, value: string): boolean {
  return Array.isArray(claim) ? claim.includes(value) : claim === value;
}

function chooseFetcher(jwks: string | undefined): Fetcher {
  if (jwks === undefined) return createKeyFetcher();
  const { buffer } = new Uint8Array(Buffer.from(jwks));
  return { fetch: async () => buffer };
}
