import * as v from 'valibot';
import { beforeAll, describe, expect, it } from 'vitest';
import { Estimate } from '#lib/http/answers/job.ts';
import { DaySum, JobSum, LedgerLine, QuotaWithUsage } from '#lib/http/answers/quota.ts';
import { type Answer, ask } from '../ask.ts';
import { badLedgerQueries } from '../cases/bad-queries.ts';
import { expectJob, expectProblem, expectQuota } from '../shapes.ts';
import { makeJob, submit } from '../submit.ts';
import { type Account, itNeeding, type Target } from '../target.ts';
import { watch } from '../witness.ts';

/** Beyond what the description says: accounts are whole numbers, and nothing is ever below zero. */
const isCount = (value: number) => Number.isInteger(value) && value >= 0;
const isWhole = ({ time }: { readonly time: number }) => Number.isInteger(time);

const ExactLine = v.pipe(
  LedgerLine,
  v.check(({ at }) => /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(at), 'at'),
  v.check(
    (line) => isWhole(line) && isCount(line.time_left) && isCount(line.space_left),
    'amounts',
  ),
);
const ExactDay = v.pipe(
  DaySum,
  v.check(({ day: _, ...sums }) => Object.values(sums).every(isWhole), 'sums'),
);
const ExactJob = v.pipe(
  JobSum,
  v.check(({ job_id: _, ...sums }) => Object.values(sums).every(isWhole), 'sums'),
);
const ExactQuota = v.pipe(
  QuotaWithUsage,
  v.check(({ usage: { time, space } }) => {
    return [time, space].every((balance) => Object.values(balance).every(isCount));
  }, 'usage'),
);
const ExactEstimate = v.pipe(
  Estimate,
  v.check(({ held, left }) => isWhole(held) && isWhole(left), 'amounts'),
);

const account = '/quotas/hpc_one/proj_hpc_one_01/';

