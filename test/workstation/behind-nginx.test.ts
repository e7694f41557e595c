import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { chromium } from 'playwright-core';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openObjectStore } from '#lib/files/storage/object-store.ts';
import { openIssuer } from '#local/issuer.ts';
import { findChromium } from '../browser/find-chromium.ts';
import { projectRoot } from '../fixtures/edition.ts';
import { zipOf } from '../fixtures/zip.ts';
import { hasProxy, startWorkstation, type Workstation } from './workstation.ts';

/** Larger than one request may be, so that it must be uploaded to the storage. */
const zip = zipOf(12_000_000);

interface Submitted {
  readonly jobId: string;
  readonly uploadId: string;
  readonly path: string;
}

async function submit({ url, ask }: Workstation): Promise<Submitted> {
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
  const payload = { command: 'ls', node_number: 1, core_number: 1, runtime: 0.1, title: 'first' };
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
  return { jobId, uploadId, path: `hpc_one/proj_hpc_one_01/${jobId}` };
}

/** Signs the address of an input, as the service does for large results. */
function signAddress({ home, url }: Workstation, key: string): Promise<string> {
  const inputs = openObjectStore('slipway-inputs', {
    AWS_REGION: 'eu-central-1',
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: openIssuer(join(home.path, '.slipway')).storageSecret,
    AWS_ENDPOINT_URL_S3: `${url}/storage`,
  });
  return inputs.addressToRead(key, { expiresInSeconds: 60 });
}

describe.runIf(hasProxy)('a service for a group, behind nginx', () => {
  it('takes an upload, runs the job and hands out its results, all at its public address', async () => {
    const workstation = await startWorkstation();
    const { url, ask, welcome } = workstation;
    expect(welcome).toContain(`Open the console: ${url}/console/`);
    expect(welcome).not.toMatch(/eyJ|#key=/);
    const { path, uploadId } = await submit(workstation);
    const readJob = async () => JSON.parse((await ask(`${url}/jobs/${path}/`)).body);
    await expect.poll(async () => (await readJob()).terminal_stage).toBe(true);
    const read = await ask(`${url}/files/${path}/stdout/`);
    expect(read.status).toBe(200);
    expect(read.body).toContain('command: ls');
    const address = await signAddress(workstation, `306328/uploads/${uploadId}.zip`);
    const input = await ask(address, { signedIn: false });
    expect(input.status).toBe(200);
    expect(input.body).toHaveLength(zip.length);
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
    await page.getByText('command: ls').waitFor();
    expect(await page.content()).toContain(jobId.slice(0, 8));
    const saving = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download stdout' }).click();
    expect((await saving).suggestedFilename()).toBe('stdout');
    expect(wrong).toEqual([]);
  });
});
