import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { catalog, findSystem } from '#lib/catalog/catalog.ts';
import type { UserId } from '#lib/catalog/identifiers.ts';
import type { SlipwayEvent } from '#lib/events/event.ts';
import { grantQuota } from '#lib/quotas/grants/grant-quota.ts';
import { welcomeUser } from '#lib/quotas/welcome.ts';
import { openTable } from '#lib/table/table.ts';
import { type Service, startService } from '#local/start-service.ts';
import type { BusEvent } from '#local/stream/put-events.ts';
import { userId } from '#test/fixtures/names.ts';
import { jobFixture, putJobs } from '../fixtures/jobs.ts';
import { get, submit } from '../fixtures/service.ts';

const deadlineMs = 120_000;

let directory: string;
let service: Service;
const arrived: BusEvent[] = [];
beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'slipway-'));
  // An hour of a job takes a fiftieth of a second.
  process.env.SIM_HOUR_SECONDS = '0.02';
  service = await startService({
    port: 0,
    dataDirectory: 'memory',
    stateDirectory: directory,
    runsJobs: true,
    onEvents: (events) => arrived.push(...events),
  });
});
afterAll(async () => {
  await service.close();
  rmSync(directory, { recursive: true });
});

type Detail = Omit<SlipwayEvent, 'at'> & { readonly at: string };

function eventsOf(owner: UserId): Detail[] {
  return arrived.map(({ detail }): Detail => Object(detail)).filter((each) => each.owner === owner);
}

