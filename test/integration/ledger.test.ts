import { afterAll, beforeAll, expect, it } from 'vitest';
import type { JobId, UserId } from '#lib/catalog/identifiers.ts';
import { findQuota } from '#lib/quotas/quota-store.ts';
import { readLedgerPage, readPeriod } from '#lib/quotas/read-ledger.ts';
import { sumByJob } from '#lib/quotas/sum-ledger.ts';
import { jobId, projectName, systemName, userId } from '#test/fixtures/names.ts';
import { onEveryEngine } from '../engines/use-table.ts';
import { createWorld } from '../fixtures/life.ts';
import { get, type ServiceOnEngine, startServiceOn, submit } from '../fixtures/service.ts';

interface Amount {
  readonly time: number;
  readonly space: number;
}

interface LineBody extends Amount {
  readonly at: string;
  readonly kind: string;
  readonly time_left: number;
  readonly space_left: number;
  readonly job_id: string | null;
}

type SumBody = Readonly<
  Record<'granted' | 'expired' | 'corrected' | 'held' | 'returned' | 'used' | 'change', Amount>
>;

onEveryEngine('a ledger on $name', (engine) => {
  let running: ServiceOnEngine;
  beforeAll(async () => {
    running = await startServiceOn(engine);
  });
  afterAll(() => running.close());

  const account = '/quotas/hpc_one/proj_hpc_one_01/';

  function as(user: UserId) {
    const { service } = running;
    const token = service.issuer.issueToken({ user });
    const read = <Body>(path: string) =>
      get<Body>(path.startsWith('/') ? `${service.url}${path}` : path, token);
    return {
      id: user,
      read,
      ledger: (query: string) => read<LineBody[]>(`${account}ledger/?${query}`),
      submit: (nodes: number) => submit(service, token, { node_number: String(nodes) }),
      async cancel(jobId: JobId) {
        const path = `/jobs/hpc_one/proj_hpc_one_01/${jobId}/`;
        const headers = { authorization: `Bearer ${token}` };
        await fetch(`${service.url}${path}`, { method: 'DELETE', headers });
      },
      async followPages(query: string) {
        const lines: LineBody[] = [];
        let next = `${account}ledger/?${query}`;
        for (let pages = 0; next !== '' && pages < 50; pages += 1) {
          const { body, headers } = await read<LineBody[]>(next);
          lines.push(...body);
          next = /^<(.+)>; rel="next"$/.exec(headers.get('link') ?? '')?.[1] ?? '';
        }
        return lines;
      },
    };
  }

  it('shows the grant of a new user', async () => {
    const { body } = await as(userId('1')).ledger('');
    expect(body).toMatchObject([{ kind: 'grant', time: 18_000_000, time_left: 18_000_000 }]);
  });

  it('is the same in pages of any size, and ends with what remains', async () => {
    const user = as(userId('2'));
    const jobs: JobId[] = [];
    for (const nodes of [1, 2, 3, 4]) {
      jobs.push(jobId((await user.submit(nodes)).body.job_id));
    }
    await user.cancel(jobs[0]!);
    await user.cancel(jobs[2]!);
    const whole = (await user.ledger('limit=1000')).body;
    expect(whole.map(({ kind }) => kind)).toEqual([
      'settle',
      'settle',
      ...Array.from({ length: 4 }, () => 'hold'),
      'grant',
    ]);
    for (const limit of [1, 2, 3, 7]) {
      expect(await user.followPages(`limit=${limit}`)).toEqual(whole);
    }
    const quota = (await user.read<{ time_left: number }>(account)).body;
    expect(whole[0]?.time_left).toBe(quota.time_left);
    expect(whole[0]?.time_left).toBe(18_000_000 - (2 + 4) * 3600);

    const middle = whole[3]?.at ?? '';
    expect((await user.ledger(`until=${middle}`)).body).toEqual(
      whole.filter(({ at }) => at <= middle),
    );
    expect(await user.followPages(`since=${middle}&limit=2`)).toEqual(
      whole.filter(({ at }) => at >= middle),
    );
    expect(await user.followPages(`until=${middle}&limit=1`)).toEqual(
      whole.filter(({ at }) => at <= middle),
    );
  });

  it('has the same sums by day and by job', async () => {
    const user = as(userId('2'));
    const quota = await user.read<{ time_left: number; space_left: number }>(account);
    const days = (await user.read<SumBody[]>(`${account}ledger/?sum=day`)).body;
    const change = days.reduce((sum, day) => sum + day.change.time, 0);
    expect(change).toBe(quota.body.time_left);
    for (const { granted, corrected, expired, held, returned, change } of days) {
      const time = granted.time + corrected.time - expired.time - held.time + returned.time;
      expect(time).toBe(change.time);
    }
    const jobs = (await user.read<SumBody[]>(`${account}ledger/?sum=job`)).body;
    expect(jobs.map(({ held, returned, used }) => [held.time, returned.time, used.time])).toEqual([
      [3 * 3600, 3 * 3600, 0],
      [3600, 3600, 0],
      [4 * 3600, 0, 0],
      [2 * 3600, 0, 0],
    ]);
  });

  it('shows what a job used that ran to its end', async () => {
    const world = createWorld(running.table, systemName('hpc_two'));
    const job = await world.submit(userId('6'));
    await world.runToEnd(job);
    const place = {
      user: userId('6'),
      hpc: systemName('hpc_two'),
      project: projectName('proj_hpc_two_01'),
    };
    const lines = await readPeriod(running.table, { ...place, since: undefined, until: undefined });
    const { time } = await findQuota(running.table, place);
    expect(time.used).toBeGreaterThan(0);
    expect(sumByJob(lines).get(job.jobId)).toMatchObject({
      held: { seconds: 3600 },
      used: { seconds: time.used },
      returned: { seconds: 3600 - time.used },
    });
  });

  it.each(['before', 'after'])(
    'is consistent with its account, even if a job comes right %s its lines are read',
    async (moment) => {
      const user = as(userId(moment === 'before' ? '3' : '4'));
      await user.ledger('');
      let interruptions = 3;
      running.table.client.middlewareStack.add(
        (next, { commandName }) =>
          async (parameters) => {
            const interrupts = commandName === 'QueryCommand' && interruptions > 0;
            if (interrupts) interruptions -= 1;
            if (interrupts && moment === 'before') await user.submit(1);
            const result = await next(parameters);
            if (interrupts && moment === 'after') await user.submit(1);
            return result;
          },
        { step: 'initialize', name: 'interrupt' },
      );
      const place = {
        user: user.id,
        hpc: systemName('hpc_one'),
        project: projectName('proj_hpc_one_01'),
      };
      const list = { ...place, since: undefined, until: undefined };
      const { entries: lines } = await readLedgerPage(running.table, list, 100).finally(() =>
        running.table.client.middlewareStack.remove('interrupt'),
      );
      expect(interruptions).toBe(0);
      expect(lines.map(({ kind, left }) => [kind, left.seconds])).toEqual([
        ['hold', 18_000_000 - 3 * 3600],
        ['hold', 18_000_000 - 2 * 3600],
        ['hold', 18_000_000 - 3600],
        ['grant', 18_000_000],
      ]);
    },
  );

  it('shows balances that add up while jobs come in, or asks to retry', async () => {
    const user = as(userId('5'));
    await user.ledger('');
    const submissions = Array.from({ length: 20 }, () => user.submit(1));
    const answers = await Promise.all(Array.from({ length: 10 }, () => user.ledger('limit=1000')));
    await Promise.all(submissions);
    answers.push(await user.ledger('limit=1000'));

    expect(answers.filter(({ status }) => ![200, 503].includes(status))).toEqual([]);
    expect(answers.at(-1)?.body).toHaveLength(21);
    for (const { body } of answers.filter(({ status }) => status === 200)) {
      expect(body.at(-1)).toMatchObject({ kind: 'grant', time_left: 18_000_000 });
    }
  });
});
