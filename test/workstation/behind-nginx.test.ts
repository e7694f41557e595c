import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { chromium } from 'playwright-core';
import { describe, expect, it, onTestFinished } from 'vitest';
import { findChromium } from '../browser/find-chromium.ts';
import { projectRoot } from '../fixtures/edition.ts';
import { zipOf } from '../fixtures/zip.ts';
import { hasProxy, startWorkstation, type Workstation } from './workstation.ts';

/** Larger than one request or answer may be, so that they go through the storage. */
const zip = zipOf(12_000_000);
const large = 6_000_000;

interface Submitted {
  readonly jobId: string;
  readonly path: string;
}

/** What another person must not read, by the link to the state and by its real place. */
const secrets = [
  '.slipway/issuer-key.pem',
  'state/issuer-key.pem',
  '.slipway/data/dynamodb/table.sqlite',
  'state/data/dynamodb/table.sqlite',
  'slipway.key',
];

async function submit({ home, url, ask }: Workstation): Promise<Submitted> {
  const offered = await ask(`${url}/uploads/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ filename: 'study.zip', length: zip.length }),
  });
  expect(offered.status).toBe(201);
  const { upload_id: uploadId, address } = JSON.parse(offered.body);
  expect(address).toContain(`${url}/storage/`);
  const headers = { 'if-none-match': '*' };
  const sent = await ask(address, { method: 'PUT', headers, body: zip, signedIn: false });
  expect(sent.status).toBe(200);
  const command = [
    'echo "$SLIPWAY_JOB_ID computes"',
    ...secrets.map((file) => `cat '${join(home.path, file)}'`),
    `head -c ${large} /dev/zero > large.bin`,
  ].join('; ');
  const payload = { command, node_number: 1, core_number: 1, runtime: 0.1, title: 'first' };
  const submitted = await ask(`${url}/jobs/hpc_one/`, {
    method: 'POST',
    headers: {
      'content-disposition': 'attachment; filename=study.zip',
      payload: JSON.stringify(payload),
      'upload-id': uploadId,
    },
  });
  expect(submitted.status).toBe(201);
  expect(submitted.headers.location).toMatch(`${url}/jobs/`);
  const { job_id: jobId } = JSON.parse(submitted.body);
  return { jobId, path: `hpc_one/proj_hpc_one_01/${jobId}` };
}

if (!hasProxy) {
  process.stdout.write('A service behind nginx cannot be tried: it takes nginx and openssl.\n');
}

describe.runIf(hasProxy)('a service for a group, behind nginx', () => {
  it('takes an upload, runs the job and hands out its results, all at its public address', async () => {
    const workstation = await startWorkstation();
    const { home, url, ask, welcome } = workstation;
    expect(welcome).toContain('Jobs run in a sandbox');
    expect(welcome).toContain(`Open the console: ${url}/console/`);
    expect(welcome).not.toMatch(/eyJ|#key=/);
    const { jobId, path } = await submit(workstation);
    const readJob = async () => JSON.parse((await ask(`${url}/jobs/${path}/`)).body);
    await expect.poll(async () => (await readJob()).terminal_stage).toBe(true);
    const read = await ask(`${url}/files/${path}/stdout/`);
    expect([read.status, read.body]).toEqual([200, `${jobId} computes\n`]);
    const refused = (await ask(`${url}/files/${path}/stderr/`)).body.trim().split('\n');
    expect(refused).toEqual(secrets.map(() => expect.stringContaining('No such file')));
    for (const file of secrets) expect(existsSync(join(home.path, file)), file).toBe(true);
    const files = JSON.parse((await ask(`${url}/files/${path}/`)).body);
    const { fileid } = files.find(({ length }: { length: number }) => length === large);
    const led = await ask(`${url}/files/${path}/${encodeURIComponent(fileid)}/`);
    const address = String(led.headers.location);
    expect(led.status).toBe(303);
    expect(address).toContain(`${url}/storage/`);
    const fetched = await ask(address, { signedIn: false });
    expect([fetched.status, fetched.body.length]).toEqual([200, large]);
    const forged = address.replace('X-Amz-Signature=', 'X-Amz-Signature=0');
    expect((await ask(forged, { signedIn: false })).status).toBe(403);
  });

  it('makes no tokens, accepts only those of its issuer, and only its own name', async () => {
    const { home, url, localUrl, ask } = await startWorkstation();
    const wish = {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"user": "306328", "administrator": true}',
      signedIn: false,
    };
    expect((await ask(`${url}/local/token`, wish)).status).toBe(404);
    const local = await fetch(`${localUrl}/local/token`, wish);
    expect(local.status).toBe(404);
    expect((await ask(`${url}/quotas/`)).status).toBe(200);
    expect((await ask(`${url}/quotas/`, { signedIn: false })).status).toBe(401);
    const foreign = { headers: { host: 'evil.example' } };
    expect((await ask(`${url}/quotas/`, foreign)).status).toBe(403);
    const page = { headers: { origin: 'https://evil.example' } };
    expect((await ask(`${url}/quotas/`, page)).status).toBe(403);
    const token = [join(projectRoot, 'local/token.ts')];
    await expect(
      promisify(execFile)(process.execPath, token, { cwd: home.path }),
    ).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining('accepts no tokens made here'),
    });
  });

  it.runIf(findChromium())('signs in at the issuer, in a browser', async () => {
    const workstation = await startWorkstation();
    const { url, issuer } = workstation;
    const { jobId, path } = await submit(workstation);
    const browser = await chromium.launch({
      executablePath: findChromium() ?? '',
      args: ['--no-sandbox', '--host-resolver-rules=MAP *.example.org 127.0.0.1'],
    });
    onTestFinished(() => browser.close());
    const page = await browser.newPage({ baseURL: url, ignoreHTTPSErrors: true });
    const wrong: string[] = [];
    page.on('console', (message) => {
      if (message.type() === 'error') wrong.push(message.text());
    });
    await page.goto('/');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'Home' }).waitFor();
    expect(issuer.grants).toEqual(['authorization_code']);
    await page.goto(`/console/jobs/${path}/`);
    await page.getByRole('heading', { name: 'first' }).waitFor();
    await page.getByText(`${jobId} computes`).waitFor();
    const saving = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download stdout' }).click();
    expect((await saving).suggestedFilename()).toBe('stdout');
    expect(wrong).toEqual([]);
  });
});