describe('events of the whole service', () => {
  it('follow a job from its submission to its end, and to its deletion', async () => {
    const token = service.issuer.issueToken({ user: userId('4001') });
    const { body: job } = await submit(service, token);
    await expect
      .poll(() => eventsOf(userId('4001')).at(-1)?.type, { timeout: deadlineMs, interval: 50 })
      .toBe('job.ended');

    const [joined = [], events = []] = [/^member/, /^job/].map((kind) =>
      eventsOf(userId('4001')).filter(({ type }) => kind.test(type)),
    );
    expect(joined.map(({ data }) => data.project_hpc)).toEqual(['HPC_ONE', 'HPC_TWO']);
    expect(events[0]).toMatchObject({ type: 'job.submitted', data: job });
    const changes = events.filter(({ type }) => type === 'job.stage-changed');
    // Each begins where the one before it ended.
    const path = ['QUEUED', ...changes.map(({ data }) => data.stage)];
    expect(changes.map(({ data }) => data.previous_stage)).toEqual(path.slice(0, -1));
    expect(path.at(-1)).toBe('SUCCESSFUL');
    expect(new Set(events.map(({ id }) => id)).size).toBe(events.length);

    const url = `${service.url}/jobs/hpc_one/proj_hpc_one_01/${job.job_id}/`;
    const { body: ended } = await get(url, token);
    expect(events.at(-1)?.data).toEqual(ended);

    await fetch(url, { method: 'DELETE', headers: { authorization: `Bearer ${token}` } });
    const stages = () => eventsOf(userId('4001')).map(({ type, data }) => `${type} ${data.stage}`);
    await expect
      .poll(() => stages().at(-1), { timeout: deadlineMs, interval: 20 })
      .toBe('job.stage-changed DELETED');
    expect(stages().filter((each) => each.startsWith('job.ended'))).toHaveLength(1);
    const told = arrived.filter(({ source }) => source === 'slipway');
    expect(told.every((event) => event['detail-type'] === Object(event.detail).type)).toBe(true);
  });

  it('tell of a maintenance, and of its end by the sweep', async () => {
    const token = service.issuer.issueToken({ user: userId('4009'), administrator: true });
    const until = new Date(Date.now() + 3000).toISOString();
    const response = await fetch(`${service.url}/admin/systems/hpc_two/maintenance/short/`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ from: '2026-01-01', until, reason: 'It is short.' }),
    });
    const { body: status } = await get(`${service.url}/status/`, token);
    expect(Object(status).systems[1]).toMatchObject({ name: 'hpc_two', status: 'closed' });
    const window = { hpc: 'hpc_two', project_hpc: 'HPC_TWO', ...Object(await response.json()) };
    const told = () =>
      arrived
        .filter(({ source }) => source === 'slipway')
        .map(({ detail }): Detail => Object(detail))
        .filter(({ type }) => type.startsWith('system.'))
        .map(({ type, owner, data }) => ({ type, owner, data }));
    const expected = ['announced', 'ended'].map((happened) => ({
      type: `system.maintenance-${happened}`,
      owner: undefined,
      data: window,
    }));
    await expect.poll(told, { timeout: deadlineMs, interval: 100 }).toEqual(expected);
  });

  it('let the end of a job be counted a moment later, once, and a deleted one stay', async () => {
    const user = userId('4005');
    const token = service.issuer.issueToken({ user });
    const { body: ran } = await submit(service, token);
    const { body: cancelled } = await submit(service, token, { title: 'sim:slow', runtime: '24' });
    const headers = { authorization: `Bearer ${token}` };
    const drop = ({ job_id }: { job_id: string }) =>
      fetch(`${service.url}/jobs/hpc_one/proj_hpc_one_01/${job_id}/`, {
        method: 'DELETE',
        headers,
      });
    await drop(cancelled);
    const usage = async () =>
      (await get<Record<string, unknown>[]>(`${service.url}/usage/`, token)).body;
    await expect
      .poll(usage, { timeout: deadlineMs, interval: 50 })
      .toMatchObject([{ project_name: 'proj_hpc_one_01', jobs_ended: 2, jobs_cancelled: 1 }]);
    await drop(ran);
    const quotas = await get<object[]>(`${service.url}/quotas/?expand=usage`, token);
    const [row] = await usage();
    expect(quotas.body[0]).toMatchObject({ usage: { time: { used: row?.time_used, held: 0 } } });
    expect(row?.time_used).toBeGreaterThan(0);
    const told = arrived.filter(({ source }) => source === 'slipway.ends');
    expect(JSON.stringify(told)).toContain(ran.job_id);
  });

  it('tell of a quota that gets low', async () => {
    const token = service.issuer.issueToken({ user: userId('4002') });
    // 200 nodes for a day: of the welcome quota 4 percent are left.
    const { status } = await submit(service, token, { node_number: '200', runtime: '24' });
    expect(status).toBe(201);
    const lows = () => eventsOf(userId('4002')).filter(({ type }) => type === 'quota.low');
    await expect.poll(() => lows().length, { timeout: deadlineMs, interval: 20 }).toBe(1);
    expect(lows()[0]?.data).toMatchObject({
      resource: 'time',
      threshold_percent: 10,
      granted: 18_000_000,
      time_left: 720_000,
      user: userId('4002'),
    });
  });

  it('tell of a quota that ends, once for each warning', async () => {
    const table = openTable('slipway');
    const day = 24 * 3600 * 1000;
    // A moment ago it had a day and a moment left.
    const at = new Date(Date.now() - 2000);
    const validUntil = new Date(at.getTime() + day + 1000);
    const [project] = findSystem(catalog, 'hpc_one').projects;
    const order = { user: userId('4004'), project, reason: 'a test', by: '100001' };
    await welcomeUser(table, catalog, userId('4004'));
    await grantQuota(table, catalog, { ...order, change: { validUntil } }, at);
    table.client.destroy();
    const told = () => eventsOf(userId('4004')).filter(({ type }) => type === 'quota.expiring');
    await expect.poll(() => told().length, { timeout: deadlineMs, interval: 20 }).toBe(1);
    expect(told()[0]?.data).toMatchObject({
      project_name: 'proj_hpc_one_01',
      valid_until: `${validUntil.toISOString().slice(0, 19)}Z`,
      days_left: 1,
    });
  });

  it('are all told before the service ends', async () => {
    const table = openTable('slipway');
    const jobs = Array.from({ length: 25 }, (_, n) => ({
      ...jobFixture(userId('4003'), n + 1),
      stage: 'RUNNING',
      terminal: false,
      endedAt: null,
    }));
    await putJobs(table, jobs);
    table.client.destroy();
    await service.close();
    const submitted = eventsOf(userId('4003')).filter(({ type }) => type === 'job.submitted');
    expect(submitted).toHaveLength(25);
  });
});
