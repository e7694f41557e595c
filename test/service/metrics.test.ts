import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Service } from '#local/start-service.ts';
import { fetchMetrics, sumOf } from '../fixtures/metrics.ts';
import { get, submit } from '../fixtures/service.ts';

interface Job {
  readonly stage: string;
  readonly project_name: string;
}

interface Quota {
  readonly project_name: string;
  readonly usage: Record<'time' | 'space', Record<'left' | 'held' | 'used', number>>;
}

let service: Service;
let stateDirectory: string;
let token: string;
beforeAll(async () => {
  stateDirectory = mkdtempSync(join(tmpdir(), 'slipway-'));
  vi.stubEnv('SIM_HOUR_SECONDS', '2');
  const { startService } = await import('#local/start-service.ts');
  service = await startService({
    port: 0,
    dataDirectory: 'memory',
    stateDirectory,
    runsJobs: true,
    metricsPort: 0,
  });
  token = service.issuer.issueToken({ user: '306328' });
  await playStory();
});
afterAll(async () => {
  await service.close();
  vi.unstubAllEnvs();
  rmSync(stateDirectory, { recursive: true });
});

const read = () => fetchMetrics(service.metricsUrl ?? '');
const listJobs = async () => (await get<Job[]>(`${service.url}/jobs/`, token)).body;

/** Two jobs end, one is cancelled, one goes on for long, and one is refused. */
async function playStory(): Promise<void> {
  for (const wishes of [{}, {}, { runtime: '500' }, { runtime: '600' }]) {
    expect((await submit(service, token, wishes)).status).toBe(201);
  }
  const cancelled = (await submit(service, token, { runtime: '400' })).body.job_id;
  const gone = await fetch(`${service.url}/jobs/hpc_one/proj_hpc_one_01/${cancelled}/`, {
    method: 'DELETE',
    headers: { authorization: `Bearer ${token}` },
  });
  expect(gone.status).toBeLessThan(300);
  expect((await submit(service, token, { node_number: 'many' })).status).toBe(400);
  await vi.waitUntil(
    async () => (await listJobs()).filter(({ stage }) => stage === 'SUCCESSFUL').length === 2,
    { timeout: 120_000, interval: 100 },
  );
}

/** Until the figures are as new as the answers: they are read again after some seconds. */
const newly = (of: (lines: Awaited<ReturnType<typeof read>>) => unknown) =>
  expect.poll(async () => of(await read()), { interval: 500 });

describe('the figures of a service', () => {
  it('count jobs by stage as the interface lists them', async () => {
    const running = { hpc: 'hpc_one', project: 'proj_hpc_one_01', stage: 'RUNNING' };
    await newly((lines) => sumOf(lines, 'slipway_jobs', running)).toBe(2);
    const [lines, jobs] = [await read(), await listJobs()];
    for (const [stage, those] of Map.groupBy(jobs, (job) => job.stage)) {
      expect([stage, sumOf(lines, 'slipway_jobs', { stage })]).toEqual([stage, those.length]);
    }
    expect(sumOf(lines, 'slipway_jobs')).toBe(jobs.length);
  });

  it('sum up quotas as the interface tells them', async () => {
    await newly((lines) => sumOf(lines, 'slipway_job_ends_total')).toBe(3);
    const quotas = (await get<Quota[]>(`${service.url}/quotas/?expand=usage`, token)).body;
    expect(quotas.length).toBeGreaterThan(1);
    for (const { project_name: project, usage } of quotas) {
      for (const part of ['left', 'held', 'used'] as const) {
        const labels = { project, part };
        await newly((lines) => sumOf(lines, 'slipway_quota_seconds', labels)).toBe(
          usage.time[part],
        );
        await newly((lines) => sumOf(lines, 'slipway_quota_bytes', labels)).toBe(
          usage.space[part] * 1000,
        );
      }
    }
  });

  it('count what happened', async () => {
    const ended = (outcome: string) => ({ hpc: 'hpc_one', outcome });
    await newly((lines) => sumOf(lines, 'slipway_job_ends_total', ended('succeeded'))).toBe(2);
    const lines = await read();
    expect(sumOf(lines, 'slipway_job_ends_total', ended('cancelled'))).toBe(1);
    expect(sumOf(lines, 'slipway_job_wait_seconds_count', { hpc: 'hpc_one' })).toBeGreaterThan(1);
    expect(sumOf(lines, 'slipway_submissions_total')).toBe(5);
    expect(sumOf(lines, 'slipway_refusals_total')).toBe(1);
    const submissions = { function: 'submit-job' };
    expect(sumOf(lines, 'slipway_requests_total', { ...submissions, status: '2xx' })).toBe(5);
    expect(sumOf(lines, 'slipway_requests_total', { ...submissions, status: '4xx' })).toBe(1);
    expect(sumOf(lines, 'slipway_request_seconds_count', submissions)).toBe(6);
    expect(sumOf(lines, 'slipway_requests_total', { function: 'read-jobs' })).toBeGreaterThan(0);
    const tries = { hpc: 'hpc_one', call: 'submit', outcome: 'answered' };
    expect(sumOf(lines, 'slipway_system_call_seconds_count', tries)).toBeGreaterThan(3);
    const runs = { schedule: 'track-jobs', outcome: 'succeeded' };
    expect(sumOf(lines, 'slipway_schedule_runs_total', runs)).toBeGreaterThan(0);
    expect(sumOf(lines, 'slipway_events_dropped_total')).toBe(0);
  });

  it('tell how systems, queues and the table are', async () => {
    await newly((lines) => sumOf(lines, 'slipway_system_up', { hpc: 'hpc_one' })).toBe(1);
    const lines = await read();
    expect(sumOf(lines, 'slipway_breaker_open')).toBe(0);
    expect(sumOf(lines, 'slipway_due_items', { queue: 'deliveries' })).toBe(0);
    expect(sumOf(lines, 'slipway_oldest_due_seconds', { queue: 'hand-overs' })).toBeLessThan(60);
    expect(sumOf(lines, 'slipway_stream_waiting_changes')).toBeLessThan(1000);
    expect(sumOf(lines, 'slipway_table_writable')).toBe(1);
    // There is no disk.
    expect(sumOf(lines, 'slipway_table_bytes')).toBeUndefined();
  });

  it('name no user, no job and no text of a user', async () => {
    const text = await (await fetch(service.metricsUrl ?? '')).text();
    const jobs = (await get<{ job_id: string }[]>(`${service.url}/jobs/`, token)).body;
    for (const word of ['306328', 'a job title', ...jobs.map(({ job_id: id }) => id)]) {
      expect(text).not.toContain(word);
    }
  });

  it('are only for this machine, at their own port and name', async () => {
    const url = new URL(service.metricsUrl ?? '');
    expect(url.hostname).toBe('127.0.0.1');
    expect((await fetch(new URL('/', url))).status).toBe(404);
    expect((await fetch(url, { method: 'POST' })).status).toBe(404);
    expect((await fetch(`${service.url}/metrics`)).status).toBe(404);
  });
});
