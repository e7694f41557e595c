import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { DeleteCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { judgeAccount } from '#lib/accounts/judge-account.ts';
import type { Finding } from '#lib/accounts/reconcile-accounts.ts';
import { repairAccount } from '#lib/accounts/repair-account.ts';
import { watchAccounts } from '#lib/accounts/watch-accounts.ts';
import { catalog } from '#lib/catalog/catalog.ts';
import { deleteJob } from '#lib/jobs/cancel/delete-job.ts';
import { accountOf, type Job } from '#lib/jobs/job.ts';
import { findQuota } from '#lib/quotas/quota-store.ts';
import { welcomeUser } from '#lib/quotas/welcome.ts';
import { auditPartition, jobKey, quotaKey } from '#lib/table/keys.ts';
import { openTable, type Table } from '#lib/table/table.ts';
import { changeItem } from '#lib/table/writes.ts';
import { createTable } from '#local/create-table.ts';
import { compileCache } from '#test/fixtures/edition.ts';
import { projectName, systemName, userId } from '#test/fixtures/names.ts';
import { type ReconcileOptions, reconcileAll } from '#tools/reconcile/reconcile-all.ts';
import { setCredentials } from '../engines/credentials.ts';
import { onEveryEngine } from '../engines/use-table.ts';
import { createWorld, readLedger } from '../fixtures/life.ts';

const root = join(import.meta.dirname, '../..');

/** A tool compiles hundreds of files, so the tools of one run share what they compiled. */
const cached = () => ({ ...process.env, NODE_COMPILE_CACHE: compileCache });
const silent = {
  onFinding: () => undefined,
  onStanding: () => undefined,
  onProgress: () => undefined,
};
const nothing = { wrong: 0, repaired: 0, busy: 0 };
const account = {
  user: userId('7'),
  hpc: systemName('hpc_two'),
  project: projectName('proj_hpc_two_01'),
};

onEveryEngine('reconciliation on $name', (engine) => {
  let database: Awaited<ReturnType<typeof engine.start>>;
  let table: Table;
  let tables = 0;
  let world: ReturnType<typeof createWorld>;
  beforeAll(async () => {
    database = await engine.start();
    setCredentials();
    process.env.AWS_ENDPOINT_URL_DYNAMODB = database.endpoint;
  });
  beforeEach(async () => {
    tables += 1;
    await createTable(`reconcile-${tables}`);
    table = openTable(`reconcile-${tables}`);
    world = createWorld(table, systemName('hpc_two'));
  });
  afterAll(async () => {
    await database.close();
  });

  const projects = catalog.systems.flatMap((system) => system.projects);

  /** Does what the tool does, in this process. */
  const reconcile = (fix = false, choice: Partial<ReconcileOptions> = {}) =>
    reconcileAll(table, { projects, fix, ...choice }, silent);

  /** Runs the tool in its own process, as a person would. */
  async function run(...parameters: string[]) {
    const command = [
      join(root, 'tools/reconcile/reconcile.ts'),
      '--table',
      table.name,
      ...parameters,
    ];
    return promisify(execFile)(process.execPath, command, { env: cached() }).then(
      ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
      ({ code, stdout, stderr }) => ({ code, stdout, stderr }),
    );
  }

  /** Changes numbers by hand, past all rules. */
  async function meddle(change: Readonly<Record<string, number>>): Promise<void> {
    await changeItem(table, quotaKey(account), { add: change });
  }

  const loseJob = (job: Job) =>
    table.client.send(
      new DeleteCommand({ TableName: table.name, Key: jobKey(accountOf(job), job.jobId) }),
    );

  async function readAudit() {
    const { Items = [] } = await table.client.send(
      new QueryCommand({
        TableName: table.name,
        KeyConditionExpression: 'PK = :month',
        ExpressionAttributeValues: { ':month': auditPartition(new Date()) },
      }),
    );
    return Items;
  }

  it('finds nothing after whole lives of jobs', async () => {
    const ended = await world.submit(userId('7'));
    const deleted = await world.submit(userId('7'));
    await world.runToEnd(ended, 15);
    await world.runToEnd(deleted, 15);
    await deleteJob(table, accountOf(deleted), deleted.jobId, world.now());
    const cancelled = await world.submit(userId('7'));
    await deleteJob(table, accountOf(cancelled), cancelled.jobId, world.now());
    await world.submit(userId('7'));
    // One account in each system's default project.
    expect(await reconcile()).toEqual({ ...nothing, checked: 2 });
  });

  it('reports what is wrong, repairs it when asked to, and then finds nothing', async () => {
    const lost = await world.submit(userId('7'));
    await world.submit(userId('7'));
    await loseJob(lost);
    await meddle({ space_left: 100 });
    await world.submit(userId('8'));

    const said = [
      '7 hpc_two/proj_hpc_two_01: 7200 seconds are held, but the jobs hold 3600, so 3600 belong to no job',
      '7 hpc_two/proj_hpc_two_01: 10000000 kilobytes are granted, but 10000090 left, 10 held and 0 used add up to 10000100',
    ];
    const found = await run();
    const where = `Working on table ${table.name} at ${database.endpoint}\n`;
    expect(found).toMatchObject({ code: 1, stderr: where });
    for (const line of said) expect(found.stdout).toContain(`${line}\n`);
    expect(found.stdout.split('\n').slice(-2)).toEqual([
      '4 checked, 1 wrong, 0 repaired, 0 busy',
      '',
    ]);
    expect(await readAudit()).toEqual([]);

    const fixed = await run('--fix', '--user', '7');
    expect(fixed.code).toBe(0);
    expect(fixed.stdout).toContain(`${said[0]} (repaired)\n`);
    expect(fixed.stdout).toMatch(/\n2 checked, 1 wrong, 1 repaired, 0 busy\n$/);
    expect(await reconcile()).toEqual({ ...nothing, checked: 4 });

    const { time, space, activeJobs } = await findQuota(table, account);
    expect(time).toEqual({ granted: 18_000_000, left: 17_996_400, held: 3600, used: 0 });
    expect(space).toEqual({ granted: 10_000_000, left: 9_999_995, held: 5, used: 0 });
    expect(activeJobs).toBe(1);

    const [act] = await readAudit();
    expect(act).toMatchObject({
      kind: 'quota-corrected',
      by: 'slipway',
      user: userId('7'),
      hpc: systemName('hpc_two'),
      project_name: 'proj_hpc_two_01',
      reason: expect.stringContaining('3600 belong to no job'),
      details: {
        time_held: { before: 7200, after: 3600 },
        time_left: { before: 17_992_800, after: 17_996_400 },
        living_jobs: { before: 2, after: 1 },
      },
    });
    const corrections = (await readLedger(table, lost)).filter(({ kind }) => kind === 'correction');
    expect(corrections).toMatchObject([
      { seconds: 3600, kilobytes: 5, by: 'slipway', act_id: act?.act_id, reason: act?.reason },
    ]);
  });

  it('lets a job end whose hold was lost', async () => {
    const job = await world.submit(userId('7'));
    await meddle({ time_left: 3600, time_held: -3600, space_left: 5, space_held: -5 });
    await expect(world.runToEnd(job, 30)).rejects.toThrow('holds less than is to be settled');
    expect(await reconcile(true)).toMatchObject({ wrong: 1, repaired: 1 });
    expect((await world.runToEnd(job, 30)).at(-1)).toBe('COMPLETED');
    expect(await reconcile()).toMatchObject(nothing);
  });

  it('checks only where it is told to', async () => {
    await world.submit(userId('7'));
    await meddle({ time_used: 1 });
    const only = (name: string) => projects.filter((project) => project.name === name);
    expect(await reconcile(false, { projects: only('proj_hpc_one_01') })).toMatchObject(nothing);
    expect(await reconcile(false, { projects: only('proj_hpc_two_01') })).toMatchObject({
      wrong: 1,
    });
    expect(await reconcile(false, { user: userId('7') })).toMatchObject({ checked: 2, wrong: 1 });
    expect(await reconcile(false, { user: userId('8') })).toEqual({ ...nothing, checked: 0 });
  });

  it('repairs nothing in an account that has changed since it was read', async () => {
    await world.submit(userId('7'));
    await meddle({ time_used: 1 });
    const verdict = await judgeAccount(table, account);
    if (verdict.state !== 'drifting') throw new Error(verdict.state);
    const job = await world.submit(userId('7'));
    expect(await repairAccount(table, account, verdict.repair, new Date())).toBe(false);
    expect(await readAudit()).toEqual([]);
    await deleteJob(table, accountOf(job), job.jobId, world.now());
    // All numbers are unchanged, and so is the drift.
    expect(await repairAccount(table, account, verdict.repair, new Date())).toBe(true);
    expect(await judgeAccount(table, account)).toEqual({ state: 'sound' });
  });

  it('does not mistake a change for drift, however many come while it reads', async () => {
    await world.submit(userId('7'));
    let over = false;
    const life = (async () => {
      for (let count = 0; count < 8; count += 1) {
        const job = await world.submit(userId('7'));
        await deleteJob(table, accountOf(job), job.jobId, world.now());
      }
      over = true;
    })();
    const states = new Set<string>();
    while (!over) states.add((await judgeAccount(table, account)).state);
    await life;
    expect([...states].filter((state) => state !== 'sound' && state !== 'busy')).toEqual([]);
    expect(await judgeAccount(table, account)).toEqual({ state: 'sound' });
  });

  it('continues where the last run ran out of time, and starts again at the end', async () => {
    for (const user of ['7', '8', '9'].map(userId)) await welcomeUser(table, catalog, user);
    await meddle({ time_used: 1 });
    const found: string[] = [];
    const note = ({ account }: Finding) => found.push(`${account.user} ${account.hpc}`);
    /** Time is up after each group, however many names were read at once. */
    let time = 0;
    const hasty = () => {
      time += 1_000;
      return time;
    };
    const wrong: number[] = [];
    for (let day = 0; day < 5; day += 1) {
      const pace = { clock: hasty, walkMs: 1, pageSize: 3, groupSize: 2 };
      wrong.push(await watchAccounts(table, catalog, note, pace));
    }
    // Two groups of hpc_one, then two of hpc_two, of which the first has it. Then the list has
    // ended.
    expect(wrong).toEqual([0, 0, 1, 0, 0]);
    expect(await watchAccounts(table, catalog, note)).toBe(1);
    expect(found).toEqual(['7 hpc_two', '7 hpc_two']);
    expect(await findQuota(table, account)).toMatchObject({ time: { used: 1 } });
  });

  it('keeps its position if it is killed in the middle of a page', async () => {
    for (const user of ['7', '8', '9'].map(userId)) await welcomeUser(table, catalog, user);
    await meddle({ time_used: 1 });
    const looked: string[] = [];
    /** The function is killed at the second account of hpc_two. */
    const dying = {
      ...table,
      client: Object.create(table.client, {
        send: {
          value: async (command: { input: { Key?: { PK?: string; SK?: string } } }) => {
            const { PK, SK = '' } = command.input.Key ?? {};
            if (SK.startsWith('QUOTA#')) looked.push(`${PK} ${SK.split('#')[1]}`);
            if (PK === 'USER#8' && SK.startsWith('QUOTA#hpc_two')) throw new Error('ended');
            return table.client.send(command as never);
          },
        },
      }),
    };
    const pace = { groupSize: 1 };
    await expect(watchAccounts(dying, catalog, () => undefined, pace)).rejects.toThrow('ended');
    expect(looked.slice(-2)).toEqual(['USER#7 hpc_two', 'USER#8 hpc_two']);
    looked.length = 0;
    await expect(watchAccounts(dying, catalog, () => undefined, pace)).rejects.toThrow('ended');
    expect(looked).toEqual(['USER#8 hpc_two']);
  });

  it('skips an account that is too long to read, and names it', async () => {
    for (const user of ['7', '8'].map(userId)) await welcomeUser(table, catalog, user);
    for (let count = 0; count < 3; count += 1) await world.submit(userId('7'));
    await meddle({ time_used: 1 });
    const found: string[] = [];
    const note = ({ account: { user, hpc }, verdict }: Finding) =>
      found.push(`${user} ${hpc} ${verdict.state}`);
    /** Each ledger line takes five seconds to read, so only new accounts are read in time. */
    let time = 0;
    const slow = () => {
      time += 5_000;
      return time;
    };
    const wrong: number[] = [];
    for (let day = 0; day < 3; day += 1) {
      wrong.push(await watchAccounts(table, catalog, note, { clock: slow, groupSize: 1 }));
    }
    expect(found).toContain('7 hpc_two too-long');
    expect(found.filter((line) => !line.startsWith('7 hpc_two'))).toEqual([]);
    expect(wrong).toEqual([0, 0, 0]);
    // With enough time the account is read, and found wrong.
    expect((await reconcile()).wrong).toBe(1);
  });

  it('names systems that have no accounting to compare with', async () => {
    expect(await run('--against-system', '--hpc', 'hpc_two')).toMatchObject({
      code: 0,
      stdout: 'hpc_two: this system has no accounting to ask.\n',
    });
    expect(await run('--against-system', '--since', 'yesterday')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("--since must be a day like 2026-11-01, not 'yesterday'."),
    });
  });
});

describe('npm run reconcile', () => {
  const runTool = (...parameters: string[]) =>
    promisify(execFile)(
      process.execPath,
      [join(root, 'tools/reconcile/reconcile.ts'), ...parameters],
      {
        env: cached(),
      },
    );

  it('shows its help', async () => {
    const { stdout } = await runTool('--help');
    for (const option of ['--fix', '--hpc', '--project', '--user', '--table', '--against-system']) {
      expect(stdout).toContain(option);
    }
  });

  it('says in one line what it does not understand', async () => {
    await expect(runTool('--user', 'ada')).rejects.toMatchObject({
      code: 1,
      stderr: '--user must be a number of 1 to 32 digits.\n',
    });
  });
});
