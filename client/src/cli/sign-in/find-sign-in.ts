import * as oauth from 'oauth4webapi';
import * as v from 'valibot';
import { IssuerUnreachable, requestOptions } from '../../sign-in/issuer.ts';
import { CannotDo, outcome } from '../terminal/outcome.ts';
import { phrase } from '../words/phrase.ts';
import type { IssuerSignIn } from './profile.ts';

const Metadata = v.object({
  resource: v.string(),
  authorization_servers: v.exactOptional(v.array(v.string())),
  slipway_sign_in: v.variant('kind', [
    v.object({ kind: v.literal('local') }),
    v.object({
      kind: v.literal('issuer'),
      client_id: v.exactOptional(v.string()),
      scope: v.string(),
      audience: v.exactOptional(v.string()),
      token: v.picklist(['access_token', 'id_token']),
      redirect_host: v.exactOptional(v.literal('localhost')),
    }),
  ]),
});

/** What a service says about signing in. Parts may be missing. */
export type FoundSignIn = {
  readonly [Part in Exclude<keyof IssuerSignIn, 'kind'>]?: IssuerSignIn[Part] | undefined;
};

/**
 * Asks a service where its users sign in (RFC 9728). Returns nothing for a service without this
 * document. The service must call itself by the address that the person typed: a token for one
 * service must not be fetched in the name of another (RFC 9728, 3.3).
 */
export async function findSignIn(url: string): Promise<FoundSignIn> {
  const metadata = await readMetadata(url);
  if (metadata === undefined) return {};
  const { resource, authorization_servers: [issuer] = [], slipway_sign_in: how } = metadata;
  if (how.kind === 'local') {
    throw new CannotDo(phrase('session.serviceIsLaptopEdition', { url }), {
      next: `slipway login --local --url ${url}`,
    });
  }
  if (!URL.canParse(resource) || new URL(resource).href !== new URL(url).href) {
    throw new CannotDo(phrase('session.serviceSaysOtherAddress', { url, resource }), {
      next: phrase('session.ifYouTrustThatAddress', { resource }),
    });
  }
  const { client_id: clientId, redirect_host: redirectHost, scope, audience, token } = how;
  return { issuer, clientId, scope, audience, token, redirectHost };
}

async function readMetadata(url: string): Promise<v.InferOutput<typeof Metadata> | undefined> {
  try {
    const response = await oauth.resourceDiscoveryRequest(new URL(url), requestOptions);
    if (response.status !== 200) return undefined;
    const metadata = v.safeParse(Metadata, await response.json());
    return metadata.success ? metadata.output : undefined;
  } catch (error) {
    if (!(error instanceof IssuerUnreachable)) return undefined;
    throw new CannotDo(error.message, {
      outcome: outcome.unreachable,
      next: phrase('session.checkTheAddress'),
    });
  }
}
