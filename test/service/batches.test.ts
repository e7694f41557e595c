import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Service } from '#local/start-service.ts';
import '#test/fixtures/captured-log.ts';
import { userId } from '#test/fixtures/names.ts';
import { buildZip } from '../fixtures/build-zip.ts';
import { comeAgain } from '../fixtures/come-again.ts';
import { pollUntil } from '../slurm/poll-until.ts';

const deadlineSeconds = 120;

interface BatchBody {
  readonly batch_id: string;
  readonly count: number;
  readonly counts: Readonly<Record<string, number>>;
  readonly held: { readonly time: number; readonly space: number };
  readonly used: { readonly time: number };
  readonly end_date: string | null;
}

interface JobBody {
  readonly batch: string;
  readonly index: number;
  readonly title: string;
  readonly failed: boolean;
  readonly stage: string;
}

/** The batches of users on the simulators of the laptop edition, over HTTP. */
describe('a batch over HTTP', () => {
  let directory: string;
  let service: Service;
  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), 'slipway-'));
    vi.stubEnv('SIM_HOUR_SECONDS', '1');
    const { startService } = await import('#local/start-service.ts');
    service = await startService({
      port: 0,
      dataDirectory: 'memory',
      stateDirectory: directory,
      runsJobs: true,
    });
  });
  afterAll(async () => {
    await service.close();
    vi.unstubAllEnvs();
    rmSync(directory, { recursive: true });
  });

  const place = '/batches/hpc_one/proj_hpc_one_01/';
  const shared = { command: 'echo {index}', node_number: 1, core_number: 1, runtime: 0.5 };

  /** Each test has a user of its own, so that accounts can be compared. */
  function openUser(number: string) {
    const authorization = `Bearer ${service.issuer.issueToken({ user: userId(number) })}`;
    const call = async (method: string, path: string, more: RequestInit = {}) => {
      const headers = {
        authorization,
        ...(method === 'POST' && { 'idempotency-key': randomUUID() }),
        ...Object(more.headers),
      };
      const response = await comeAgain(() =>
        fetch(`${service.url}${path}`, { method, ...more, headers }),
      );
      return { status: response.status, body: JSON.parse(await response.text()) };
    };
    const submit = (fields: object, zip?: Uint8Array<ArrayBuffer>, query = '') =>
      call('POST', `/batches/hpc_one/${query}`, {
        headers: {
          'content-disposition': 'attachment; filename=in.zip',
          payload: JSON.stringify({ ...shared, ...fields }),
          ...(zip && { 'content-type': 'application/zip' }),
        },
        ...(zip && { body: zip }),
      });
    const read = async <Body>(path: string): Promise<Body> => (await call('GET', path)).body;
    const readBatch = (id: string) => read<BatchBody>(`${place}${id}/`);
    const readUsage = async () => {
      const { body } = await call('GET', '/quotas/hpc_one/proj_hpc_one_01/?expand=usage');
      return body.usage;
    };
    const waitForEnd = (id: string) =>
      pollUntil(`batch ${id} ends`, deadlineSeconds, async () => {
        const batch = await readBatch(id);
        return batch.end_date === null ? undefined : batch;
      });
    return { call, submit, read, readBatch, readUsage, waitForEnd };
  }

  const table = (text: string) => new Uint8Array(buildZip([{ name: 'p.csv', content: text }]));

  it.concurrent('runs a row of its table each, and settles each share', async () => {
    const ada = openUser('501');
    const zip = table('alpha,word\n0.1,good\n0.2,sim:fail\n0.3,good\n');
    const asked = { table: 'p.csv', title: '{word} {alpha}' };
    const price = await ada.submit(asked, zip, '?dry_run=true');
    expect(price.body).toMatchObject({ count: 3, held: { time: 3 * 1800 } });
    expect(price.body.preview[1]).toEqual({ index: 1, program: 'echo 1', title: 'sim:fail 0.2' });
    const { status, body } = await ada.submit(asked, zip);
    expect(status).toBe(201);
    expect(body).toMatchObject({ count: 3, counts: { waiting: 3 }, held: { time: 5400 } });
    const ended = await ada.waitForEnd(body.batch_id);
    expect(ended.counts).toEqual({ waiting: 0, running: 0, done: 2, failed: 1, cancelled: 0 });
    expect(ended.held.time).toBe(0);
    const jobs = await ada.read<JobBody[]>(`/jobs/?batch=${body.batch_id}`);
    expect(jobs.map(({ index, title, failed }) => [index, title, failed])).toEqual([
      [0, 'good 0.1', false],
      [1, 'sim:fail 0.2', true],
      [2, 'good 0.3', false],
    ]);
    const { time, living_jobs: active } = await ada.readUsage();
    expect({ held: time.held, used: time.used, active }).toEqual({
      held: 0,
      used: ended.used.time,
      active: 0,
    });
    const again = await ada.call('POST', `${place}${body.batch_id}/failed/`);
    expect(again).toMatchObject({ status: 201, body: { count: 1 } });
    const repeated = await ada.waitForEnd(again.body.batch_id);
    expect(repeated.counts.failed).toBe(1);
    const [job] = await ada.read<JobBody[]>(`/jobs/?batch=${again.body.batch_id}`);
    expect(job).toMatchObject({ index: 1, title: 'sim:fail 0.2' });
    expect(await ada.read<BatchBody[]>('/batches/')).toMatchObject([
      { batch_id: again.body.batch_id },
      { batch_id: body.batch_id },
    ]);
  });

  it.concurrent('runs no more jobs at once than it may', async () => {
    const ada = openUser('502');
    const asked = { count: 6, max_running: 2, title: 'sim:full' };
    const { body } = await ada.submit(asked);
    const most: number[] = [];
    await pollUntil('all have ended', deadlineSeconds, async () => {
      const { counts, end_date: end } = await ada.readBatch(body.batch_id);
      most.push(counts.running ?? 0);
      return end === null ? undefined : true;
    });
    expect(Math.max(...most)).toBeLessThanOrEqual(2);
    expect((await ada.readBatch(body.batch_id)).counts.done).toBe(6);
  });

  it.concurrent('gives everything back once when it is cancelled, and once more nothing', async () => {
    const ada = openUser('503');
    const { body } = await ada.submit({
      count: 100,
      max_running: 1,
      runtime: 2,
      title: 'sim:full',
    });
    const path = `${place}${body.batch_id}/`;
    const first = await ada.call('DELETE', path);
    expect(first.status).toBe(200);
    const ended = await ada.waitForEnd(body.batch_id);
    expect(ended.counts.cancelled).toBeGreaterThan(90);
    const usage = await pollUntil('all is given back', deadlineSeconds, async () => {
      const { time, living_jobs: active } = await ada.readUsage();
      return active === 0 && time.held === 0 ? time : undefined;
    });
    expect(usage.left + usage.used).toBe(usage.granted);
    expect((await ada.call('DELETE', `${path}?only=cancel`)).body.counts).toEqual(ended.counts);
    expect(await ada.readUsage()).toMatchObject({ time: usage });
  });

  it.concurrent('names every mistake of a table with its line, and stores nothing', async () => {
    const ada = openUser('504');
    const { status, body } = await ada.submit({ table: 'p.csv' }, table('a,b\n1,2\n3\n4,5,6\n'));
    expect(status).toBe(400);
    expect(body.errors.map(({ name }: { name: string }) => name)).toEqual(['p.csv:3', 'p.csv:4']);
    expect(await ada.read<BatchBody[]>('/batches/')).toEqual([]);
  });

  it.concurrent('is nobody else’s', async () => {
    const ada = openUser('505');
    const { body } = await ada.submit({ count: 2 });
    const eve = openUser('506');
    for (const [method, path] of [
      ['GET', `${place}${body.batch_id}/`],
      ['DELETE', `${place}${body.batch_id}/`],
      ['POST', `${place}${body.batch_id}/failed/`],
      ['GET', `/jobs/?batch=${body.batch_id}`],
    ] as const) {
      expect(await eve.call(method, path)).toMatchObject({ status: 404 });
    }
    expect((await ada.waitForEnd(body.batch_id)).counts.done).toBe(2);
    const deleted = await ada.call('DELETE', `${place}${body.batch_id}/`);
    expect(deleted.status).toBe(200);
    await pollUntil('its jobs are deleted', deadlineSeconds, async () => {
      const jobs = await ada.read<JobBody[]>(`/jobs/?batch=${body.batch_id}`);
      return jobs.every(({ stage }) => stage === 'DELETED') ? true : undefined;
    });
  });
});
