import { randomInt } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from 'vitest';
import type { Slashes } from '#local/gateway/start-gateway.ts';
import type { Issuer } from '#local/issuer.ts';
import { hasInterfaceSystems, type LearnedSystem, learnCatalog } from './learn-catalog.ts';

export interface Account {
  readonly user: string;
  readonly token: string;
}

/**
 * What a case can need beyond one ordinary token. A service in this process gives all of it, an
 * address from BASE_URL what its tokens allow.
 */
const reasons = {
  examples: 'needs the two systems of the interface',
  administrator: 'needs ADMIN_TOKEN',
  other: 'needs ADMIN_TOKEN of another user than TOKEN',
  newcomer: 'needs a user that nobody has seen',
  key: "needs the issuer's private key",
  process: 'needs the service in this process',
} as const;

export type Need = keyof typeof reasons;

const needs: readonly Need[] = ['examples', 'administrator', 'other', 'newcomer', 'key', 'process'];

export interface Target {
  readonly name: string;
  readonly url: string;
  /** As it tells them itself. */
  readonly systems: readonly LearnedSystem[];
  has(need: Need): boolean;
  /** Somebody to submit with: a new user in process, the one of TOKEN with BASE_URL. */
  account(): Account;
  /** Somebody else. */
  other(): Account;
  administrator(): Account;
  /** Who signs the tokens of a service in this process. */
  issuer(): Issuer;
  close(): Promise<void>;
}

/**
 * Without BASE_URL: the service in this process behind a gateway of that slash behaviour, on the
 * embedded DynamoDB or on that of AWS_ENDPOINT_URL_DYNAMODB. With BASE_URL: that address, whatever
 * its slashes, with TOKEN (of a user who is no administrator) and ADMIN_TOKEN.
 */
export function openTarget(slashes: Slashes): Promise<Target> {
  // The name that vitest.config.ts gives BASE_URL, which Vite sets itself.
  const url = (process.env.CONTRACT_URL ?? '').replace(/\/+$/, '');
  if (url === '') return startTarget(slashes);
  if (!/^https?:\/\//.test(url)) throw new Error(`BASE_URL is no address of the web: ${url}`);
  return reachTarget(url);
}

/** What cannot be looked at there, in words for whoever runs the suite. */
export function explainSkips({ name, has }: Target): string | undefined {
  const missing = needs.filter((need) => !has(need)).map((need) => reasons[need]);
  return missing.length === 0 ? undefined : `${name}: skipped is what ${missing.join(', what ')}.`;
}

/** A test that is reported as skipped, with the reason in its name, where the need is not met. */
export function itNeeding(target: Target, need: Need) {
  return (name: string, test: () => Promise<void>): void => {
    const met = target.has(need);
    it.runIf(met)(met ? name : `${name} [skipped: ${reasons[need]}]`, test);
  };
}

async function startTarget(slashes: Slashes): Promise<Target> {
  const { startService } = await import('#local/start-service.ts');
  const stateDirectory = mkdtempSync(join(tmpdir(), 'slipway-contract-'));
  const service = await startService({
    port: 0,
    dataDirectory: 'memory',
    dynamoDbEndpoint: process.env.AWS_ENDPOINT_URL_DYNAMODB,
    stateDirectory,
  });
  const { issuer } = service;
  let lastUser = randomInt(1e11, 2e11);
  const newUser = (administrator = false): Account => {
    lastUser += 1;
    const user = String(lastUser);
    return { user, token: issuer.issueToken({ user, administrator }) };
  };
  const gateway = slashes === 'exact' ? service : await service.openGateway('ignored');
  return {
    name: slashes === 'exact' ? 'gateway with exact slashes' : 'gateway that ignores slashes',
    url: gateway.url,
    systems: await learnCatalog(gateway.url, newUser().token),
    has: () => true,
    account: () => newUser(),
    other: () => newUser(),
    administrator: () => newUser(true),
    issuer: () => issuer,
    close: async () => {
      await service.close();
      rmSync(stateDirectory, { recursive: true });
    },
  };
}

async function reachTarget(url: string): Promise<Target> {
  const { TOKEN, ADMIN_TOKEN } = process.env;
  if (TOKEN === undefined) throw new Error('BASE_URL needs TOKEN, the access token of a user.');
  const account = { user: readUser(TOKEN) ?? (await askForUser(url, TOKEN)), token: TOKEN };
  const administrator = ADMIN_TOKEN !== undefined && {
    user: readUser(ADMIN_TOKEN) ?? '',
    token: ADMIN_TOKEN,
  };
  const giveAdministrator = () => {
    if (!administrator) throw new Error(reasons.administrator);
    return administrator;
  };
  const systems = await learnCatalog(url, TOKEN);
  const met: Partial<Record<Need, boolean>> = {
    examples: hasInterfaceSystems(systems),
    administrator: administrator !== false,
    other: administrator !== false && administrator.user !== account.user,
  };
  return {
    name: url,
    url,
    systems,
    has: (need) => met[need] ?? false,
    account: () => account,
    other: giveAdministrator,
    administrator: giveAdministrator,
    issuer: () => {
      throw new Error(reasons.process);
    },
    close: async () => undefined,
  };
}

export function readClaims(token: string): Record<string, unknown> | undefined {
  try {
    const claims: unknown = JSON.parse(
      Buffer.from(token.split('.')[1] ?? '', 'base64url').toString(),
    );
    return typeof claims === 'object' && claims !== null ? { ...claims } : undefined;
  } catch {
    return undefined;
  }
}

function readUser(token: string): string | undefined {
  const user = readClaims(token)?.sub;
  return typeof user === 'string' && /^[0-9]+$/.test(user) ? user : undefined;
}

/** A token that does not show its user: the quotas of the caller do (interface 4.3). */
async function askForUser(url: string, token: string): Promise<string> {
  const response = await fetch(`${url}/quotas/`, { headers: { authorization: `Bearer ${token}` } });
  const quotas: unknown = await response.json();
  const first: unknown = Array.isArray(quotas) ? quotas[0] : undefined;
  if (typeof first === 'object' && first !== null && 'user' in first) return String(first.user);
  throw new Error(`${url}/quotas/ answered ${response.status}: TOKEN is not good there.`);
}
