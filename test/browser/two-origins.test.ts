import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { consoleFolder } from '#console/serving/console-folder.ts';
import { limitConnections, writePolicy } from '#console/serving/console-headers.ts';
import { listenOnLoopback } from '#local/loopback/listen-on-loopback.ts';
import { openHome } from '../fixtures/edition.ts';
import { dropFolder } from './drop-folder.ts';
import { startFakeIssuer } from './fake-issuer.ts';
import { findChromium } from './find-chromium.ts';
import { openConsoleAt, openContext, waitForStage } from './open-console.ts';

describe.runIf(findChromium())('a console with another origin than the API, as on AWS', () => {
  it('signs in, sends a large folder to the storage, and reads the output', async () => {
    const { consoleUrl, api, storage } = await openApart();
    const { page } = await openConsoleAt(consoleUrl);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('link', { name: 'Submit a job' }).click();
    await dropFolder(page, page.getByRole('region', { name: 'Input' }), createLargeFolder());
    await page.getByText('1 file').waitFor();
    await page.getByLabel('Command').fill('python3 main.py');
    await page.getByLabel('Title').fill('from afar');
    const upload = page.waitForRequest((request) => request.method() === 'PUT');
    const submission = page.waitForRequest((request) => request.url() === `${api}/jobs/hpc_one/`);
    await page.getByRole('button', { name: 'Submit job' }).click();
    expect(new URL((await upload).url()).origin).toBe(storage);
    await submission;
    await page.getByRole('heading', { name: 'from afar' }).waitFor();
    await waitForStage(page, 'done');
    await page.getByText('command: python3 main.py').waitFor();
  });

  it('connects only to what its page names', async () => {
    const { consoleUrl, api, storage } = await openApart();
    const { issuer: stranger } = await startFakeIssuer('');
    const page = await (await openContext()).newPage();
    await page.goto(consoleUrl);
    const call = (address: string) =>
      page.evaluate(
        (url) =>
          fetch(url, { mode: 'no-cors' }).then(
            () => 'sent',
            () => 'refused',
          ),
        address,
      );
    expect(await call(`${api}/status/`)).toBe('sent');
    expect(await call(storage)).toBe('sent');
    expect(await call(stranger)).toBe('refused');
  });
});

/** Serves the console as CloudFront does, and starts the service at another address. */
async function openApart() {
  const served = { config: {}, connectTo: [''] };
  const server = createServer((request, response) => {
    const name = (request.url ?? '').replace(/^\/console\//, '').replace(/\?.*$/, '');
    response.setHeader('content-security-policy', writePolicy(['http:']));
    response.setHeader('content-type', types[extname(name)] ?? 'image/svg+xml');
    if (name === 'config.json') response.end(JSON.stringify(served.config));
    else if (extname(name) !== '') response.end(readFileSync(join(consoleFolder, name)));
    else response.end(limitConnections(readFileSync(page, 'utf8'), served.connectTo));
  });
  const { endpoint, close } = await listenOnLoopback(server, 0);
  onTestFinished(close);
  const environment = { DATA_DIR: 'memory', SIM_HOUR_SECONDS: '20', CORS_ORIGINS: endpoint };
  const { url: api, token } = await openHome().start(environment);
  const { issuer } = await startFakeIssuer(token);
  const storage = await findStorage(api);
  served.connectTo = [api, storage, issuer];
  served.config = {
    api,
    signIn: 'oidc',
    issuer,
    clientId: 'slipway-console',
    scope: 'openid',
    token: 'access_token',
    claims: { user: 'sub', admin: ['groups'], adminValue: 'slipway-admin' },
  };
  return { consoleUrl: `${endpoint}/console/`, api, storage };
}

const page = join(consoleFolder, 'index.html');

const types: Readonly<Record<string, string>> = {
  '': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.json': 'application/json',
};

/** Reads the address of the storage from the policy of the edition's own console. */
async function findStorage(api: string): Promise<string> {
  const { headers } = await fetch(`${api}/console/`);
  const policy = headers.get('content-security-policy') ?? '';
  return /connect-src 'self' (\S+?);/.exec(policy)?.[1] ?? '';
}

/** Creates an input that is too large for one request. */
function createLargeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'slipway-large-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'main.py'), randomBytes(8_000_000));
  return folder;
}
