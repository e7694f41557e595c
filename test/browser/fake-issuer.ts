import { createHash, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';
import { listenOnLoopback } from '#local/loopback/listen-on-loopback.ts';

export interface FakeIssuer {
  readonly issuer: string;
  /** The grants that it was asked for, in their order. */
  readonly grants: readonly string[];
  /** Whether it remembers the person, as its cookie would. */
  knowsPerson: boolean;
  /** Put into ID tokens instead of the nonce that was sent. */
  foreignNonce?: string;
}

interface Asked {
  readonly challenge: string;
  readonly nonce: string;
}

interface FakeIssuerOptions {
  readonly port?: number;
  /** The address that a proxy in front of it has. */
  readonly address?: string;
  /** The keys that sign its tokens. */
  readonly jwks?: string;
}

/** Starts an OpenID provider for a public client with PKCE, which issues the given token. */
export async function startFakeIssuer(
  accessToken: string | ((issuer: string) => string),
  { port = 0, address, jwks }: FakeIssuerOptions = {},
): Promise<FakeIssuer> {
  const codes = new Map<string, Asked>();
  const grants: string[] = [];
  const server = createServer((request, response) => {
    void answer(request, response);
  });
  const { endpoint: local, close } = await listenOnLoopback(server, port);
  const endpoint = address ?? local;
  onTestFinished(close);
  const state: FakeIssuer = { issuer: endpoint, grants, knowsPerson: true };
  return state;

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '/', endpoint);
    response.setHeader('access-control-allow-origin', '*');
    if (pathname === '/authorize') return authorize(searchParams, response);
    response.setHeader('content-type', 'application/json');
    if (pathname === '/keys' && jwks !== undefined) {
      response.end(jwks);
      return;
    }
    const [status, body] =
      pathname === '/token' ? grant(new URLSearchParams(await text(request))) : [200, describe()];
    response.writeHead(status).end(JSON.stringify(body));
  }

  function describe() {
    return {
      issuer: endpoint,
      authorization_endpoint: `${endpoint}/authorize`,
      token_endpoint: `${endpoint}/token`,
    };
  }

  function authorize(asked: URLSearchParams, response: ServerResponse): void {
    const back = new URL(asked.get('redirect_uri') ?? '');
    back.searchParams.set('state', asked.get('state') ?? '');
    if (asked.get('prompt') === 'none' && !state.knowsPerson) {
      back.searchParams.set('error', 'login_required');
    } else {
      const code = randomUUID();
      codes.set(code, {
        challenge: asked.get('code_challenge') ?? '',
        nonce: asked.get('nonce') ?? '',
      });
      back.searchParams.set('code', code);
    }
    response.writeHead(302, { location: back.href }).end();
  }

  function grant(sent: URLSearchParams): [number, object] {
    const kind = sent.get('grant_type') ?? '';
    grants.push(kind);
    const asked = codes.get(sent.get('code') ?? '');
    codes.delete(sent.get('code') ?? '');
    const proof = createHash('sha256')
      .update(sent.get('code_verifier') ?? '')
      .digest('base64url');
    const holds = kind === 'refresh_token' || proof === asked?.challenge;
    if (!holds) return [400, { error: 'invalid_grant' }];
    const now = Math.floor(Date.now() / 1000);
    const claims = {
      iss: endpoint,
      aud: sent.get('client_id'),
      sub: '306328',
      iat: now,
      exp: now + 300,
      nonce: state.foreignNonce ?? asked?.nonce,
    };
    return [
      200,
      {
        access_token: typeof accessToken === 'string' ? accessToken : accessToken(endpoint),
        token_type: 'Bearer',
        id_token: `${encode({ alg: 'RS256' })}.${encode(claims)}.x`,
        refresh_token: randomUUID(),
        // The console renews a minute before the end: in a second.
        expires_in: 61,
      },
    ];
  }
}

function encode(part: object): string {
  return Buffer.from(JSON.stringify(part)).toString('base64url');
}
