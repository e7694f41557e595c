import { submitBatch } from '#lib/batches/submit-batch.ts';
import { readBudget } from '#lib/budgets/budget.ts';
import { changeBudget } from '#lib/budgets/change-budget.ts';
import type { UserId } from '#lib/catalog/identifiers.ts';
import type { Job } from '#lib/jobs/job.ts';
import { endJob } from '#lib/jobs/life/end-job.ts';
import type { Submission } from '#lib/jobs/submit/submission.ts';
import { submitJob } from '#lib/jobs/submit/submit-job.ts';
import { grantQuota } from '#lib/quotas/grants/grant-quota.ts';
import type { Quota } from '#lib/quotas/quota.ts';
import { readQuota } from '#lib/quotas/quota-store.ts';
import type { Table } from '#lib/table/table.ts';
import { catalog } from '../fixtures/catalog.ts';
import { createMemoryFiles } from '../fixtures/memory-files.ts';
import { projectName, userId } from '../fixtures/names.ts';
import type { Balance, Change, Told } from './accounts.ts';
import { firstBudget, firstGrants, type Project } from './play.ts';

const hour = 3600;
const { inputs } = createMemoryFiles();
const refusals = ['QuotaExceededError', 'QuotaInUseError', 'BudgetTooSmallError'];
const by = { by: '100001', reason: 'a history' };

/** Opens a project whose clients call the rules and stores in this process. */
export async function openInProcess(table: Table, seed: number): Promise<Project> {
  const [system] = catalog.systems;
  const [first] = system?.projects ?? [];
  if (!system || !first) throw new Error('The catalog has no project.');
  const project = { ...first, number: 90, name: projectName(`led_${seed}`) };
  const place = { hpc: system.name, project: project.name };
  const users = [0, 1].map((at) => userId(String(100_000_000 + ((2 * seed + at) % 800_000_000))));
  const userOf = (member: number): UserId => users[member] ?? userId('1');
  const context = { table, catalog, inputs };
  const jobs = new Map<string, Job>();
  const used = new Map<string, number>();

  function submissionOf(member: number, seconds: number): Submission {
    return {
      owner: userOf(member),
      system: system!,
      project,
      program: 'true',
      nodes: 1,
      coresPerNode: 1,
      joins: false,
      requestedRuntime: seconds / hour,
      title: '',
      extras: {},
      input: { fileName: '', source: { kind: 'none' } },
    };
  }
  const give = (member: number, amounts: Change & { kilobytes?: number }, fromBudget = false) =>
    grantQuota(table, catalog, {
      ...{ ...by, user: userOf(member), project, change: { amounts }, fromBudget },
    });

  for (const [member, units] of firstGrants.entries()) {
    await give(member, { mode: 'set', seconds: units * hour, kilobytes: 10 });
  }
  const fund = (amounts: Change & { kilobytes?: number }) =>
    changeBudget(table, { ...by, project, change: { amounts } });
  await fund({ mode: 'set', seconds: firstBudget * hour, kilobytes: 10 });

  return {
    unit: hour,
    submit: ({ member, id, held }) =>
      answer(async () => {
        jobs.set(id, (await submitJob(context, submissionOf(member, held))).job);
      }),
    submitBatch: ({ member, held }, count) =>
      answer(() => {
        const shape = { shape: { count }, maxRunning: undefined };
        return submitBatch(context, { ...submissionOf(member, held / count), ...shape });
      }),
    async end({ id, held }, share) {
      const job = jobs.get(id);
      if (!job) throw new Error(`There is no job ${id}.`);
      const ended = { stage: 'SUCCESSFUL', outcome: 'succeeded', endedAt: new Date() } as const;
      const ranSeconds = job.runtime * hour * share;
      const outcome = await endJob(table, job, { ...ended, ranSeconds }, new Date());
      if (outcome === 'too late') return 'too late';
      used.set(id, held * share);
      return 'accepted';
    },
    grant: (member, change) => answer(() => give(member, change)),
    share: (member, change) => answer(() => give(member, change, true)),
    fund: (change) => answer(() => fund(change)),
    async read(member) {
      if (member === 'budget') return balanceOf(await readBudget(table, project));
      return balanceOf(await readQuota(table, { ...place, user: userOf(member) }));
    },
    readUsed: async () => used,
  };
}

function balanceOf(quota: Quota | undefined): Balance {
  if (!quota) throw new Error('There is no account.');
  const { granted, left, held } = quota.time;
  return { granted, left, held };
}

async function answer(ask: () => Promise<unknown>): Promise<Told> {
  try {
    await ask();
    return 'accepted';
  } catch (error) {
    const name = error instanceof Error ? error.name : '';
    if (name === 'TableBusyError') return 'busy';
    if ([...refusals, 'NotFromBudgetError'].includes(name)) return 'refused';
    throw error;
  }
}
