import { beforeAll, expect, it } from 'vitest';
import { judgeAccount } from '#lib/accounts/judge-account.ts';
import type { Finding } from '#lib/accounts/reconcile-accounts.ts';
import { banUser } from '#lib/bans/ban-user.ts';
import { discardBatch } from '#lib/batches/cancel-batch.ts';
import { submitBatch } from '#lib/batches/submit-batch.ts';
import { readBudget } from '#lib/budgets/budget.ts';
import { changeBudget } from '#lib/budgets/change-budget.ts';
import { defaultProject, findSystem } from '#lib/catalog/catalog.ts';
import type { UserId } from '#lib/catalog/identifiers.ts';
import { deleteJob } from '#lib/jobs/cancel/delete-job.ts';
import { accountOf } from '#lib/jobs/job.ts';
import { findJob } from '#lib/jobs/job-store.ts';
import { estimateJob } from '#lib/jobs/submit/estimate-job.ts';
import {
  NoBudgetError,
  NoQuotaError,
  NotMemberError,
  QuotaExceededError,
  QuotaInUseError,
  SubmissionBannedError,
  TooManyJobsError,
} from '#lib/quotas/errors.ts';
import { grantQuota } from '#lib/quotas/grants/grant-quota.ts';
import { removeQuota } from '#lib/quotas/grants/remove-quota.ts';
import { budgetOf } from '#lib/quotas/quota.ts';
import { readQuota } from '#lib/quotas/quota-store.ts';
import { readLedgerPage } from '#lib/quotas/read-ledger.ts';
import { endFromLine } from '#lib/reports/ended-job.ts';
import { quotaKey } from '#lib/table/keys.ts';
import { changeItem } from '#lib/table/writes.ts';
import { countUsers, projectName, systemName } from '#test/fixtures/names.ts';
import { reconcileAll } from '#tools/reconcile/reconcile-all.ts';
import { onEveryEngine, tableForAll } from '../engines/use-table.ts';
import { createBatchWorld } from '../fixtures/batch-world.ts';
import { catalog as testCatalog } from '../fixtures/catalog.ts';
import { createWorld } from '../fixtures/life.ts';

const hpc = systemName('hpc_two');
const group = 'lab-42';
const shared = {
  number: 9,
  hpc,
  name: projectName('lab'),
  maxLivingJobs: 3,
  shared: true,
  members: { group },
};
const place = { hpc, project: shared.name };
const budget = budgetOf(place);
const by = '100001';
const reason = 'a lab';
/** Two nodes for half an hour. */
const price = 3600;

