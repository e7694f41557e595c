import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { requireSafeAddress } from '#client/src/cli/sign-in/profile.ts';
import { refreshToken, signInAtIssuer } from '#client/src/cli/sign-in/sign-in.ts';
import { openCommandHome } from '../fixtures/command-host.ts';

let server: Server | undefined;

afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

type Answer = (path: string, form: URLSearchParams) => object;

/** What the last sign-in sent along. */
let nonce = '';

/** An ID token for this command, as an issuer writes it, with some claims changed. */
function idToken(issuer: string, changes: object = {}): string {
  const times = { iat: 1_000, exp: 9_999_999_999 };
  const claims = { iss: issuer, aud: 'slipway', sub: '1', ...times, nonce, ...changes };
  return [{ alg: 'RS256' }, claims, 'signature']
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.');
}

interface Manner {
  /** The name that its metadata gives, if it is not its own. */
  readonly named?: string;
  readonly realm?: string;
  /** Where its endpoints are said to be. */
  readonly endpoints?: string;
  /** Where its endpoints redirect to. */
  readonly redirectTo?: string;
  readonly status?: number;
}

/** An issuer whose answers are the test's; and what it was asked. */
async function startIssuer(answer: Answer, manner: Manner = {}) {
  const { named, realm = '', endpoints, redirectTo } = manner;
  const statusOf = (sent: object) => manner.status ?? ('error' in sent ? 400 : 200);
  const asked: string[] = [];
  server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const path = request.url ?? '';
    asked.push(`${path} ${new URLSearchParams(body).get('grant_type') ?? ''}`.trim());
    const form = new URLSearchParams(body);
    nonce = form.get('nonce') ?? nonce;
    const found = path === `${realm}/.well-known/openid-configuration`;
    const discovery = {
      issuer: named ?? `${url}${realm}`,
      token_endpoint: `${endpoints ?? url}/token`,
      device_authorization_endpoint: `${endpoints ?? url}/device`,
    };
    if (redirectTo !== undefined && !found) {
      response.writeHead(307, { location: redirectTo }).end();
      return;
    }
    const sent = found ? discovery : answer(path, form);
    response.writeHead(found ? 200 : statusOf(sent), {
      'content-type': 'application/json',
    });
    response.end(JSON.stringify(sent));
  });
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;
  return { url, asked };
}

const device = {
  device_code: 'D',
  user_code: 'ABCD-EFGH',
  verification_uri: 'https://id.example/device',
  expires_in: 600,
  interval: 5,
};

const granted = { access_token: 'T', token_type: 'Bearer' };

async function signIn(issuer: string) {
  const pauses: number[] = [];
  const shown: unknown[] = [];
  const signed = signInAtIssuer(
    { kind: 'device', issuer, clientId: 'slipway', scope: 'openid' },
    {
      show: (prompt) => shown.push(prompt),
      pause: async (seconds) => void pauses.push(seconds),
      now: () => 1_000_000,
      interrupt: new AbortController().signal,
    },
  );
  return { token: await signed, pauses, shown };
}

describe('signing in with another device', () => {
  it('polls at the given interval, and slows down when told to', async () => {
    const answers = [
      { error: 'authorization_pending' },
      { error: 'slow_down' },
      { access_token: 'T', token_type: 'Bearer', refresh_token: 'R', expires_in: 60 },
    ];
    const { url } = await startIssuer((path) => {
      if (path === '/device') return device;
      return { ...answers.shift(), id_token: idToken(url) };
    });
    expect(await signIn(url)).toEqual({
      token: { access: 'T', refresh: 'R', expires: 1_060_000 },
      pauses: [5, 5, 10],
      shown: [{ address: 'https://id.example/device', code: 'ABCD-EFGH' }],
    });
  });

  it('says why the issuer refused', async () => {
    const { url } = await startIssuer((path) =>
      path === '/device' ? device : { error: 'access_denied', error_description: 'You said no.' },
    );
    await expect(signIn(url)).rejects.toThrow('You are not signed in: You said no.');
  });

  it.each([
    { what: 'is missing', change: undefined, words: 'The issuer sent no ID token.' },
    { what: 'belongs to another sign-in', change: { nonce: 'other' } },
    { what: 'is for another client', change: { aud: 'other' } },
    { what: 'comes from another issuer', change: { iss: 'https://id.example' } },
    { what: 'has expired', change: { exp: 999 } },
    {
      what: 'has other audiences and not our client as authorized party',
      change: { aud: ['slipway', 'other'] },
    },
    { what: 'has no claims', change: { iss: 1 }, words: `The issuer's answer cannot be used` },
    { what: 'has no subject', change: { sub: undefined }, words: 'cannot be used' },
  ])('fails if the ID token $what', async ({ change, words }) => {
    const { url } = await startIssuer((path) =>
      path === '/device'
        ? device
        : { ...granted, ...(change && { id_token: idToken(url, change) }) },
    );
    await expect(signIn(url)).rejects.toThrow(words ?? 'The ID token is not for this sign-in.');
  });

  it.each([{ nonce: undefined }, { aud: ['other', 'slipway'], azp: 'slipway' }])(
    'accepts an ID token without a nonce or with several audiences: %j',
    async (change) => {
      const { url } = await startIssuer((path) =>
        path === '/device' ? device : { ...granted, id_token: idToken(url, change) },
      );
      expect((await signIn(url)).token).toEqual({ access: 'T' });
    },
  );

  it('sends nothing to an issuer whose metadata names another one', async () => {
    const { url, asked } = await startIssuer(() => device, { named: 'https://id.example' });
    await expect(signIn(url)).rejects.toThrow('is not an OpenID Connect issuer');
    expect(asked).toEqual(['/.well-known/openid-configuration']);
  });
});

