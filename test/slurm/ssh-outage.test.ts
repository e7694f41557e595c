import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Cluster, startCluster } from './cluster.ts';
import { pollUntil } from './poll-until.ts';
import { type BatchBody, meetResearcher } from './researcher.ts';
import { type ServiceOnSlurm, startServiceOn } from './service.ts';
import { makeUsers, type Sshd, startSshd } from './sshd.ts';
import { compareCharges, passSeconds, readFinalAccounting } from './tried-jobs.ts';

const gateway = 'slipway-test';
const count = 300;

let cluster: Cluster;
let sshd: Sshd;
let slipway: ServiceOnSlurm;
let removeUsers: () => Promise<void>;

beforeAll(async () => {
  removeUsers = await makeUsers(gateway);
  cluster = await startCluster({ hasAccounting: true, user: gateway });
  sshd = await startSshd({ environment: { SLURM_CONF: cluster.configFile } });
  const { port, key: sshKey, hostKeys } = sshd;
  const reach = { ssh: { host: '127.0.0.1', port, user: gateway, hostKeys: [...hostKeys] } };
  const site = { ...cluster, ssh: { reach, sshKey } };
  slipway = await startServiceOn(site, { pollFloorSeconds: 5 });
}, 300_000);

afterAll(async () => {
  await slipway?.close();
  await sshd?.close();
  await cluster?.close();
  await removeUsers?.();
}, 60_000);

it('300 jobs of an array, half of them cancelled, survive a login node that is away for a minute', async () => {
  const ada = meetResearcher(slipway.service);
  // The even ones end by themselves.
  const command = 'test $((SLIPWAY_INDEX % 2)) = 0 || sleep 50; sleep 1';
  const { path, body } = await ada.submitBatch(
    command,
    { count: String(count) },
    { runtime: 1 / 60 },
  );
  const jobs = `/jobs/hpc_one/${body.project_name}/`;
  const listed = await pollUntil('all jobs are there', 120, async () => {
    const all = await ada.read<{ job_id: string }[]>(`${jobs}?batch=${body.batch_id}`);
    return all.length === count ? all : undefined;
  });
  await pollUntil('some have ended', 120, async () => {
    const { counts } = await ada.read<BatchBody>(path);
    return counts.done > 10 || undefined;
  });
  const doomed = listed.filter((_, index) => index % 2 === 1);
  const [early, late] = [doomed.slice(0, 75), doomed.slice(75)];
  for (const { job_id } of early) await ada.cancel(`${jobs}${job_id}/`);
  await sshd.stop();
  for (const { job_id } of late) await ada.cancel(`${jobs}${job_id}/`);
  await passSeconds(60);
  await sshd.start();
  const ended = await pollUntil('the batch has ended', 500, async () => {
    const batch = await ada.read<BatchBody>(path);
    const { done, failed, cancelled } = batch.counts;
    return done + failed + cancelled === count ? batch : undefined;
  });
  expect(ended.counts).toMatchObject({ done: count / 2, failed: 0, cancelled: count / 2 });
  await pollUntil('all are settled', 200, async () => {
    return (await ada.read<BatchBody>(path)).held.time === 0 || undefined;
  });
  const records = await readFinalAccounting(cluster);
  // Nothing ran twice, and nothing that was not asked for.
  expect(new Set(records.map(({ id }) => id)).size).toBe(records.length);
  expect(records.length).toBeLessThanOrEqual(count);
  const { compared, differences } = (await compareCharges(slipway)) ?? {};
  // Slurm keeps no record of a task that was cancelled before it began, which costs nothing.
  expect(compared).toBe(count);
  expect(differences?.filter(({ isExplained }) => !isExplained)).toEqual([]);
  const log = await sshd.readLog();
  const tell = (words: string) => log.split(words).length - 1;
  process.stdout.write(
    `${records.length} of ${count} tasks ran; ${tell('Accepted publickey')} connections, ` +
      `${tell('Starting session: command')} commands\n`,
  );
}, 1_200_000);
