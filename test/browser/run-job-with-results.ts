import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { buildZip } from '../fixtures/build-zip.ts';
import { listAddresses } from '../slurm/batch-jobs.ts';
import { type FakeSlurmrestd, openFake } from '../slurm/fake-slurmrestd.ts';
import { pollUntil } from '../slurm/poll-until.ts';
import { Researcher } from '../slurm/researcher.ts';
import { startServiceOn } from '../slurm/service.ts';

/** Runs a job that has sent these files, on a system where jobs do so themselves. */
export async function runJobWithResults(
  files: Parameters<typeof buildZip>[0],
): Promise<{ readonly consoleUrl: string; readonly job: string }> {
  const workDirectory = mkdtempSync(join(tmpdir(), 'slipway-output-'));
  const { fake, close } = await openFake(38);
  const site = { url: fake.url, user: 'hpcuser1', token: 'good', partition: 'batch' };
  const slipway = await startServiceOn({ ...site, workDirectory });
  onTestFinished(async () => {
    await slipway.close();
    await close();
    rmSync(workDirectory, { recursive: true });
  });
  const { url, consoleUrl, issuer } = slipway.service;
  const user = '306328';
  const ada = new Researcher({ url, token: issuer.issueToken({ user }), user });
  const { path } = await ada.submit('python3 main.py');
  const results = listAddresses(await readScript(fake)).at(-1);
  const zip = buildZip(files);
  const place = await fetch(`${results}&bytes=${zip.length}`, {
    method: 'PUT',
    redirect: 'manual',
  });
  const sent = await fetch(place.headers.get('location') ?? '', {
    method: 'PUT',
    headers: { 'if-none-match': '*' },
    body: zip,
  });
  expect(sent.status).toBe(200);
  return { consoleUrl, job: path };
}

function readScript(fake: FakeSlurmrestd): Promise<string> {
  return pollUntil('Slurm has the job', 120, async () => {
    const [first] = fake.submitted();
    const script = typeof first === 'object' && first && 'script' in first ? first.script : '';
    return typeof script === 'string' && script !== '' ? script : undefined;
  });
}
