import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createIssuer } from '#local/issuer.ts';
import { signInOnLaptop } from '#local/sign-in-on-laptop.ts';
import { apiEvent } from '../../fixtures/api-event.ts';

const issuer = createIssuer(generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey);

const key = 'k'.repeat(43);

function ask({
  headers = {},
  method = 'POST',
  path = '/local/token',
  body = '{"user":"306328"}',
}: {
  headers?: Record<string, string>;
  method?: string;
  path?: string;
  body?: string;
} = {}) {
  const given = {
    host: 'localhost:3000',
    'content-type': 'application/json',
    'slipway-key': key,
    ...headers,
  };
  const event = apiEvent({ method, path, headers: given });
  return signInOnLaptop({ issuer, key }, { ...event, body, isBase64Encoded: false });
}

function claimsOf(body: string | undefined) {
  const { access_token: token } = JSON.parse(body ?? '');
  return JSON.parse(Buffer.from(token.split('.')[1], 'base64url').toString());
}

describe('signing in on a laptop', () => {
  it('issues a token for the requested user', () => {
    const answer = ask();
    expect(answer?.statusCode).toBe(200);
    expect(claimsOf(answer?.body)).toMatchObject({ sub: '306328' });
    expect(claimsOf(answer?.body)).not.toHaveProperty('groups');
  });

  it('issues an administrator’s token on request', () => {
    const answer = ask({ body: '{"user":"100001","administrator":true}' });
    expect(claimsOf(answer?.body)).toMatchObject({ sub: '100001', groups: ['slipway-admin'] });
  });

  it.each(['', 'k', `${key}k`, 'K'.repeat(43)])('issues nothing for the key "%s"', (given) => {
    const answer = ask({ headers: { 'slipway-key': given } });
    expect(answer?.statusCode).toBe(401);
    expect(JSON.parse(answer?.body ?? '')).toEqual({
      message:
        'Signing in needs the key of this service. Open the address that npm start printed, or run npm run token in the same folder.',
    });
  });

  it('accepts its own page only', () => {
    expect(ask({ headers: { origin: 'http://localhost:3000' } })?.statusCode).toBe(200);
    expect(ask({ headers: { origin: 'https://evil.example' } })?.statusCode).toBe(403);
    expect(ask({ headers: { origin: 'http://localhost:3001' } })?.statusCode).toBe(403);
    expect(ask({ headers: { origin: 'null' } })?.statusCode).toBe(403);
  });

  it('refuses other names for this machine, which another page could have', () => {
    expect(ask({ headers: { host: 'evil.example:3000' } })?.statusCode).toBe(403);
    expect(ask({ headers: { host: 'localhost.evil.example' } })?.statusCode).toBe(403);
  });

  it('accepts JSON only, which no form of another page can send', () => {
    expect(ask({ headers: { 'content-type': 'text/plain' } })?.statusCode).toBe(405);
    expect(ask({ method: 'GET' })?.statusCode).toBe(405);
    expect(ask({ body: '{"user":""}' })?.statusCode).toBe(400);
    expect(ask({ body: 'user=1' })?.statusCode).toBe(400);
  });

  it('leaves everything else to the API', () => {
    expect(ask({ path: '/jobs/' })).toBeUndefined();
  });
});
