import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openReceiver } from '#client/src/cli/sign-in/receive-redirect.ts';
import { loopbackPorts } from '#client/src/sign-in/loopback.ts';
import { listenOnLoopback } from '#local/loopback/listen-on-loopback.ts';
import { type FakeIssuer, startFakeIssuer } from '../../browser/fake-issuer.ts';
import { openCommandHome } from '../fixtures/command-host.ts';

interface Told {
  /** Changes the document of the service. */
  readonly document?: object;
  readonly status?: number;
}

/** A service that says where its users sign in, and has no jobs. Notes the tokens that it gets. */
async function startService(fake: FakeIssuer, { document = {}, status = 200 }: Told = {}) {
  const tokens: string[] = [];
  const server = createServer((request, response) => {
    const isDocument = request.url === '/.well-known/oauth-protected-resource';
    if (!isDocument) tokens.push(request.headers.authorization ?? '');
    response.writeHead(isDocument ? status : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(isDocument ? { ...describeSignIn(), ...document } : []));
  });
  const describeSignIn = () => ({
    resource: endpoint,
    authorization_servers: [fake.issuer],
    slipway_sign_in: {
      kind: 'issuer',
      client_id: 'slipway',
      scope: 'openid',
      token: 'id_token',
      redirect_host: 'localhost',
    },
  });
  const { endpoint, close } = await listenOnLoopback(server, 0);
  onTestFinished(close);
  return { url: endpoint, tokens };
}

const terminal = { columns: 100 };

describe('signing in at a service of which only the address is known', () => {
  it('finds the issuer, and is finished by a browser on this machine', async () => {
    const fake = await startFakeIssuer('A');
    const { url, tokens } = await startService(fake);
    const home = openCommandHome();
    const opened: string[] = [];
    const pages: Promise<string>[] = [];
    const ran = await home.run(['login', '--url', url], {
      ...terminal,
      openPage: (address) => {
        opened.push(address);
        pages.push(fetch(address).then((page) => page.text()));
      },
    });
    expect(ran).toMatchObject({ code: 0, out: `Signed in at ${url}.\n` });
    expect(ran.err).toContain(`Sign in with a browser on this machine:\n${opened[0]}\n`);
    expect(await pages[0]).toContain('You can close this tab');
    const asked = new URL(opened[0] ?? '').searchParams;
    expect(Object.fromEntries(asked)).toMatchObject({
      response_type: 'code',
      client_id: 'slipway',
      scope: 'openid',
      code_challenge_method: 'S256',
      redirect_uri: expect.stringMatching(/^http:\/\/localhost:\d+\/callback$/),
    });
    const file = join(home.path, 'slipway', 'config.json');
    const { signIn, token } = JSON.parse(readFileSync(file, 'utf8')).profiles.default;
    expect(signIn).toEqual({
      kind: 'device',
      issuer: fake.issuer,
      clientId: 'slipway',
      scope: 'openid',
      token: 'id_token',
      redirectHost: 'localhost',
    });
    // The service accepts the ID token here, not the access token.
    expect(token.access).toMatch(/^ey.+\..+\.x$/);
    expect(await home.run(['jobs', '--json'])).toMatchObject({ code: 0 });
    expect(tokens).toEqual([`Bearer ${token.access}`]);
  });

  it.each([
    { what: 'an issuer and a client that are given', words: ['--client-id', 'mine'] },
    { what: 'scopes that are given', words: ['--scope', 'openid other'] },
  ])('prefers $what', async ({ words }) => {
    const fake = await startFakeIssuer('A');
    const { url } = await startService(fake);
    let asked = '';
    await openCommandHome().run(['login', '--url', url, ...words], {
      ...terminal,
      openPage: (address) => {
        asked = address;
        void fetch(address);
      },
    });
    expect([...new URL(asked).searchParams.values()]).toContain(words[1]);
  });

  it('leads to the local sign-in of a laptop edition', async () => {
    const fake = await startFakeIssuer('A');
    const { url } = await startService(fake, { document: { slipway_sign_in: { kind: 'local' } } });
    expect(await openCommandHome().run(['login', '--url', url])).toMatchObject({
      code: 2,
      err: `The service at ${url} is a laptop edition, which signs you in itself.\nslipway login --local --url ${url}\n`,
    });
  });

  it('is refused if the service calls itself by another address', async () => {
    const fake = await startFakeIssuer('A');
    const document = { resource: 'https://jobs.example.org' };
    const { url } = await startService(fake, { document });
    expect(await openCommandHome().run(['login', '--url', url])).toMatchObject({
      code: 2,
      err: expect.stringContaining('says that its address is https://jobs.example.org.'),
    });
    expect(fake.grants).toEqual([]);
  });

  it('needs a client id if the service names none', async () => {
    const fake = await startFakeIssuer('A');
    const how = { kind: 'issuer', scope: 'openid', token: 'access_token' };
    const { url } = await startService(fake, { document: { slipway_sign_in: how } });
    const { code, err } = await openCommandHome().run(['login', '--url', url]);
    expect(code).toBe(2);
    expect(err).toContain(`slipway login --url ${url} --client-id ID`);
  });

  it('says what is missing if the service has no such document', async () => {
    const fake = await startFakeIssuer('A');
    const { url } = await startService(fake, { status: 404 });
    const { code, err } = await openCommandHome().run(['login', '--url', url]);
    expect(code).toBe(2);
    expect(err).toContain('--issuer URL --client-id ID');
  });

  it('ends with Ctrl-C', async () => {
    const fake = await startFakeIssuer('A');
    const { url } = await startService(fake);
    const ran = await openCommandHome().run(['login', '--url', url], {
      ...terminal,
      interruptAt: /Sign in with a browser/,
    });
    expect(ran.code).toBe(130);
    expect(fake.grants).toEqual([]);
  });

  it('fails if the ID token belongs to another sign-in', async () => {
    const fake = await startFakeIssuer('A');
    fake.foreignNonce = 'another';
    const { url } = await startService(fake);
    const ran = await openCommandHome().run(['login', '--url', url], {
      ...terminal,
      openPage: (address) => void fetch(address),
    });
    expect(ran).toMatchObject({
      code: 3,
      err: expect.stringContaining('The ID token is not for this sign-in.'),
    });
  });
});

describe('the redirect of the browser', () => {
  const never = new AbortController().signal;

  async function open() {
    const receiver = await openReceiver();
    onTestFinished(() => receiver.close());
    return receiver;
  }

  it('is accepted once, and only with the state of the attempt', async () => {
    const receiver = await open();
    const received = receiver.receive('ours', never);
    for (const wrong of [
      '/callback?state=other&error=access_denied',
      '/?state=ours',
      '//',
      '/callback',
    ]) {
      const { origin } = new URL(receiver.address);
      expect((await fetch(`${origin}${wrong}`)).status).toBe(404);
    }
    expect((await fetch(`${receiver.address}?state=ours`, { method: 'POST' })).status).toBe(404);
    const page = await fetch(`${receiver.address}?state=ours&code=<b>c`);
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(await page.text()).not.toContain('<b>');
    expect((await received).get('code')).toBe('<b>c');
  });

  it('is received at the next port if one is in use', async () => {
    const first = await open();
    const second = await open();
    expect(second.port).not.toBe(first.port);
    expect(loopbackPorts).toContain(second.port);
  });

  it('cannot be received if all ports are in use', async () => {
    const { port } = await open();
    await expect(openReceiver('127.0.0.1', [port])).rejects.toThrow(`Other programs use the ports`);
  });
});
