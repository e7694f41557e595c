import type { MiddlewareObj } from '@middy/core';
import { JwtVerifier } from 'aws-jwt-verify';
import { FetchError, JwksValidationError, JwkValidationError } from 'aws-jwt-verify/error';
import type { Fetcher } from 'aws-jwt-verify/https';
import { SimpleJwksCache } from 'aws-jwt-verify/jwk';
import type { JwtPayload } from 'aws-jwt-verify/jwt-model';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { catalog } from '#lib/catalog/catalog.ts';
import { isUserId, type UserId } from '#lib/catalog/identifiers.ts';
import { type IdentitySettings, readEnvironment, TableEnvironment } from '#lib/config.ts';
import { createShortMemory } from '#lib/memory/short-memory.ts';
import { isSubject, standsForItself } from '#lib/users/identity.ts';
import { readPerson } from '#lib/users/person.ts';
import { openUserNumbers } from '#lib/users/user-numbers.ts';
import {
  IdentityProviderUnavailableError,
  InvalidTokenError,
  NotAdministratorError,
} from '../errors.ts';
import type { Access } from '../routes/route.ts';
import type { ApiContext, Caller } from './api-context.ts';
import { createKeyFetcher } from './key-fetcher.ts';

/**
 * Verifies the token in every function instead of trusting a gateway's authorizer: authorizers of
 * HTTP APIs have been bypassed with a trailing slash.
 */
export function authenticate(
  verify: TokenVerifier,
  access: Access,
): MiddlewareObj<APIGatewayProxyEventV2, unknown, Error, ApiContext> {
  return {
    before: async function authenticateBefore({ event, context }) {
      const token = event.headers.authorization?.match(/^Bearer +(\S+)$/i)?.[1];
      if (token === undefined) throw new InvalidTokenError();
      const caller = await verify(token);
      if (access === 'administrator' && !caller.administrator) throw new NotAdministratorError();
      context.caller = caller;
    },
  };
}

export type TokenVerifier = (token: string) => Promise<Caller>;

/** Clocks of two well-kept machines differ by less. Documented in docs/interface.md. */
const graceSeconds = 10;

const shared = new Map<string, TokenVerifier>();

/**
 * Returns one verifier for all endpoints of a process, so that they share keys and remembered
 * tokens: `$default` holds a dozen endpoints, and the laptop edition holds all.
 */
export function shareTokenVerifier(settings: IdentitySettings): TokenVerifier {
  const name = JSON.stringify(settings);
  const verifier = shared.get(name) ?? createTokenVerifier(settings);
  shared.set(name, verifier);
  return verifier;
}

/**
 * Checks signature, issuer, audience, `exp`, `nbf` and the form of the claim that names the user.
 * Fetches a key of the issuer when a token first names it, and keeps it as long as the container.
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
        groups: listGroups(payload, settings),
        person: readPerson(payload),
        claims: readClaims(payload),
        expiresAt: readExpiry(payload) * 1000,
      };
    } catch (error) {
      if (isProvidersFault(error)) throw new IdentityProviderUnavailableError({ cause: error });
      throw new InvalidTokenError({ cause: error });
    }
  }
  return rememberTokens(async (token) => {
    const { user, administrator, groups, person, claims, expiresAt } = await readToken(token);
    // Awaited outside of readToken: a table outage doesn't make the token invalid.
    const caller = {
      userId: await user,
      administrator,
      ...(groups.length > 0 && { groups }),
      ...person,
      ...(claims && { claims }),
    };
    return { caller, expiresAt };
  });
}

/** Refuses `crit`: it lists extensions that must be understood (RFC 7515, 4.1.11), and none are. */
function refuseExtensions({ header }: { readonly header: object }): void {
  if ('crit' in header) throw new Error('The token has extensions (crit) that are not understood.');
}

/** True if the issuer did not answer, or answered without keys: the token may still be valid. */
function isProvidersFault(error: unknown): boolean {
  return [FetchError, JwksValidationError, JwkValidationError].some(
    (fault) => error instanceof fault,
  );
}

