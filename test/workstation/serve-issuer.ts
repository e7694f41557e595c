import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import { createIssuer } from '#local/issuer.ts';
import { makeKey } from '../fixtures/jwt.ts';

/**
 * An OpenID issuer for a public client with the device flow, where somebody always agrees at once:
 * `serve-issuer.ts CERTIFICATE KEY ADDRESS`. It runs as a process of its own in the network of a test.
 */
const [, , certificate = '', privateKey = '', address = ''] = process.argv;
const issuer = createIssuer(makeKey());
const { port, pathname } = new URL(address);

function describe(path: string): object {
  if (path === '/.well-known/openid-configuration') {
    return {
      issuer: address,
      authorization_endpoint: `${address}/auth`,
      device_authorization_endpoint: `${address}/device`,
      token_endpoint: `${address}/token`,
      id_token_signing_alg_values_supported: ['ES256'],
      jwks_uri: `${address}/protocol/openid-connect/certs`,
    };
  }
  if (path === '/device') {
    return {
      device_code: 'device',
      user_code: 'ABCD',
      verification_uri: `${address}/agree`,
      expires_in: 60,
      interval: 1,
    };
  }
  const now = Math.floor(Date.now() / 1000);
  const claims = { iss: address, sub: 'ada@example.org', iat: now, exp: now + 3600 };
  return {
    access_token: issuer.signToken({ ...claims, aud: 'slipway', groups: ['slipway-admin'] }),
    id_token: issuer.signToken({ ...claims, aud: 'slipway-command' }),
    token_type: 'Bearer',
    expires_in: 3600,
  };
}

createServer(
  { cert: readFileSync(certificate), key: readFileSync(privateKey) },
  (request, response) => {
    const path = (request.url ?? '').slice(pathname.length);
    response.setHeader('content-type', 'application/json');
    response.end(path.endsWith('/certs') ? issuer.jwks : JSON.stringify(describe(path)));
  },
).listen(Number(port));
