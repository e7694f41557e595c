import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Cluster, startCluster } from './cluster.ts';
import { pollUntil } from './poll-until.ts';
import { meetResearcher } from './researcher.ts';
import { type ServiceOnSlurm, startServiceOn } from './service.ts';

let cluster: Cluster;
let slipway: ServiceOnSlurm;

beforeAll(async () => {
  cluster = await startCluster();
  await reserve('course', 'Flags=IGNORE_JOBS', 'StartTime=now+20hours');
  await reserve('maint_1', 'Flags=MAINT,IGNORE_JOBS', 'StartTime=now+10minutes');
  slipway = await startServiceOn(cluster);
}, 300_000);

afterAll(async () => {
  await slipway?.close();
  await cluster?.close();
}, 60_000);

/** Reserves all nodes for an hour. */
async function reserve(name: string, ...terms: string[]): Promise<void> {
  const all = ['Duration=60', 'Nodes=ALL', 'Users=root', ...terms];
  await cluster.ask('scontrol', 'create', 'reservation', `ReservationName=${name}`, ...all);
}

/** As an administrator. */
async function change(path: string, body: object): Promise<void> {
  const { url, issuer } = slipway.service;
  const token = issuer.issueToken({ user: '100001', administrator: true });
  const response = await fetch(`${url}/admin/systems/hpc_one/${path}`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  expect(response.status).toBeLessThan(300);
}

const listStates = () => cluster.ask('squeue', '-h', '-o', '%j %T');

it('a reservation for maintenance is shown, and told to a job that waits for it', async () => {
  const ada = meetResearcher(slipway.service, '2001');
  const { path } = await ada.submit('sleep 1', { runtime: 1 });
  const shown = await pollUntil('the reservation is shown', 60, async () => {
    const [system] =
      await ada.read<readonly { readonly maintenance?: readonly object[] }[]>('/hpc/');
    return system?.maintenance;
  });
  expect(shown).toMatchObject([
    { name: 'maint_1', source: 'slurm', reason: expect.stringContaining('1 node') },
  ]);
  const reason = await pollUntil('the job is told', 60, async () => {
    const { reason } = await ada.readTimeline(path);
    return reason?.includes('reserved nodes for maintenance') ? reason : undefined;
  });
  process.stdout.write(`${reason}\n`);
  // Slurm says one or the other, as its scheduler came to the job.
  expect(reason).toMatch(/Slurm says: (ReqNodeNotAvail|Reservation)\./);
  // It was handed over: Slurm keeps it until the maintenance is over.
  expect(await listStates()).toMatch('PENDING');
  await ada.cancel(path);
  await cluster.ask('scontrol', 'delete', 'ReservationName=maint_1');
}, 180_000);

it('a window finds a running, a queued and a new job', async () => {
  const ada = meetResearcher(slipway.service, '2002');
  const running = await ada.submit('sleep 15', { cores: 16 });
  await ada.waitForStage(running.path, 'RUNNING');
  const queued = await ada.submit('sleep 1', { cores: 16 });
  await pollUntil('Slurm has both', 30, async () => {
    return (await listStates()).includes(`${queued.body.job_id} PENDING`) || undefined;
  });
  await change('pause/', { reason: 'The cooling has failed.' });
  // A container may remember for some seconds that nothing was announced.
  const waiting = await pollUntil('a new job is held back', 60, async () => {
    const job = await ada.submit('true', { cores: 16 });
    const { reason, tries } = await pollUntil('it was judged', 20, async () => {
      const timeline = await ada.readTimeline(job.path);
      return timeline.reason || timeline.tries.length > 0 ? timeline : undefined;
    });
    if (tries.length > 0) return undefined;
    expect(reason).toBe('The job waits until the system is resumed: The cooling has failed.');
    return job;
  });
  const status = await ada.read<{ readonly systems: readonly object[] }>('/status/');
  expect(status.systems[0]).toMatchObject({ status: 'closed', closed_until: null });
  expect(await ada.waitForEnd(running.path, 60)).toMatchObject({ stage: 'SUCCESSFUL' });
  expect(await ada.waitForEnd(queued.path, 60)).toMatchObject({ stage: 'SUCCESSFUL' });
  expect(await listStates()).not.toMatch(waiting.body.job_id);
  await change('resume/', { reason: 'It works again.' });
  expect(await ada.waitForEnd(waiting.path, 120)).toMatchObject({ stage: 'SUCCESSFUL' });
}, 300_000);
