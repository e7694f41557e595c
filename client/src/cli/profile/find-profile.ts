import type { Host } from '../host/host.ts';
import { CannotDo, outcome } from '../outcome/outcome.ts';
import type { ConfigFile } from './config-file.ts';
import type { Profile, Token } from './profile.ts';
import { requireSafeAddress } from './require-safe-address.ts';

export const usualProfile = 'default';

export interface Access {
  readonly url: string;
  readonly token: (refused?: string) => Promise<string>;
}

/** A token that ends while a request is under way is of no use. */
const marginMs = 60_000;

/** SLIPWAY_URL and SLIPWAY_TOKEN come before what is written down: for scripts and pipelines. */
export function findAccess({ environment }: Host, file: ConfigFile, name: string): Access {
  const { SLIPWAY_URL: url, SLIPWAY_TOKEN: token } = environment;
  const profile = file.read(name);
  if (token) {
    if (!url && !profile) {
      throw new CannotDo('SLIPWAY_TOKEN is set, but nothing says where the service is.', {
        next: 'Set SLIPWAY_URL as well.',
      });
    }
    return { url: requireSafeAddress(url || (profile?.url ?? '')), token: async () => token };
  }
  if (!profile) throw notSignedIn(name);
  return {
    url: requireSafeAddress(url || profile.url),
    token: createTokenSource(file, name, profile),
  };
}

/** Renewed before it ends, and once where the service does not take it for all that. */
function createTokenSource(file: ConfigFile, name: string, known: Profile): Access['token'] {
  let { token } = known;
  return async (refused) => {
    if (!isFresh(token) || refused === token.access) {
      const renewed = await renew(known, token);
      if (!renewed) throw notSignedIn(name);
      token = renewed;
      file.write(name, { ...known, token });
    }
    return token.access;
  };
}

function isFresh({ expires }: Token): boolean {
  return expires === undefined || expires - marginMs > Date.now();
}

async function renew({ url, signIn }: Profile, { refresh }: Token): Promise<Token | undefined> {
  if (signIn.kind === 'token') return undefined;
  const { refreshToken, signInOnLaptop } = await import('./sign-in.ts');
  if (signIn.kind === 'laptop') return signInOnLaptop(url, signIn, Date.now());
  if (refresh === undefined) return undefined;
  return refreshToken(signIn, refresh, Date.now());
}

function notSignedIn(name: string): CannotDo {
  const how = name === usualProfile ? '' : ` --profile ${name}`;
  return new CannotDo('You are not signed in.', {
    outcome: outcome.refused,
    next: `Sign in: slipway login${how}   (on a laptop: slipway login --local${how})`,
  });
}