/** Requires `exp`: the library accepts a token without it forever. */
function readExpiry({ exp }: JwtPayload): number {
  if (typeof exp !== 'number') throw new Error('The token has no expiry (exp).');
  return exp;
}

/** Keeps no other claim, because callers are remembered. */
function readClaims(payload: JwtPayload): Record<string, string> | undefined {
  const found = catalog.systems.flatMap(({ accountClaim }) => {
    const value = accountClaim && payload[accountClaim.name];
    return typeof value === 'string' ? [[accountClaim?.name, value]] : [];
  });
  return found.length > 0 ? Object.fromEntries(found) : undefined;
}

function isAdministrator(payload: JwtPayload, settings: IdentitySettings): boolean {
  return settings.ADMIN_CLAIMS.split(',').some((claim) =>
    holds(payload[claim.trim()], settings.ADMIN_VALUE),
  );
}

function holds(claim: unknown, value: string): boolean {
  return listValues(claim).includes(value);
}

/** Lists the groups in the claims that also say who is an administrator. */
function listGroups(
  payload: JwtPayload,
  { ADMIN_CLAIMS, ADMIN_VALUE }: IdentitySettings,
): string[] {
  const groups = ADMIN_CLAIMS.split(',').flatMap((claim) => listValues(payload[claim.trim()]));
  return [...new Set(groups)].filter((group) => group !== ADMIN_VALUE);
}

function listValues(claim: unknown): string[] {
  const values: readonly unknown[] = Array.isArray(claim) ? claim : [claim];
  return values.filter((value) => typeof value === 'string');
}

function chooseFetcher(jwks: string | undefined): Fetcher {
  if (jwks === undefined) return createKeyFetcher();
  const { buffer } = new Uint8Array(Buffer.from(jwks));
  return { fetch: async () => buffer };
}

/** Names the caller until `expiresAt`, the token's `exp` in milliseconds. */
export interface VerifiedToken {
  readonly caller: Caller;
  readonly expiresAt: number;
}

/** One container rarely serves a thousand clients within a minute. */
const maxTokens = 1_000;

/** Bounds how long a revoked key or a removed right still counts for a token seen just before. */
const maxAgeMs = 60_000;

/**
 * Verifies a token once a minute instead of at every request, because checking the signature took a
 * third of a request without table access. Compares the whole token. Forgets refused tokens, so each
 * is checked again. Ignores the memory if the clock was set back, because `nbf` may lie ahead then.
 */
export function rememberTokens(
  verify: (token: string) => Promise<VerifiedToken>,
  now: () => number = Date.now,
): TokenVerifier {
  const memory = createShortMemory<VerifiedToken>({ most: maxTokens, maxAgeMs, now });
  return async (token) => {
    const known = memory.recall(token);
    if (known && now() < known.expiresAt) return known.caller;
    const verified = await verify(token);
    memory.keep(token, verified);
    return verified.caller;
  };
}

/**
 * Finds the user that a claim names. Throws at once if the claim cannot name anybody, because then
 * the token is at fault; problems with the table reject the promise.
 */
export type UserNaming = (claim: unknown) => UserId | Promise<UserId>;

function chooseNaming({ USER_IDS, ISSUER }: IdentitySettings): UserNaming {
  if (USER_IDS === 'numeric') return nameByNumber;
  return nameBySubject(openUserNumbers(readEnvironment(TableEnvironment).TABLE_NAME, ISSUER));
}

const nameByNumber: UserNaming = (claim) => {
  if (!isUserId(claim))
    throw new Error(
      'The claim that names the user is not a number as text, without leading zeros.',
    );
  return claim;
};

/** Keeps numeric subjects as they are, but no token can pick a number that Slipway assigned. */
export function nameBySubject(findNumber: (subject: string) => Promise<UserId>): UserNaming {
  return (claim) => {
    if (!isSubject(claim)) {
      throw new Error('The claim that names the user is not text of 1 to 255 characters.');
    }
    return standsForItself(claim) ? claim : findNumber(claim);
  };
}
