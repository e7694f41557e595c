import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Service } from '#local/start-service.ts';
import '#test/fixtures/captured-log.ts';
import { userId } from '#test/fixtures/names.ts';
import { pollUntil } from '../slurm/poll-until.ts';

const deadlineSeconds = 120;

interface JobBody {
  readonly job_id: string;
  readonly stage: string;
  readonly failed: boolean;
  readonly terminal_stage: boolean;
}

interface TimelineBody {
  readonly reason: string | null;
  readonly after?: readonly { readonly job_id: string; readonly state: string }[];
  readonly awaited_by?: readonly { readonly job_id: string; readonly stage: string }[];
}

/** The chains of one user on the simulators of the laptop edition, over HTTP. */
describe('a chain over HTTP', () => {
  let directory: string;
  let service: Service;
  let authorization: string;
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
    authorization = `Bearer ${service.issuer.issueToken({ user: userId('306328') })}`;
  });
  afterAll(async () => {
    await service.close();
    vi.unstubAllEnvs();
    rmSync(directory, { recursive: true });
  });

  const read = async <Body>(path: string): Promise<Body> => {
    const response = await fetch(`${service.url}${path}`, { headers: { authorization } });
    return JSON.parse(await response.text());
  };

  function send(hpc: string, fields: object, query = ''): Promise<Response> {
    const program = hpc === 'hpc_one' ? { command: 'ls' } : { tool: 'NEURON74_TG' };
    const shared = { node_number: 1, core_number: 1, runtime: 0.5, title: '' };
    return fetch(`${service.url}/jobs/${hpc}/${query}`, {
      method: 'POST',
      headers: {
        authorization,
        'content-disposition': 'attachment; filename=in.zip',
        payload: JSON.stringify({ ...program, ...shared, ...fields }),
      },
    });
  }

  async function submit(hpc: string, fields: object = {}) {
    const response = await send(hpc, fields);
    const text = await response.text();
    expect(text).toContain('job_id');
    const body: JobBody = JSON.parse(text);
    return { path: new URL(response.headers.get('location') ?? '').pathname, id: body.job_id };
  }

  async function submitBatch(fields: object): Promise<string> {
    const payload = { command: 'ls', node_number: 1, core_number: 1, runtime: 0.5, ...fields };
    const response = await fetch(`${service.url}/batches/hpc_one/`, {
      method: 'POST',
      headers: {
        authorization,
        'content-disposition': 'attachment; filename=in.zip',
        payload: JSON.stringify(payload),
      },
    });
    const { batch_id: id }: { batch_id: string } = JSON.parse(await response.text());
    return id;
  }

  /** Lists the files that a simulated job found. */
  async function listInput({ path }: { path: string }): Promise<string[]> {
    const address = `${service.url}${path.replace('/jobs/', '/files/')}listing.txt/`;
    const listing = await (await fetch(address, { headers: { authorization } })).text();
    return listing.split('\n').flatMap((line) => line.split('\t')[1] ?? []);
  }

  const timelineOf = ({ path }: { path: string }) => read<TimelineBody>(`${path}timeline/`);
  const waitForEnd = ({ path }: { path: string }) =>
    pollUntil(`${path} ends`, deadlineSeconds, async () => {
      const job = await read<JobBody>(path);
      return job.terminal_stage ? job : undefined;
    });

  it.concurrent('runs one job after the other, on two systems', async () => {
    const first = await submit('hpc_one', { runtime: 6, title: 'sim:full' });
    const second = await submit('hpc_two', { after: [first.id] });
    const timeline = await timelineOf(second);
    expect(timeline.reason).toMatch(`Waiting for ${first.id} (`);
    expect(timeline.after).toMatchObject([{ job_id: first.id, state: 'active' }]);
    expect((await timelineOf(first)).awaited_by).toMatchObject([{ job_id: second.id }]);
    expect(await waitForEnd(second)).toMatchObject({ stage: 'COMPLETED', failed: false });
    expect(await read<JobBody>(first.path)).toMatchObject({ terminal_stage: true, failed: false });
    expect((await timelineOf(second)).after).toMatchObject([{ state: 'succeeded' }]);
  });

  it.concurrent('hands on the results of the first job, and charges their space', async () => {
    const first = await submit('hpc_one', {});
    const second = await submit('hpc_two', { input_from: first.id, input_folder: 'before' });
    expect(await waitForEnd(second)).toMatchObject({ stage: 'COMPLETED', failed: false });
    expect(await listInput(second)).toEqual([
      'before/stdout',
      'before/stderr',
      'before/listing.txt',
    ]);
    const ledger = await read<{ job_id: string; reason: string; space: number }[]>(
      '/quotas/hpc_two/proj_hpc_two_01/ledger/',
    );
    const line = ledger.find(({ reason }) => reason === `input from ${first.id}`);
    expect(line).toMatchObject({ job_id: second.id, space: -1 });
  });

  it.concurrent('falls with its first job, and says why', async () => {
    const first = await submit('hpc_one', { runtime: 6, title: 'sim:fail' });
    const second = await submit('hpc_two', { after: first.id });
    const third = await submit('hpc_one', { after: [second.id] });
    const other = await submit('hpc_one', { after_any: [first.id, second.id] });
    expect(await waitForEnd(third)).toMatchObject({ stage: 'CANCELED', failed: false });
    expect(await waitForEnd(second)).toMatchObject({ stage: 'CANCELED', failed: false });
    expect((await timelineOf(second)).reason).toBe(
      `Cancelled because ${first.id} on hpc_one has failed.`,
    );
    expect((await timelineOf(third)).reason).toBe(
      `Cancelled because ${second.id} on hpc_two was cancelled.`,
    );
    expect(await waitForEnd(other)).toMatchObject({ stage: 'SUCCESSFUL', failed: false });
  });

  it.concurrent('waits for a whole batch', async () => {
    const id = await submitBatch({ runtime: 6, count: 5 });
    const after = await submit('hpc_two', { after: [id] });
    expect((await timelineOf(after)).reason).toBe(`Waiting for ${id} (running on hpc_one).`);
    expect(await waitForEnd(after)).toMatchObject({ stage: 'COMPLETED', failed: false });
    expect((await timelineOf(after)).after).toMatchObject([{ job_id: id, state: 'succeeded' }]);
  });

  it.concurrent('collects the results of a sweep of forty', async () => {
    const id = await submitBatch({ count: 40 });
    const last = await submit('hpc_two', { input_from: id, input_folder: 'sweep' });
    expect((await timelineOf(last)).reason).toBe(`Waiting for ${id} (running on hpc_one).`);
    expect(await waitForEnd(last)).toMatchObject({ stage: 'COMPLETED', failed: false });
    const names = await listInput(last);
    const folders = Array.from({ length: 40 }, (_, index) => String(index).padStart(2, '0'));
    const files = ['stdout', 'stderr', 'listing.txt'];
    expect(names.sort()).toEqual(
      folders.flatMap((folder) => files.map((file) => `sweep/${folder}/${file}`)).sort(),
    );
    const ended = await submit('hpc_two', { input_from: id, input_failed: 'leave_out' });
    expect(await waitForEnd(ended)).toMatchObject({ stage: 'COMPLETED', failed: false });
    expect(await listInput(ended)).toHaveLength(120);
  });

  it.concurrent('is refused if a job of its sweep failed, unless failed ones are left out', async () => {
    const id = await submitBatch({ count: 3, title: 'sim:fail' });
    await waitForEnd(await submit('hpc_one', { after_any: [id] }));
    const refused = await send('hpc_two', { input_from: id });
    expect(refused.status).toBe(409);
    expect(JSON.parse(await refused.text())).toMatchObject({
      job_id: id,
      detail: `${id} on hpc_one has failed, so a job that runs after it would never run. To take the results of its other jobs, set input_failed to leave_out.`,
    });
    const none = await submit('hpc_two', { input_from: id, input_failed: 'leave_out' });
    expect(await waitForEnd(none)).toMatchObject({ stage: 'CANCELED', failed: false });
    expect((await timelineOf(none)).reason).toBe(
      `Cancelled because the results of ${id} cannot be its input: None of its jobs ended well.`,
    );
  });

  it.concurrent('is refused if it could never run, also in a dry run', async () => {
    const first = await submit('hpc_one', { title: 'sim:fail' });
    await waitForEnd(first);
    for (const query of ['', '?dry_run=true']) {
      const failed = await send('hpc_two', { after: [first.id] }, query);
      expect(failed.status).toBe(409);
      expect(JSON.parse(await failed.text())).toMatchObject({
        type: 'urn:slipway:problem:awaited-failed',
        job_id: first.id,
      });
      const unknown = await send('hpc_two', { after: ['NOBODY'] }, query);
      expect(unknown.status).toBe(400);
      expect(JSON.parse(await unknown.text())).toMatchObject({
        errors: [{ location: 'payload', name: 'after' }],
      });
    }
    const ok = await send('hpc_two', { after_any: [first.id] }, '?dry_run=true');
    expect(ok.status).toBe(200);
  });
});
