import { execFile } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { findFreePort } from '../engines/find-free-port.ts';
import { end, type Home, openHome, projectRoot } from '../fixtures/edition.ts';
import { type JobBody, submitTo } from '../fixtures/service.ts';
import { zipOf } from '../fixtures/zip.ts';
import { type JobBody as JobState, Researcher } from '../slurm/researcher.ts';

const user = '306328';

function runTool(home: Home, tool: string, ...args: string[]) {
  return promisify(execFile)(process.execPath, [join(projectRoot, 'tools', tool), ...args], {
    cwd: home.path,
    env: { PATH: process.env.PATH },
  });
}

/** Submits without a pause until it is stopped. Returns the jobs in the order of their answers. */
function keepSubmitting(url: string, token: string) {
  const jobs: JobBody[] = [];
  const stop = new AbortController();
  const body = zipOf(20_000);
  const submitAll = async () => {
    while (!stop.signal.aborted) {
      const { status, body: job } = await submitTo(url, token, { runtime: '0.1' }, {}, body);
      expect(status).toBe(201);
      jobs.push(job);
    }
  };
  const ended = Promise.all(Array.from({ length: 4 }, submitAll));
  return {
    jobs,
    async stop() {
      stop.abort();
      await ended;
    },
  };
}

async function listJobs(url: string, token: string, filter = ''): Promise<JobBody[]> {
  const jobs: JobBody[] = [];
  for (let next: string | undefined = `${url}/jobs/?limit=1000&${filter}`; next !== undefined; ) {
    const response = await fetch(next, { headers: { authorization: `Bearer ${token}` } });
    jobs.push(...JSON.parse(await response.text()));
    next = /<([^>]+)>; rel="next"/.exec(response.headers.get('link') ?? '')?.[1];
  }
  return jobs;
}

it('restores what was backed up under load, with exact accounts', async () => {
  const home = openHome();
  const settings = { SIM_HOUR_SECONDS: '5' };
  const first = await home.start(settings);
  const load = keepSubmitting(first.url, first.token);
  await expect.poll(() => load.jobs.length).toBeGreaterThan(40);
  const before = [...load.jobs];
  const folder = join(home.path, 'backup');
  const { stdout } = await runTool(home, 'backup/backup.ts', folder);
  expect(stdout).toContain(`to ${folder}\n`);
  await delay(500);
  await load.stop();
  expect(load.jobs.length).toBeGreaterThan(before.length);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  expect(existsSync(`${folder}.partial`)).toBe(false);
  await expect(runTool(home, 'backup/backup.ts', folder)).rejects.toMatchObject({
    stderr: expect.stringContaining('exists already'),
  });
  await end(first.child, 'SIGKILL');

  const restored = openHome();
  mkdirSync(join(restored.path, '.slipway'), { mode: 0o700 });
  copyFileSync(join(folder, 'issuer-key.pem'), join(restored.path, '.slipway/issuer-key.pem'));
  const second = await restored.start({ ...settings, DATA_DIR: join(folder, 'data') });
  expect(second.welcome).not.toMatch(/damaged|lost/);
  const kept = await listJobs(second.url, first.token);
  const numbers = new Set(kept.map(({ id }) => id));
  expect(before.filter(({ id }) => !numbers.has(id))).toEqual([]);

  const inputs = join(folder, 'data/files/buckets/slipway-inputs', user);
  const files = readdirSync(inputs, { recursive: true }).map(String);
  for (const { job_id: jobId } of kept) {
    expect(files.filter((name) => name.includes(jobId))).not.toEqual([]);
  }
  const next = await submitTo(second.url, first.token);
  expect(next.body.id).toBeGreaterThan(Math.max(...numbers));
  const countActive = async () =>
    (await listJobs(second.url, first.token, 'terminal=false')).length;
  await expect.poll(countActive, { interval: 500 }).toBe(0);
  const { stdout: report } = await runTool(restored, 'reconcile/reconcile.ts');
  expect(report).toMatch(/^\d+ checked, 0 wrong, 0 repaired, 0 busy\n$/);
  await end(second.child, 'SIGINT');
});

it('restores the files of jobs that ran on this machine, and ends those that are lost', async () => {
  const home = openHome();
  const port = await findFreePort();
  const first = await home.start({ SYSTEMS: 'machine', DYNAMODB_PORT: String(port) });
  const ada = new Researcher({ url: first.url, token: first.token, user });
  const ended = await ada.submit('echo result; echo 42 > answer.txt');
  const running = await ada.submit('sleep 300');
  await expect.poll(async () => (await ada.read<JobState>(ended.path)).terminal_stage).toBe(true);
  await expect.poll(async () => (await ada.read<JobState>(running.path)).stage).toBe('RUNNING');
  const folder = join(home.path, 'backup');
  // Whoever only knows the port may use the table, but not have files written.
  const answer = await fetch(`http://localhost:${port}/`, {
    method: 'POST',
    headers: {
      'content-type': 'application/x-amz-json-1.0',
      'x-amz-target': 'Slipway.Backup',
    },
    body: JSON.stringify({ file: join(home.path, 'stolen.sqlite') }),
  });
  expect([answer.status, existsSync(join(home.path, 'stolen.sqlite'))]).toEqual([400, false]);
  await runTool(home, 'backup/backup.ts', folder);
  await ada.cancel(running.path);
  // The answer does not wait for the processes, and a stopped service leaves those that still run.
  const exit = join('.slipway/data/jobs/hpc_one', running.body.job_id, 'exit.json');
  await expect.poll(() => existsSync(join(home.path, exit))).toBe(true);
  await end(first.child, 'SIGINT');

  const restored = openHome();
  mkdirSync(join(restored.path, '.slipway'), { mode: 0o700 });
  copyFileSync(join(folder, 'issuer-key.pem'), join(restored.path, '.slipway/issuer-key.pem'));
  const second = await restored.start({ SYSTEMS: 'machine', DATA_DIR: join(folder, 'data') });
  const again = new Researcher({ url: second.url, token: first.token, user });
  const files = await again.listFiles(ended.path);
  expect(files.map(({ filename }) => filename).sort()).toEqual(['answer.txt', 'stderr', 'stdout']);
  await expect
    .poll(async () => await again.read<JobState>(running.path))
    .toMatchObject({ terminal_stage: true, failed: true });
  const { stdout } = await runTool(restored, 'reconcile/reconcile.ts');
  expect(stdout).toMatch(/^\d+ checked, 0 wrong, 0 repaired, 0 busy\n$/);
  await end(second.child, 'SIGINT');
});

it('says what it needs', async () => {
  const home = openHome();
  await expect(runTool(home, 'backup/backup.ts')).rejects.toMatchObject({
    stderr: expect.stringContaining('Name the folder'),
  });
  await expect(runTool(home, 'backup/backup.ts', 'somewhere')).rejects.toMatchObject({
    stderr: expect.stringContaining('No laptop edition is running here.'),
  });
  const { child } = await home.start({ DATA_DIR: 'data' });
  await expect(runTool(home, 'backup/backup.ts', 'data/backup')).rejects.toMatchObject({
    stderr: expect.stringContaining('overlaps the data itself'),
  });
  await end(child, 'SIGINT');
});
