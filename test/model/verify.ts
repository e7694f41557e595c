import { expect } from 'vitest';
import { findBatch } from '#lib/batches/batch-store.ts';
import { readBudget } from '#lib/budgets/budget.ts';
import { budgetHolder, projectName, type UserId } from '#lib/catalog/identifiers.ts';
import { findLife } from '#lib/jobs/life/job-life-store.ts';
import type { Hold, Quota } from '#lib/quotas/quota.ts';
import { readQuotas } from '#lib/quotas/quota-store.ts';
import type { Table } from '#lib/table/table.ts';
import { type Amount, isShared, isUnsettled, type Model, pendingOf } from './accounts.ts';
import type { Ledgers } from './ledgers.ts';
import { ledPlaces, type Place, placeOfProject, places } from './places.ts';
import { reason, type Touched } from './scene.ts';

type Account = Pick<Quota, 'time' | 'space' | 'activeJobs' | 'bans' | 'throughGroup'> & {
  /** What the user's jobs hold of the project's budget. */
  readonly drawn: Amount;
  readonly share: Amount;
  readonly renews: Date | undefined;
};

/** To the second: every quota of the user, and no other. */
export async function verifyQuotas(table: Table, model: Model, user: UserId): Promise<void> {
  const quotas = await readQuotas(table, user);
  const found = quotas.map((quota): [string, Account] => {
    const { project, time, space, activeJobs, bans, renewal, throughGroup } = quota;
    const [drawn, share] = [amountOf(quota.drawn), amountOf(quota.share)];
    const renews = renewal?.next;
    return [project.name, { time, space, activeJobs, bans, renews, throughGroup, drawn, share }];
  });
  expect(new Map(found), `the quotas of ${user}`).toEqual(quotasOf(model, user));
}

/** The counts of each batch, and what it and its jobs hold. */
export async function verifyBatches(table: Table, model: Model, user: UserId): Promise<void> {
  for (const batch of model.batches.filter((each) => each.user === user)) {
    const { counts, held, unfolded, dropped } = await findBatch(table, user, batch.id);
    const jobs = model.jobs.filter((job) => job.batch === batch.id);
    const unsettled = jobs.filter(isUnsettled).length + pendingOf(batch);
    const { done, failed, cancelled, running } = counts;
    expect(
      { ended: done + failed + cancelled, failed, running, held, unfolded, dropped },
      `the batch ${batch.id}`,
    ).toEqual({
      ended: jobs.filter(({ state }) => state !== 'living').length + batch.dropped,
      failed: jobs.filter((job) => job.failed).length,
      running: 0,
      held: {
        seconds: unsettled * batch.jobTime,
        kilobytes: batch.holdsSpace ? batch.space : 0,
      },
      unfolded: batch.unfolded,
      dropped: batch.dropped,
    });
  }
}

/** Whether each job of a chain waits, until when, and what has come of the others. */
export async function verifyChains(table: Table, model: Model, user: UserId): Promise<void> {
  for (const { jobId, project, chain } of model.jobs.filter((job) => job.user === user)) {
    if (!chain) continue;
    const { hpc } = placeOfProject(project).project;
    const account = { user, hpc, project: projectName(project) };
    const { waiting, dueAt, cancelPending } = await findLife(table, account, jobId);
    expect(waiting ? dueAt : undefined, `the wait of ${jobId}`).toEqual(chain.until);
    // Its system never hears of it.
    if (chain.fell) expect({ dueAt, cancelPending }).toEqual({ cancelPending: false });
  }
}

/** The sum of a ledger's lines is what is left, and each job that is over was settled once. */
export async function verifyLedgers(
  ledgers: Ledgers,
  model: Model,
  { user, places: touched }: Touched,
): Promise<void> {
  for (const { project } of touched) {
    const { time, space, settled } = await ledgers.sum(user, project.hpc, project.name);
    const left = model.account(user, project.name)
      ? model.left(user, project.name)
      : { time: 0, space: 0 };
    const over = isShared(project.name)
      ? []
      : model.jobsOf(user, project.name).filter((job) => !isUnsettled(job));
    expect({ time, space, settled }, `the ledger of ${user} in ${project.name}`).toEqual({
      ...left,
      settled: new Map(over.map(({ jobId }) => [jobId, 1])),
    });
  }
}

/** Each budget and its ledger, which has the jobs of all members. */
export async function verifyBudgets(
  table: Table,
  ledgers: Ledgers,
  model: Model,
  touched: readonly Place[],
): Promise<void> {
  for (const { project } of ledPlaces().filter((place) => touched.includes(place))) {
    const { name, hpc } = project;
    const stored = await readBudget(table, project);
    const budget = model.budgets.get(name);
    expect(stored !== undefined, `the budget of ${name}`).toBe(budget !== undefined);
    if (!stored || !budget) continue;
    const { granted, used, shared } = budget;
    const held = model.drawn(name);
    const left = model.budgetLeft(name);
    const { time, space, activeJobs } = stored;
    expect(
      { time, space, activeJobs, share: amountOf(stored.share) },
      `the budget of ${name}`,
    ).toEqual({
      time: { granted: granted.time, left: left.time, held: held.time, used: used + shared.time },
      space: { granted: granted.space, left: left.space, held: held.space, used: shared.space },
      activeJobs: held.jobs,
      share: shared,
    });
    const sums = await ledgers.sum(budgetHolder, hpc, name);
    const over = model.jobs.filter(
      (job) => isShared(name) && job.project === name && !isUnsettled(job),
    );
    expect(
      { time: sums.time, space: sums.space, settled: sums.settled },
      `the ledger of the budget of ${name}`,
    ).toEqual({ ...left, settled: new Map(over.map(({ jobId }) => [jobId, 1])) });
  }
}

function amountOf(stored: Pick<Hold, 'seconds' | 'kilobytes'> | undefined): Amount {
  return { time: stored?.seconds ?? 0, space: stored?.kilobytes ?? 0 };
}

/** Where the user has a ledger; nowhere else can there be one, and the reading is saved. */
export function ledgersOf(model: Model, user: UserId): Place[] {
  return places.filter(({ project }) => model.ledgers.has(`${user} ${project.name}`));
}

function quotasOf(model: Model, user: UserId): Map<string, Account> {
  const quotas = new Map<string, Account>();
  for (const { name: project } of places.map((place) => place.project)) {
    const account = model.account(user, project);
    if (!account) continue;
    const { granted, used, renewal, share, throughGroup } = account;
    const { time, space } = model.drawn(project, user);
    const left = model.left(user, project);
    const held = model.held(user, project);
    quotas.set(project, {
      time: { granted: granted.time, left: left.time, held: held.time, used },
      space: { granted: granted.space, left: left.space, held: held.space, used: 0 },
      activeJobs: held.jobs,
      renews: renewal?.next,
      throughGroup,
      drawn: { time, space },
      share,
      bans: {
        ...(model.bans.has(user) && { everywhere: reason }),
        ...(model.bans.has(`${user} ${project}`) && { here: reason }),
      },
    });
  }
  return quotas;
}
