import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildZip } from '../fixtures/build-zip.ts';
import { pollUntil } from '../slurm/poll-until.ts';
import { type JobBody, Researcher, type Wishes } from '../slurm/researcher.ts';
import { Caller } from './caller.ts';
import { canStartUnicore } from './jars.ts';
import { startUnicore, type Unicore } from './server.ts';
import { type ServiceOnUnicore, startServiceOn } from './service.ts';

/** As long as a batch system took to make a directory. */
const storageDelayMs = 1500;
const count = 30;

describe.runIf(await canStartUnicore())('the service before a real UNICORE/X', () => {
  let unicore: Unicore;
  let slipway: ServiceOnUnicore;
  let ada: Researcher;
  beforeAll(async () => {
    unicore = await startUnicore({ storageDelayMs, jobLimit: 40 });
    // Makes this process trust the server.
    new Caller(unicore);
    slipway = await startServiceOn(unicore);
    const { url, issuer } = slipway.service;
    ada = new Researcher({ url, token: issuer.issueToken({ user: '4711' }), user: '4711' });
  }, 900_000);
  afterAll(async () => {
    await slipway?.close();
    await unicore?.close();
  }, 60_000);

  const ledger = '/quotas/hpc_one/proj_hpc_one_01/ledger/';

  async function readCharges(): Promise<ReadonlyMap<string, number>> {
    const lines = await ada.read<{ kind: string; job_id?: string }[]>(ledger);
    const settled = new Set(
      lines.flatMap(({ kind, job_id }) => (kind === 'settle' ? [job_id] : [])),
    );
    const sums = await ada.read<{ job_id: string; used: { time: number } }[]>(`${ledger}?sum=job`);
    return new Map(
      sums.flatMap(({ job_id, used }) => (settled.has(job_id) ? [[job_id, used.time]] : [])),
    );
  }

  const waitForCharge = (jobId: string) =>
    pollUntil('the job is settled', 60, async () => (await readCharges()).get(jobId));

  const submit = (command: string, wishes: Wishes = {}) => ada.submit(command, wishes);

  /** The calls since a moment, each by its method and the kind of its place. */
  function countCalls(from: number): Record<string, number> {
    const names = unicore.requests.slice(from).map(({ method, path }) => {
      const place = (path.split('?')[0] ?? '')
        .replace('/rest/core', '')
        .replace(/\/(jobs|storages)\/[\w-]+/, '/$1/ID')
        .replace(/\/files\/.*/, '/files/...');
      return `${method} ${place === '' ? '/' : place}`;
    });
    const counts = Object.groupBy(names, (name) => name);
    return Object.fromEntries(
      Object.entries(counts).map(([name, calls = []]) => [name, calls.length]),
    );
  }

  it('asks an idle server about once a minute', async () => {
    await sleep(2000);
    const from = unicore.requests.length;
    await sleep(60_000);
    const calls = countCalls(from);
    process.stdout.write(`Idle for a minute: ${JSON.stringify(calls)}\n`);
    expect(Object.keys(calls)).toEqual(['GET /']);
    expect(calls['GET /']).toBeLessThanOrEqual(2);
  });

  it(`gets ${count} jobs with zips through at once, charges what ran, and leaves nothing`, async () => {
    const from = unicore.requests.length;
    const began = Date.now();
    const jobs = await Promise.all(
      Array.from({ length: count }, async (_, at) => {
        const sleeps = 2 + (at % 5);
        const zip = buildZip([{ name: 'data/in.txt', content: `input ${at}\n` }]);
        const command = `date +%s.%N >began; cat data/in.txt; sleep ${sleeps}; date +%s.%N >ended`;
        const { path, body } = await submit(command, { zip });
        return { at, path, jobId: body.job_id };
      }),
    );
    const ended = await Promise.all(jobs.map(({ path }) => ada.waitForEnd(path, 240)));
    const took = Math.round((Date.now() - began) / 1000);
    expect(ended.filter(({ failed }) => failed)).toEqual([]);
    const calls = countCalls(from);
    const total = Object.values(calls).reduce((sum, each) => sum + each, 0);
    process.stdout.write(
      `${count} jobs with zips took ${took} s and ${(total / count).toFixed(1)} calls each: ${JSON.stringify(calls)}\n`,
    );
    // No upload failed: each job has one.
    const uploads = unicore.requests.slice(from).filter(({ method }) => method === 'PUT');
    expect(uploads).toHaveLength(count);
    for (const { path } of jobs) {
      const { tries } = await ada.readTimeline(path);
      expect(tries.at(-1)).toMatchObject({ accepted: true });
    }
    const charges = await readCharges();
    const read = async (path: string, name: string) => {
      const files = await ada.listFiles(path);
      const file = files.find(({ filename }) => filename === name);
      return (await ada.fetchFile(path, file?.fileid ?? '')).toString();
    };
    const rows = await Promise.all(
      jobs.map(async ({ at, path, jobId }) => {
        const ran = Number(await read(path, 'ended')) - Number(await read(path, 'began'));
        expect(await read(path, 'stdout')).toBe(`input ${at}\n`);
        return { job: at, ran: Number(ran.toFixed(1)), charged: charges.get(jobId) ?? Number.NaN };
      }),
    );
    process.stdout.write(`job  ran  charged\n`);
    for (const { job, ran, charged } of rows) {
      process.stdout.write(
        `${String(job).padStart(3)} ${ran.toFixed(1).padStart(4)} ${String(charged).padStart(4)}\n`,
      );
    }
    for (const { ran, charged } of rows) expect(Math.abs(charged - ran)).toBeLessThan(2);
    await Promise.all(jobs.map(({ path }) => ada.cancel(path)));
    await pollUntil('nothing is left on the server', 120, async () => {
      return (await unicore.listJobDirectories()).length === 0 || undefined;
    });
  });

  it('has one call for the hand-over of a job without input', async () => {
    const from = unicore.requests.length;
    const { path, body } = await submit('sleep 3; echo "it\'s" $((1 + 1)) `echo tick`; exit 3');
    expect(await ada.waitForEnd(path)).toMatchObject({ failed: true, stage: 'FAILED' });
    const calls = countCalls(from);
    process.stdout.write(`A job without input: ${JSON.stringify(calls)}\n`);
    expect(calls['POST /jobs']).toBe(1);
    expect(calls['GET /jobs']).toBeUndefined();
    expect((await ada.readTimeline(path)).reason).toBe('The command ended with exit code 3.');
    expect(await waitForCharge(body.job_id)).toBeLessThan(6);
    const files = await ada.listFiles(path);
    expect(files.map(({ filename }) => filename)).toEqual(['stderr', 'stdout']);
    const stdout = files.find(({ filename }) => filename === 'stdout');
    const text = (await ada.fetchFile(path, stdout?.fileid ?? '')).toString();
    expect(text).toBe("it's 2 tick\n");
    await ada.cancel(path);
    await waitUntilEmpty();
  });

  const waitUntilEmpty = () =>
    pollUntil('nothing is left on the server', 120, async () => {
      return (await unicore.listJobDirectories()).length === 0 || undefined;
    });

  it('aborts and removes a job that is cancelled during its hand-over', async () => {
    const zip = buildZip([{ name: 'in.txt', content: 'x' }]);
    const { path, body } = await submit('sleep 60', { zip });
    // The job is there, and its directory is not.
    await pollUntil('the server has the job', 30, async () => {
      return (await unicore.listJobDirectories()).length > 0 || undefined;
    });
    await ada.cancel(path);
    expect(await waitForCharge(body.job_id)).toBe(0);
    await waitUntilEmpty();
    expect(await ada.read<JobBody>(path)).toMatchObject({ stage: 'CANCELED' });
  });

  it('charges a cancelled job for the time until its abort, and keeps its files', async () => {
    const { path, body } = await submit('echo begun; sleep 20');
    await ada.waitForStage(path, 'RUNNING');
    await sleep(5000);
    const [id = ''] = await unicore.listJobDirectories();
    const note = readFileSync(join(unicore.directoryOf(id), 'slipway.runs'), 'utf8');
    const began = Number(/^began 1 (\d+)/.exec(note)?.[1]);
    await ada.cancel(path);
    const expected = Date.now() / 1000 - began;
    const charged = await waitForCharge(body.job_id);
    process.stdout.write(`Cancelled after ${expected.toFixed(1)} s: charged ${charged}\n`);
    expect(Math.abs(charged - expected)).toBeLessThan(3);
    const files = await ada.listFiles(path);
    expect(files.map(({ filename }) => filename)).toContain('stdout');
    await ada.cancel(`${path}?only=delete`);
    await waitUntilEmpty();
  });
});
