import type { ConsoleConfig, OidcConfig } from '#console/serving/console-config.ts';
import { isRecord } from '../browser/stored.ts';
import { phrase } from './words.ts';

/** Reads the configuration beside the page, so that the same files serve every deployment. */
export async function readConfig(): Promise<ConsoleConfig> {
  const response = await fetch('/console/config.json', { cache: 'no-cache' });
  if (!response.ok) {
    throw new Error(phrase('configNotLoaded', { status: response.status }));
  }
  return parseConfig(await response.json());
}

/** Checks the configuration here, because a wrong one would only show as a failed sign-in. */
export function parseConfig(config: unknown): ConsoleConfig {
  if (isRecord(config) && typeof config.api === 'string') {
    const { api, signIn } = config;
    if (signIn === 'laptop') return { api, signIn };
    const provider = parseProvider(config);
    if (signIn === 'oidc' && provider) return { api, signIn, ...provider };
  }
  throw new Error(phrase('configNotValid'));
}

function parseProvider(
  config: Readonly<Record<string, unknown>>,
): Omit<OidcConfig, 'api' | 'signIn'> | undefined {
  const { issuer, clientId, scope, audience, token, claims } = config;
  if (typeof issuer !== 'string' || typeof clientId !== 'string' || typeof scope !== 'string')
    return;
  if (token !== 'access_token' && token !== 'id_token') return undefined;
  if (!isRecord(claims)) return undefined;
  const { user, admin, adminValue } = claims;
  if (typeof user !== 'string' || !isTexts(admin) || typeof adminValue !== 'string')
    return undefined;
  return {
    issuer,
    clientId,
    scope,
    ...(typeof audience === 'string' && { audience }),
    token,
    claims: { user, admin, adminValue },
  };
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((each) => typeof each === 'string');
}