describe('a profile', () => {
  it('renews its token before it expires, and stores the new one', async () => {
    const { url, asked } = await startIssuer((path) => {
      if (path === '/device') return { ...device, interval: 0.01 };
      if (path === '/token')
        return {
          access_token: `T${asked.length}`,
          token_type: 'Bearer',
          id_token: idToken(url),
          refresh_token: 'R',
          expires_in: 3600,
        };
      return path.startsWith('/jobs/') ? [] : {};
    });
    const home = openCommandHome();
    const words = ['login', '--url', url, '--issuer', url, '--client-id', 'slipway'];
    expect(await home.run(words)).toMatchObject({
      code: 0,
      err: expect.stringContaining('ABCD-EFGH'),
    });
    const file = join(home.path, 'slipway', 'config.json');
    const kept = JSON.parse(readFileSync(file, 'utf8'));
    const first = kept.profiles.default.token.access;
    kept.profiles.default.token.expires = Date.now() + 30_000;
    writeFileSync(file, JSON.stringify(kept));
    expect(await home.run(['jobs', '--json'])).toMatchObject({ code: 0, out: '[]\n' });
    expect(asked).toContain('/token refresh_token');
    const renewed = JSON.parse(readFileSync(file, 'utf8')).profiles.default.token.access;
    expect(renewed).not.toBe(first);
  });

  it('without a sign-in leads to a hint with the name of the profile', async () => {
    const { code, err } = await openCommandHome().run(['jobs', '--profile', 'work']);
    expect(code).toBe(3);
    expect(err).toContain('slipway login --profile work');
  });

  it('is not needed if a script brings its own token', async () => {
    const { url } = await startIssuer(() => []);
    const environment = { SLIPWAY_URL: url, SLIPWAY_TOKEN: 'a.b.c' };
    const { code } = await openCommandHome().run(['jobs', '--json'], { environment });
    expect(code).toBe(0);
    const alone = await openCommandHome().run(['jobs'], {
      environment: { SLIPWAY_TOKEN: 'a.b.c' },
    });
    expect(alone).toMatchObject({ code: 2, err: expect.stringContaining('SLIPWAY_URL') });
  });

  it('from a damaged file causes an error message, not a stack trace', async () => {
    const home = openCommandHome();
    mkdirSync(join(home.path, 'slipway'));
    writeFileSync(join(home.path, 'slipway', 'config.json'), '{');
    expect(await home.run(['jobs'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('cannot be read'),
    });
  });
});

describe('the key of a laptop edition', () => {
  const key = 'k'.repeat(43);

  /** A laptop edition that notes the keys that it is shown, and accepts one. */
  async function startLaptop() {
    const shown: unknown[] = [];
    server = createServer((request, response) => {
      if (request.url !== '/local/token') {
        response.writeHead(200, { 'content-type': 'application/json' }).end('[]');
        return;
      }
      shown.push(request.headers['slipway-key']);
      const fits = request.headers['slipway-key'] === key;
      const body = fits ? { access_token: 'a.b.c', expires_in: 3600 } : { message: 'no key' };
      response.writeHead(fits ? 200 : 401, { 'content-type': 'application/json' });
      response.end(JSON.stringify(body));
    });
    await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    return { url: `http://127.0.0.1:${port}`, shown };
  }

  function openHomeWithKey(text: string) {
    const home = openCommandHome();
    const file = join(home.path, 'key');
    writeFileSync(file, text);
    return { ...home, file };
  }

  it('is read from its file, and again when the token expires', async () => {
    const { url, shown } = await startLaptop();
    const home = openHomeWithKey(`${key}\n`);
    const words = ['login', '--local', '--url', url, '--key-file', home.file];
    expect(await home.run(words)).toMatchObject({ code: 0 });
    const config = join(home.path, 'slipway', 'config.json');
    const kept = JSON.parse(readFileSync(config, 'utf8'));
    expect(JSON.stringify(kept)).not.toContain(key);
    kept.profiles.default.token.expires = Date.now();
    writeFileSync(config, JSON.stringify(kept));
    expect(await home.run(['jobs', '--json'])).toMatchObject({ code: 0 });
    expect(shown).toEqual([key, key]);
  });

  it('leads to the edition that runs from its folder, whatever its port', async () => {
    const { url } = await startLaptop();
    const home = openHomeWithKey(key);
    const words = ['login', '--local', '--key-file', home.file];
    const note = (pid: number, at: string) => {
      mkdirSync(join(home.path, 'running'), { recursive: true });
      writeFileSync(join(home.path, 'running', `${pid}.json`), JSON.stringify({ pid, url: at }));
    };
    note(process.pid, url);
    // One that was killed is not looked for.
    note(2 ** 22 + 1, 'http://localhost:1');
    const { code, out } = await home.run(words);
    expect([code, out]).toEqual([0, expect.stringContaining(url)]);
    note(process.ppid, 'http://localhost:3001');
    expect(await home.run(words)).toMatchObject({
      code: 2,
      err: expect.stringContaining('slipway login --local --url http://'),
    });
  });

  it.each(['http://127.0.0.1', 'http://localhost'])(
    'is found in a folder above: %s',
    async (at) => {
      const { url, shown } = await startLaptop();
      const home = openCommandHome();
      mkdirSync(join(home.path, '.slipway'));
      mkdirSync(join(home.path, 'studies'));
      writeFileSync(join(home.path, '.slipway/key'), `${key}\n`);
      vi.spyOn(process, 'cwd').mockReturnValue(join(home.path, 'studies'));
      onTestFinished(() => void vi.restoreAllMocks());
      const address = url.replace('http://127.0.0.1', at);
      expect(await home.run(['login', '--local', '--url', address])).toMatchObject({ code: 0 });
      expect(shown).toEqual([key]);
    },
  );

  it('leads to a hint if it does not fit, or cannot be read', async () => {
    const { url } = await startLaptop();
    const home = openHomeWithKey('another\n');
    const words = ['login', '--local', '--url', url, '--key-file'];
    const hint = 'slipway login --local --key-file FOLDER/.slipway/key';
    expect(await home.run([...words, home.file])).toMatchObject({
      code: 3,
      err: expect.stringMatching(`the key ${home.file} belongs to another service\\.\n.*${hint}`),
    });
    const missing = join(home.path, 'missing');
    expect(await home.run([...words, missing])).toMatchObject({
      code: 3,
      err: expect.stringMatching(`The key ${missing} cannot be read\\.\n.*${hint}`),
    });
  });

  it('is never sent to another machine', async () => {
    const asked: RequestInit[] = [];
    vi.stubGlobal('fetch', async (_: string, init: RequestInit) => {
      asked.push(init);
      return new Response('{}', { status: 401 });
    });
    onTestFinished(() => void vi.unstubAllGlobals());
    const home = openHomeWithKey(`${key}\n`);
    const url = 'https://jobs.example.org';
    await home.run(['login', '--local', '--url', url, '--key-file', home.file]);
    expect(asked.map(({ headers }) => headers)).toEqual([{ 'content-type': 'application/json' }]);
  });
});

describe('an address that is not encrypted', () => {
  const unsafe = 'http://jobs.example.org';

  it.each([
    ['login', '--url', unsafe, '--with-token'],
    ['login', '--local', '--url', unsafe],
    ['login', '--url', unsafe, '--issuer', 'https://id.example', '--client-id', 'slipway'],
    ['login', '--url', 'https://a.example', '--issuer', unsafe, '--client-id', 'slipway'],
  ])('is refused before anything is sent: %s %s %s %s', async (...words) => {
    const { code, err } = await openCommandHome().run(words);
    expect(err).toBe(
      `${unsafe} is not encrypted, so others could read your token.\n` +
        'Use https: https://jobs.example.org\n',
    );
    expect(code).toBe(2);
  });

  it('is refused in an old profile and in the environment', async () => {
    const home = openCommandHome();
    mkdirSync(join(home.path, 'slipway'));
    const profile = { url: unsafe, signIn: { kind: 'token' }, token: { access: 'a.b.c' } };
    writeFileSync(
      join(home.path, 'slipway', 'config.json'),
      JSON.stringify({ profiles: { default: profile } }),
    );
    const environment = { SLIPWAY_URL: unsafe, SLIPWAY_TOKEN: 'a.b.c' };
    for (const manner of [{}, { environment }]) {
      const { code, err } = await home.run(['status'], manner);
      expect(err).toContain(`${unsafe} is not encrypted`);
      expect(code).toBe(2);
    }
  });

  it.each(['http://127.0.0.1.example.org', 'http://localhost.example.org', 'http://10.0.0.1'])(
    'is not taken for this machine because it looks similar: %s',
    (address) => {
      expect(() => requireSafeAddress(address)).toThrow('is not encrypted');
    },
  );

  it.each(['http://localhost:3000', 'http://127.0.0.1:3000', 'http://[::1]:3000/', 'https://a.b'])(
    'is accepted on this machine; https is accepted anywhere: %s',
    (address) => {
      expect(requireSafeAddress(address)).toBe(address);
    },
  );

  it.each(['jobs.example.org', 'ftp://jobs.example.org', ''])(
    'is rejected if it is not an http(s) address: %j',
    (address) => {
      expect(() => requireSafeAddress(address)).toThrow('is not the address of a service');
    },
  );

  it('is not followed when the issuer redirects to it', async () => {
    const seen: string[] = [];
    const elsewhere = createServer((request, response) => {
      seen.push(request.url ?? '');
      response.end('{}');
    });
    await new Promise<void>((resolve) => elsewhere.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void elsewhere.close());
    const { port } = elsewhere.address() as AddressInfo;
    const target = `http://127.0.0.1:${port}/token`;
    const { url, asked } = await startIssuer(() => ({}), { redirectTo: target });
    const known = { kind: 'device', issuer: url, clientId: 'slipway', scope: 'openid' } as const;
    await expect(refreshToken(known, 'secret', 0)).rejects.toThrow('did not answer as expected');
    expect(asked).toEqual(['/.well-known/openid-configuration', '/token refresh_token']);
    expect(seen).toEqual([]);
  });

  it('is refused as an endpoint of the issuer', async () => {
    const { url, asked } = await startIssuer(() => device, { endpoints: unsafe });
    await expect(signIn(url)).rejects.toThrow(`${unsafe}/device is not encrypted`);
    expect(asked).toEqual(['/.well-known/openid-configuration']);
  });
});

describe('an issuer', () => {
  it('may be given with or without a trailing slash', async () => {
    const { url } = await startIssuer(
      (path) =>
        path.endsWith('/device') ? device : { ...granted, id_token: idToken(`${url}/realms/hpc`) },
      { realm: '/realms/hpc' },
    );
    expect((await signIn(`${url}/realms/hpc/`)).token).toEqual({ access: 'T' });
  });

  it('that sends too much is read only up to a limit', async () => {
    const { url } = await startIssuer(() => ({ device_code: 'D'.repeat(1_000_001) }));
    await expect(signIn(url)).rejects.toThrow('Its answer has more than 1000000 bytes');
  });

  it('that is down causes an error, not a new sign-in', async () => {
    const { url } = await startIssuer(() => ({}), { status: 503 });
    const known = { kind: 'device', issuer: url, clientId: 'slipway', scope: 'openid' } as const;
    await expect(refreshToken(known, 'R', 0)).rejects.toThrow('It answered 503');
  });

  it('that refuses to renew requires a new sign-in', async () => {
    const { url } = await startIssuer(() => ({ error: 'invalid_grant' }));
    const known = { kind: 'device', issuer: url, clientId: 'slipway', scope: 'openid' } as const;
    expect(await refreshToken(known, 'R', 0)).toBeUndefined();
  });
});
