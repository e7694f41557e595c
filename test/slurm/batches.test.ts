import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Cluster, startCluster } from './cluster.ts';
import { pollUntil } from './poll-until.ts';
import { type BatchBody, type JobBody, meetResearcher } from './researcher.ts';
import { type ServiceOnSlurm, startServiceOn } from './service.ts';

const count = 200;
const atOnce = 4;

let cluster: Cluster;
let slipway: ServiceOnSlurm;

beforeAll(async () => {
  cluster = await startCluster({ hasAccounting: true });
  slipway = await startServiceOn(cluster, { pollFloorSeconds: 30 });
}, 300_000);

afterAll(async () => {
  await slipway?.close();
  await cluster?.close();
}, 60_000);

/** The calls to slurmrestd since a moment, by what they are for. Health checks come anyway. */
function countCalls(from: number) {
  const names = slipway.line.listCalls().slice(from);
  const sums = new Map<string, number>();
  for (const name of names) {
    const kind = name.replace(/v0\.0\.\d+/, 'vN').replace(/\/\d+(_\d+)?$/, '/ID');
    sums.set(kind, (sums.get(kind) ?? 0) + 1);
  }
  const all = names.filter((name) => !name.endsWith('/ping')).length;
  return { all, sums: Object.fromEntries(sums) };
}

/** How many jobs Slurm runs, or ends, right now. */
async function countRunning(): Promise<number> {
  const lines = await cluster.ask('squeue', '-h', '-r', '-t', 'running,completing', '-o', '%i');
  return lines.split('\n').filter((line) => line !== '').length;
}

describe('many jobs on a real Slurm', () => {
  it('need a tenth of the calls if they are a batch', async () => {
    const ada = meetResearcher(slipway.service);
    const wishes = { hpc: 'hpc_three', runtime: 1 / 60 };
    const before = slipway.line.requests.length;
    const paths: string[] = [];
    for (let index = 0; index < count; index += 1) {
      paths.push((await ada.submit('true', wishes)).path);
    }
    await pollUntil('all single jobs have ended', 300, async () => {
      const left = await ada.read<JobBody[]>('/jobs/hpc_three/?terminal=false');
      return left.length === 0 || undefined;
    });
    const single = countCalls(before);

    const bob = meetResearcher(slipway.service);
    const from = slipway.line.requests.length;
    const { path, body } = await bob.submitBatch(
      'test "$SLIPWAY_INDEX" -lt 190',
      { count: String(count), max_running: String(atOnce) },
      wishes,
    );
    expect(body).toMatchObject({ count, counts: { waiting: count } });
    let most = 0;
    const ended = await pollUntil('the batch has ended', 600, async () => {
      most = Math.max(most, await countRunning());
      const batch = await bob.read<BatchBody>(path);
      const { done, failed, cancelled } = batch.counts;
      return done + failed + cancelled === count ? batch : undefined;
    });
    const batch = countCalls(from);
    process.stdout.write(
      `calls to slurmrestd for ${count} jobs: ${single.all} as single jobs, ${batch.all} as a batch ` +
        `with ${atOnce} at once (at most ${most} were seen running)\n` +
        `single: ${JSON.stringify(single.sums)}\nbatch: ${JSON.stringify(batch.sums)}\n`,
    );
    expect(ended.counts.cancelled).toBe(0);
    expect(ended.counts.done + ended.counts.failed).toBe(count);
    expect([9, 10, 11]).toContain(ended.counts.failed);
    expect(most).toBeLessThanOrEqual(atOnce);
    expect(most).toBeGreaterThan(1);
    expect(batch.all * 10).toBeLessThanOrEqual(single.all);
  }, 1_200_000);
});