onEveryEngine('shared budgets on $name', (engine) => {
  const table = tableForAll(engine);
  let world: ReturnType<typeof createWorld>;
  const newUser = countUsers(2000);
  beforeAll(() => {
    const first = defaultProject(findSystem(testCatalog, hpc));
    world = createWorld(table, hpc, undefined, undefined, { projects: [first, shared] });
  });

  const give = (seconds: number, kilobytes = 1000) =>
    changeBudget(
      table,
      { project: shared, change: { amounts: { mode: 'set', seconds, kilobytes } }, reason, by },
      world.now(),
    );
  const invite = (user: UserId) =>
    grantQuota(
      table,
      world.catalog,
      { user, project: shared, change: { amounts: { mode: 'add', seconds: 0 } }, reason, by },
      world.now(),
    );
  const submit = (user: UserId, joins = false) => world.submit(user, { project: shared, joins });
  const account = (user: UserId) => ({ user, ...place });
  const sound = async (...members: UserId[]) => {
    for (const each of [budget, ...members.map(account)]) {
      expect(await judgeAccount(table, each)).toEqual({ state: 'sound' });
    }
  };
  const lines = async () =>
    (await readLedgerPage(table, { ...budget, since: undefined, until: undefined }, 1000)).entries;

  it('need a budget, and a member', async () => {
    const user = newUser();
    await expect(submit(user)).rejects.toThrow(NoQuotaError);
    await invite(user);
    await expect(submit(user)).rejects.toThrow(NoBudgetError);
    await give(10 * price);
    const job = await submit(user);
    expect(job.drawn).toBe(true);
    expect(await readBudget(table, shared)).toMatchObject({
      time: { left: 9 * price, held: price },
      space: { held: 5 },
      activeJobs: 1,
    });
    expect(await readQuota(table, account(user))).toMatchObject({
      time: { granted: 0, held: 0 },
      activeJobs: 1,
      drawn: { seconds: price, kilobytes: 5 },
    });
    expect((await lines())[0]).toMatchObject({ kind: 'hold', seconds: -price, member: user });
    await sound(user);
    await deleteJob(table, accountOf(job), job.jobId, world.now());
    await sound(user);
  });

  it('settle what a job used, and say whose it was', async () => {
    const user = newUser();
    await invite(user);
    const before = await readBudget(table, shared);
    const job = await submit(user);
    await world.runToEnd(job);
    await sound(user);
    const after = await readBudget(table, shared);
    expect(after?.time.held).toBe(0);
    const settled = (await lines()).find(
      ({ kind, jobId }) => kind === 'settle' && jobId === job.jobId,
    );
    expect(settled?.member).toBe(user);
    expect((before?.time.left ?? 0) - (after?.time.left ?? 0)).toBe(settled?.used);
    expect(settled && endFromLine(budget, settled)?.account).toEqual(account(user));
    // The space of an ended job is the budget's, so its owner stays a member until it is deleted.
    const order = { user, project: shared, reason, by };
    await expect(removeQuota(table, order)).rejects.toThrow(QuotaInUseError);
    await deleteJob(table, accountOf(job), job.jobId, world.now());
    expect((await findJob(table, accountOf(job), job.jobId)).stage).toBe('DELETED');
    await sound(user);
    await removeQuota(table, order);
    await sound();
  });

  it('are never oversold, and refuse bans, limits and what is too much', async () => {
    const members = Array.from({ length: 8 }, newUser);
    for (const user of members) await invite(user);
    const { time } = (await readBudget(table, shared)) ?? {};
    await give((time?.used ?? 0) + 5 * price);
    const [first] = members;
    if (!first) throw new Error('There are eight.');
    const answers = await Promise.allSettled(members.map((user) => submit(user)));
    const refused = answers.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []));
    expect(refused).toHaveLength(3);
    for (const error of refused) {
      expect(error).toBeInstanceOf(QuotaExceededError);
      expect(String(error)).toContain('The budget of');
    }
    await sound(...members);
    await give((time?.used ?? 0) + 50 * price);
    for (
      let jobs = (await readQuota(table, account(first)))?.activeJobs ?? 0;
      jobs < 3;
      jobs += 1
    ) {
      await submit(first);
    }
    await expect(submit(first)).rejects.toThrow(TooManyJobsError);
    await sound(...members);
  });

  it('are for those who have the group, and no longer when it is gone', async () => {
    const user = newUser();
    await expect(submit(user)).rejects.toThrow(NoQuotaError);
    const submission = { owner: user, system: world.system, project: shared, joins: true };
    const wish = { program: 'A', nodes: 2, coresPerNode: 1, requestedRuntime: 0.5, title: '' };
    const none = { extras: {}, input: { fileName: '', source: { kind: 'none' as const } } };
    const context = { table, catalog: world.catalog, inputs: world.files.inputs };
    const estimate = await estimateJob(context, { ...submission, ...wish, ...none }, world.now());
    expect(estimate).toMatchObject({ hold: { seconds: price }, activeJobs: 1 });
    expect(await readQuota(table, account(user))).toBeUndefined();
    await submit(user, true);
    expect((await readQuota(table, account(user)))?.throughGroup).toBe(true);
    await submit(user, true);
    await expect(submit(user)).rejects.toThrow(NotMemberError);
    const former = { ...submission, joins: false, ...wish, ...none };
    await expect(estimateJob(context, former, world.now())).rejects.toThrow(NotMemberError);
    const invited = newUser();
    await invite(invited);
    await submit(invited);
    expect((await readQuota(table, account(invited)))?.throughGroup).toBeUndefined();
    await sound(user, invited);
  });

  const submitThree = async (user: UserId) => {
    const { batch } = await submitBatch(
      { table, catalog: world.catalog, inputs: world.files.inputs },
      {
        owner: user,
        system: world.system,
        project: shared,
        program: 'NEURON',
        nodes: 2,
        coresPerNode: 1,
        requestedRuntime: 0.5,
        title: '',
        extras: {},
        input: { fileName: '', source: { kind: 'none' } },
        shape: { count: 3 },
        maxRunning: undefined,
      },
      undefined,
      world.now(),
    );
    return batch;
  };

  it('hold for a whole batch, and get back what never began', async () => {
    const user = newUser();
    await invite(user);
    const before = await readBudget(table, shared);
    const batch = await submitThree(user);
    expect((await readBudget(table, shared))?.time.held).toBe((before?.time.held ?? 0) + 3 * price);
    await sound(user);
    await discardBatch(table, batch, world.now());
    expect((await readBudget(table, shared))?.time).toEqual(before?.time);
    await sound(user);
  });

  it('pay for the jobs of a batch once they exist', async () => {
    const user = newUser();
    await invite(user);
    const before = await readBudget(table, shared);
    const batches = createBatchWorld(table, world);
    const batch = await submitThree(user);
    await batches.attend(batch);
    for (const job of await batches.listJobs(batch)) {
      expect(job.drawn).toBe(true);
      await deleteJob(table, accountOf(job), job.jobId, world.now());
    }
    expect((await readBudget(table, shared))?.time).toEqual(before?.time);
    await sound(user);
  });

  it('are checked and put right with the other accounts', async () => {
    const { left = 0 } = (await readBudget(table, shared))?.time ?? {};
    const spoil = (time: number) =>
      changeItem(table, quotaKey(budget), { set: { time_left: time } });
    await spoil(left + 7);
    const found: Finding[] = [];
    const report = {
      onFinding: (each: Finding) => found.push(each),
      onStanding: () => undefined,
      onProgress: () => undefined,
    };
    const all = { projects: [shared], fix: false };
    const counts = await reconcileAll(table, all, report);
    const wrong = found.filter(({ verdict }) => !['sound', 'absent'].includes(verdict.state));
    expect(wrong.map((each) => each.account)).toEqual([budget]);
    expect(counts).toMatchObject({ wrong: 1, repaired: 0 });
    const fixed = await reconcileAll(table, { ...all, fix: true }, report);
    expect(fixed).toMatchObject({ wrong: 1, repaired: 1 });
    await sound();
  });

  it('cannot be set below what is held', async () => {
    await expect(give(0)).rejects.toThrow("The budget of 'lab' on 'hpc_two' cannot be set below");
  });

  it('refuse who is banned', async () => {
    const user = newUser();
    await invite(user);
    await banUser(table, world.catalog, { user, from: place, reason: 'a loop', by }, world.now());
    await expect(submit(user)).rejects.toThrow(SubmissionBannedError);
  });
});
