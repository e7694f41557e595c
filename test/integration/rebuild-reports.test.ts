import { QueryCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { expect, it } from 'vitest';
import { deleteJob } from '#lib/jobs/cancel/delete-job.ts';
import { accountOf, type Job } from '#lib/jobs/job.ts';
import { findQuota } from '#lib/quotas/quota-store.ts';
import { countEnds } from '#lib/reports/count-ends.ts';
import { findPercentile } from '#lib/reports/durations.ts';
import { readReport } from '#lib/reports/read-report.ts';
import { projectMonthKey } from '#lib/table/keys.ts';
import { changeItem } from '#lib/table/writes.ts';
import { createComparison } from '#tools/reports/compare-sums.ts';
import { scanUsage } from '#tools/reports/scan-usage.ts';
import { onEveryEngine, tableForAll } from '../engines/use-table.ts';
import { createWorld } from '../fixtures/life.ts';
import { projectName, systemName, userId } from '../fixtures/names.ts';

const users = ['11', '12', '13'].map(userId);
const hpc = systemName('hpc_two');
const project = projectName('proj_hpc_two_01');
const period = { since: '2026-01-01', until: '2026-01-31' };

/** Draws what happens next, the same at each run. */
function createDice(seed: number) {
  let state = seed;
  return (sides: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * sides);
  };
}

onEveryEngine('a history on $name', (engine) => {
  const table = tableForAll(engine);

  /** Does what a run of the tool does. */
  async function rebuild(): Promise<number> {
    let counted = 0;
    for await (const { ends } of scanUsage(table)) {
      counted += await countEnds(table, [...ends, ...ends.slice(3)]);
    }
    return counted;
  }
  async function check(): Promise<string[]> {
    const comparison = createComparison();
    for await (const { ends, sums } of scanUsage(table)) comparison.take(ends, sums);
    return comparison.listDifferences();
  }

  /** Plays jobs that end in all ways. Some are deleted afterwards. */
  async function playHistory(): Promise<Job[]> {
    const world = createWorld(table, hpc);
    const draw = createDice(7);
    const jobs: Job[] = [];
    for (let n = 0; n < 14; n += 1) {
      const owner = users[draw(users.length)] ?? users[0]!;
      const title = ['', 'sim:fail', 'sim:refuse', 'sim:full'][draw(4)] ?? '';
      const job = await world.submit(owner, { title, nodes: 1 + draw(3) });
      jobs.push(job);
      world.pass(draw(20));
      await world.sweep();
      if (draw(3) === 0) await deleteJob(table, accountOf(job), job.jobId, world.now());
      else if (draw(2) === 0) await world.runToEnd(job, 10);
    }
    for (const job of jobs) await world.runToEnd(job, 10);
    for (const job of jobs.slice(0, 5)) {
      await deleteJob(table, accountOf(job), job.jobId, world.now());
    }
    return jobs;
  }

  /** Makes a line from before ends were counted. */
  async function forgetFacts(job: Job): Promise<void> {
    const { owner, project } = job;
    const { Items = [] } = await table.client.send(
      new QueryCommand({
        TableName: table.name,
        KeyConditionExpression: 'PK = :ledger',
        ExpressionAttributeValues: { ':ledger': `LEDGER#${owner}#${project.hpc}#${project.name}` },
        ConsistentRead: true,
      }),
    );
    const line = Items.find(({ kind, job_id }) => kind === 'settle' && job_id === job.jobId);
    await table.client.send(
      new UpdateCommand({
        TableName: table.name,
        Key: { PK: line?.PK, SK: line?.SK },
        UpdateExpression: 'REMOVE outcome, waited, ran',
        ConditionExpression: 'attribute_exists(outcome)',
      }),
    );
  }

  it('is counted once from its ledgers, and matches them', async () => {
    const jobs = await playHistory();
    const before = await check();
    expect(before.length).toBeGreaterThan(users.length);
    for (const job of jobs.slice(0, 7)) await forgetFacts(job);

    expect(await rebuild()).toBe(jobs.length);
    expect(await rebuild()).toBe(0);
    expect(await check()).toEqual([]);

    const { entries: rows } = await readReport(table, { by: ['user'], period }, 100);
    expect(rows.map(({ names }) => names.user)).toEqual(users);
    for (const { names, usage } of rows) {
      const user = names.user ?? users[0]!;
      const { time } = await findQuota(table, { user, hpc, project });
      expect(usage.used).toBe(time.used);
      expect(usage.jobs).toBe(jobs.filter(({ owner }) => owner === user).length);
    }
    const [all] = (await readReport(table, { by: ['system'], period }, 100)).entries;
    expect(all?.usage.failed).toBeGreaterThan(0);
    expect(all?.usage.cancelled).toBeGreaterThan(0);
    expect(findPercentile(all?.usage.ran ?? [], 0.5)).toBeGreaterThan(300);
  });

  it('names a sum that differs from the ledgers', async () => {
    await changeItem(table, projectMonthKey({ hpc, project }, '2026-01'), { add: { failed: 1 } });
    expect(await check()).toEqual([
      expect.stringMatching(/^2026-01 hpc_two\/proj_hpc_two_01: failed \d+, by the ledgers \d+$/),
    ]);
  });
});
