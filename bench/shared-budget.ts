import { judgeAccount } from '#lib/accounts/judge-account.ts';
import { changeBudget } from '#lib/budgets/change-budget.ts';
import type { Project } from '#lib/catalog/hpc-system.ts';
import type { UserId } from '#lib/catalog/identifiers.ts';
import { submitJob } from '#lib/jobs/submit/submit-job.ts';
import { grantQuota } from '#lib/quotas/grants/grant-quota.ts';
import { budgetOf } from '#lib/quotas/shares.ts';
import { TableBusyError } from '#lib/table/errors.ts';
import type { Table } from '#lib/table/table.ts';
import { openInProcessTable } from '#test/engines/in-process.ts';
import { meter } from '#test/engines/meter.ts';
import { catalog } from '#test/fixtures/catalog.ts';
import { createMemoryFiles } from '#test/fixtures/memory-files.ts';
import { projectName, userId } from '#test/fixtures/names.ts';
import { submissionSample } from '#test/fixtures/submission-sample.ts';
import { type Figure, formatTable } from './measure/figures.ts';
import type { Part } from './measure/part.ts';

/** DynamoDB's documented limit for one partition, and so for one item. */
const partitionUnits = 1000;
/** A transaction writes an item of up to a kilobyte with two units. */
const unitsOfAHold = 2;
const members = 40;
const by = '100001';
const reason = 'a benchmark';

export const part: Part = {
  about: `Measures what a submission costs that is paid by the own quota, and one that is paid by a shared
budget: calls of the table, read and write units, and submissions a second on the embedded table when
all members submit at once. Checks that the accounts add up, and computes what DynamoDB's limit allows.
`,
  options: { jobs: { usual: 2000, about: 'how many jobs are submitted in each way' } },
  async measure({ count }) {
    const opened = await openInProcessTable('slipway-shared-budget');
    const bench = openBench(opened.table);
    const jobs = count('jobs');
    const rows: Row[] = [];
    for (const way of ['own', 'shared'] as const) rows.push(await measureWay(bench, way, jobs));
    await opened.close();
    return report(rows);
  },
};

type Way = 'own' | 'shared';

interface Row {
  readonly way: Way;
  readonly calls: number;
  readonly readUnits: number;
  readonly writeUnits: number;
  readonly perSecond: number;
  readonly refused: number;
}

type Bench = ReturnType<typeof openBench>;

function openBench(table: Table) {
  let calls = 0;
  table.client.middlewareStack.add(
    (next) => (parameters) => {
      calls += 1;
      return next(parameters);
    },
    { step: 'initialize' },
  );
  const { cost } = meter(table);
  const { inputs } = createMemoryFiles();
  const [first] = submissionSample.system.projects;
  const projectOf = (way: Way): Project => ({
    ...first,
    number: way === 'own' ? 901 : 902,
    name: projectName(`bench_${way}`),
    maxLivingJobs: 1_000_000,
    ...(way === 'shared' && { shared: true }),
  });
  return {
    table,
    cost,
    projectOf,
    countCalls: () => calls,
    submit: (owner: UserId, project: Project) =>
      submitJob({ table, catalog, inputs }, { ...submissionSample, owner, project }),
  };
}

async function measureWay(bench: Bench, way: Way, jobs: number): Promise<Row> {
  const { table, submit } = bench;
  const project = bench.projectOf(way);
  const users = Array.from({ length: members }, (_, n) => userId(String(7000 + n)));
  await giveAmounts(table, project, users, way);
  const [first] = users;
  if (!first) throw new Error('There are no members.');
  await submit(first, project);
  const before = bench.countCalls();
  const units = await bench.cost(() => submit(first, project));
  const calls = bench.countCalls() - before;

  const startedAt = performance.now();
  let [accepted, refused] = [0, 0];
  await Promise.all(
    users.map(async (user, at) => {
      for (let sent = at; sent < jobs; sent += members) {
        try {
          await submit(user, project);
          accepted += 1;
        } catch (error) {
          if (!(error instanceof TableBusyError)) throw error;
          refused += 1;
        }
      }
    }),
  );
  const seconds = (performance.now() - startedAt) / 1000;
  await checkAccounts(table, project, users, way);
  return { way, calls, ...units, perSecond: accepted / seconds, refused };
}

async function giveAmounts(
  table: Table,
  project: Project,
  users: readonly UserId[],
  way: Way,
): Promise<void> {
  const plenty = { mode: 'set', seconds: 1_000_000_000, kilobytes: 1_000_000_000 } as const;
  const none = { mode: 'add', seconds: 0 } as const;
  const amounts = way === 'own' ? plenty : none;
  for (const user of users) {
    await grantQuota(table, catalog, { user, project, change: { amounts }, reason, by });
  }
  if (way === 'shared') {
    await changeBudget(table, { project, change: { amounts: plenty }, reason, by });
  }
}

async function checkAccounts(
  table: Table,
  { hpc, name: project }: Project,
  users: readonly UserId[],
  way: Way,
): Promise<void> {
  const place = { hpc, project };
  const accounts = [
    ...users.map((user) => ({ user, ...place })),
    ...(way === 'shared' ? [budgetOf(place)] : []),
  ];
  for (const account of accounts) {
    const { state } = await judgeAccount(table, account);
    if (state !== 'sound') throw new Error(`The account of ${account.user} does not add up.`);
  }
}

function report(rows: readonly Row[]): readonly Figure[] {
  const header = ['paid by', 'calls', 'read units', 'write units', 'jobs/s here', 'refused', ''];
  const onAws = partitionUnits / unitsOfAHold;
  process.stdout.write(
    formatTable([
      header,
      ...rows.map(({ way, calls, readUnits, writeUnits, perSecond, refused }) => [
        way === 'own' ? 'own quotas' : 'a shared budget',
        String(calls),
        String(readUnits),
        String(writeUnits),
        perSecond.toFixed(0),
        String(refused),
      ]),
    ]),
  );
  process.stdout.write(
    `On AWS one item takes ${partitionUnits} write units a second, and a hold or a settlement ${unitsOfAHold}: at most ${onAws} changes of one budget a second, so ${onAws / 2} jobs that are submitted and end.\n`,
  );
  return rows.flatMap(({ way, writeUnits, perSecond }) => [
    { name: `shared-budget.${way}.write-units`, value: writeUnits, unit: 'units' },
    { name: `shared-budget.${way}.submissions`, value: perSecond, unit: '1/s' },
  ]);
}