/** Beyond the contract: where a quota went, what a submission would take of it. */
export function ledgerSuite(target: Target): void {
  describe('the ledger of a quota', () => {
    let somebody: Account;
    const read = (path: string) => ask(target, { path, token: somebody.token });

    beforeAll(async () => {
      somebody = target.account();
      for (let count = 0; count < 3; count += 1) await makeJob(target, somebody);
    });

    // Elsewhere jobs may end between two reads of one account.
    const retry = target.has('newcomer') ? 0 : 2;

    it('GET .../ledger/ ends in what is left, and each line leads to the next', {
      retry,
    }, async () => {
      const lines = expectShape(v.array(ExactLine), await read(`${account}ledger/`));
      const quota = expectQuota(await read(account));
      expect(lines[0]).toMatchObject({ time_left: quota.time_left, space_left: quota.space_left });
      expect(lines.slice(0, 3).map(({ kind }) => kind)).toContain('hold');
      for (const [index, older] of lines.slice(1).entries()) {
        const newer = lines[index];
        expect(newer && newer.time_left - newer.time).toBe(older.time_left);
        expect(newer && newer.space_left - newer.space).toBe(older.space_left);
        expect(newer && newer.at >= older.at).toBe(true);
      }
    });

    it('GET .../ledger/?limit=1 leads on to the next line', { retry }, async () => {
      const whole = expectShape(v.array(ExactLine), await read(`${account}ledger?limit=2`));
      const first = await read(`${account}ledger/?limit=1`);
      const next = /^<([^<>\s]+)>; rel="next"$/.exec(first.headers.get('link') ?? '')?.[1] ?? '';
      const second = await read(next);
      expect([first, second].flatMap((page) => expectShape(v.array(ExactLine), page))).toEqual(
        whole,
      );
    });

    it('GET .../ledger/?sum= adds up, by day and by job', async () => {
      const days = expectShape(v.array(ExactDay), await read(`${account}ledger/?sum=day`));
      expect(days.length).toBeGreaterThan(0);
      for (const { granted, corrected, expired, held, returned, change } of days) {
        for (const unit of ['time', 'space'] as const) {
          const worked = granted[unit] + corrected[unit] - expired[unit] - held[unit];
          expect(worked + returned[unit]).toBe(change[unit]);
        }
      }
      const jobs = expectShape(v.array(ExactJob), await read(`${account}ledger/?sum=job`));
      expect(jobs.length).toBeGreaterThanOrEqual(3);
    });

    it.each(badLedgerQueries)('GET .../ledger/?$query is 400', async ({ query, named }) => {
      expectProblem(await read(`${account}ledger/?${query}`), 400, named);
    });

    itNeeding(target, 'other')('a cursor of somebody else’s ledger is 400', async () => {
      const { headers } = await read(`${account}ledger/?limit=1`);
      const next = /^<([^<>\s]+)>/.exec(headers.get('link') ?? '')?.[1] ?? '';
      const answer = await ask(target, { path: next, token: target.other().token });
      expectProblem(answer, 400, ['query cursor']);
    });

    it('GET /quotas/...?expand=usage adds what was granted, held and used', { retry }, async () => {
      const plain = expectQuota(await read(account));
      const answer = await read(`${account}?expand=usage`);
      const { usage, ...quota } = v.parse(ExactQuota, answer.json);
      expect(quota).toEqual(plain);
      expect(usage.time.left).toBe(plain.time_left);
      for (const { granted, left, held, used } of [usage.time, usage.space]) {
        expect(left + held + used).toBe(granted);
      }
      for (const path of ['/quotas/', '/quotas/hpc_one/']) {
        const { json } = await read(`${path}?expand=usage`);
        expect(v.parse(v.array(ExactQuota), json)).not.toEqual([]);
        expectProblem(await read(`${path}?expand=ledger`), 400, ['query expand']);
      }
    });
  });

  describe('an estimate', () => {
    const estimate = '/jobs/hpc_one/?dry_run=true';

    it('POST /jobs/...?dry_run=true says what the submission then does, and writes nothing', async () => {
      const witness = await watch(target, target.account());
      await witness.expectNothingWrittenBy(async (somebody) => {
        const answer = await submit(target, somebody, { path: estimate });
        const { runtime, held } = expectShape(ExactEstimate, answer);
        expect({ runtime, held }).toEqual({ runtime: 2, held: { time: 14_400, space: 1 } });
        expect(answer.text).toMatch(/"runtime":\s?2\.0[,}]/);
      });
    });

    it('POST /jobs/...?dry_run=true refuses as the submission does', async () => {
      const witness = await watch(target, target.account());
      await witness.expectNothingWrittenBy(async (somebody) => {
        const tooMuch = { node_number: 512, runtime: 24 };
        const answer = await submit(target, somebody, { path: estimate, fields: tooMuch });
        const problem = expectProblem(answer, 403);
        const submitted = expectProblem(await submit(target, somebody, { fields: tooMuch }), 403);
        expect(problem.type).toBe(submitted.type);
        const bad = await submit(target, somebody, { path: estimate, fields: { runtime: '2,0' } });
        expectProblem(bad, 400, ['payload runtime']);
      });
    });

    it('POST /jobs/...?dry_run=false is a submission, any other value is 400', async () => {
      const somebody = target.account();
      const fields = { node_number: 1, runtime: 0.01 };
      const path = '/jobs/hpc_one/?dry_run=false';
      expectJob(await submit(target, somebody, { path, fields }), 201);
      const witness = await watch(target, somebody);
      await witness.expectNothingWrittenBy(async () => {
        for (const query of ['dry_run=1', 'dry_run=', 'dry_run=true&dry_run=true']) {
          const answer = await submit(target, somebody, { path: `/jobs/hpc_one/?${query}` });
          expectProblem(answer, 400, ['query dry_run']);
        }
        const mistyped = await submit(target, somebody, { path: '/jobs/hpc_one/?dryrun=true' });
        expectProblem(mistyped, 400, ['query dryrun']);
      });
    });
  });
}

function expectShape<S extends v.GenericSchema>(
  shape: S,
  { status, text, json }: Answer,
): v.InferOutput<S> {
  expect({ status, text }).toEqual({ status: 200, text: expect.any(String) });
  return v.parse(shape, json);
}
