import * as v from 'valibot';
import { beforeAll, describe, expect, it } from 'vitest';
import { ask, askRaw } from '../ask.ts';
import { badPayloads } from '../cases/bad-payloads.ts';
import { badSubmissions, submissionsToNowhere } from '../cases/bad-submissions.ts';
import { charges, goodSubmissions } from '../cases/submissions.ts';
import { expectJob, expectProblem, expectQuota, type Job } from '../shapes.ts';
import {
  makeJob,
  pathOfJob,
  payloads,
  projects,
  type Submission,
  submit,
  zipOf,
} from '../submit.ts';
import { type Account, itNeeding, type Target } from '../target.ts';
import { type Witness, watch } from '../witness.ts';

/** Interface 4.2: submit a job. */
export function submittingSuite(target: Target): void {
  describe('submitting', () => {
    let account: Account;

    beforeAll(() => {
      account = target.account();
    });

    for (const { section, name, submission, job: expected } of goodSubmissions) {
      it(`${section} ${name}`, async () => {
        const before = Math.floor(Date.now() / 1000) * 1000;
        const answer = await submit(target, account, submission);
        const job = expectJob(answer, 201);
        expect(job).toMatchObject({
          ...expected,
          owner: account.user,
          terminal_stage: false,
          failed: false,
          end_date: null,
        });
        expectSoonAfter(before, job);
        const location = answer.headers.get('location') ?? '';
        expect(new URL(location, target.url).pathname).toBe(pathOfJob(job));
      });
    }

    it('2.2 floats are written with their decimal point', async () => {
      const two = await submit(target, account);
      expect(two.text).toMatch(/"runtime":\s?2\.0[,}]/);
      const half = await submit(target, account, { hpc: 'hpc_two' });
      expect(half.text).toMatch(/"runtime":\s?0\.5[,}]/);
    });

    it('2.2 the job_id on hpc_two carries the name of the tool', async () => {
      const job = await makeJob(target, account, {
        hpc: 'hpc_two',
        fields: { tool: 'py_expanse' },
      });
      expect(job.job_id).toMatch(/^NGBW-JOB-PY_EXPANSE-[0-9A-F]{32}$/);
    });

    it('2.1 the project of a job has the number that its quota shows', async () => {
      for (const hpc of ['hpc_one', 'hpc_two'] as const) {
        const job = await makeJob(target, account, { hpc });
        const path = `/quotas/${hpc}/${projects[hpc]}/`;
        const quota = expectQuota(await ask(target, { path, token: account.token }));
        expect(job.project).toBe(quota.project);
      }
    });

    it('4.2 Location leads to the job', async () => {
      const answer = await submit(target, account);
      const { job_id } = expectJob(answer, 201);
      const path = answer.headers.get('location') ?? '';
      expect(expectJob(await ask(target, { path, token: account.token })).job_id).toBe(job_id);
    });

    it('4.2 header names may be written in any case', async () => {
      const answer = await submit(target, account, {
        payload: null,
        disposition: null,
        headers: {
          PAYLOAD: '{"command":"ls","node_number":"1","core_number":"1","runtime":"0.01"}',
          'CONTENT-disposition': 'attachment; filename=job_file.zip',
        },
      });
      expectJob(answer, 201);
    });

    /** Jobs of a used account may end between two reads, and give back what they did not use. */
    const retry = target.has('newcomer') ? 0 : 2;
    for (const { name, submission, seconds, kilobytes } of charges) {
      it(`2.3 the quota is charged for ${name}`, { retry }, async () => {
        const somebody = target.account();
        const before = await readQuota(target, somebody, submission);
        expectJob(await submit(target, somebody, submission), 201);
        expect(await readQuota(target, somebody, submission)).toEqual({
          ...before,
          time_left: before.time_left - seconds,
          space_left: before.space_left - kilobytes,
        });
      });
    }

    itNeeding(target, 'process')(
      '4.2 the largest zip that a request carries is taken',
      async () => {
        const somebody = target.account();
        expectJob(await submit(target, somebody, { body: zipOf(4_500_000) }), 201);
        const quota = await readQuota(target, somebody, {});
        expect(quota.space_left).toBe(10_000_000 - 4500);
      },
    );

    it.each([1e16, 1e126, 1e300, 1e-7, 1e-131, 5e-324])(
      '4.2 a runtime of %d, a number that is finite and above 0, is no failure of the service',
      async (runtime) => {
        const answer = await submit(target, account, { fields: { node_number: 1, runtime } });
        expect([201, 400, 403], answer.text).toContain(answer.status);
      },
    );
  });

  describe('refused submissions', () => {
    let witness: Witness;

    beforeAll(async () => {
      witness = await watch(target, target.account());
    });

    for (const { name, hpc, payload, named } of badPayloads) {
      it(`4.2 ${name} is 400, and nothing is written`, () =>
        witness.expectNothingWrittenBy(async (account) => {
          expectProblem(await submit(target, account, { hpc, payload }), 400, named);
        }));
    }

    for (const { name, submission, status, named, type } of badSubmissions) {
      it(`4.2 ${name} is ${status}, and nothing is written`, () =>
        witness.expectNothingWrittenBy(async (account) => {
          const answer = await submit(target, account, submission);
          expect(expectProblem(answer, status, named).type).toBe(`urn:slipway:problem:${type}`);
        }));
    }

    it('4.2 a zip that is too large is pointed to /uploads/', async () => {
      const answer = await submit(target, witness.account, { body: zipOf(4_500_001) });
      expect(expectProblem(answer, 413).detail).toContain('/uploads/');
    });

    for (const { path, type } of submissionsToNowhere) {
      it(`4.2 POST ${path} is 404, and nothing is written`, () =>
        witness.expectNothingWrittenBy(async (account) => {
          const answer = await submit(target, account, { path });
          expect(expectProblem(answer, 404).type).toBe(`urn:slipway:problem:${type}`);
        }));
    }

    it('2.3 more time than is left is 403, says so, and nothing is written', async ({ skip }) => {
      const { nodes: maxNodes, hours } = await readLimits(target, witness.account);
      const { time_left: left } = await readQuota(target, witness.account, {});
      const nodes = Math.ceil((left + 1) / (hours * 3600));
      skip(nodes > maxNodes, 'The account has more left than one job can take.');
      await witness.expectNothingWrittenBy(async (account) => {
        const fields = { node_number: nodes, runtime: hours };
        const problem = expectProblem(await submit(target, account, { fields }), 403);
        expect(problem).toMatchObject({
          type: 'urn:slipway:problem:quota-exceeded',
          asked: { time: Math.ceil(nodes * hours * 3600), space: 1 },
          left: { time: left },
        });
        expect(problem.detail).toContain(String(left));
      });
    });

    for (const twice of ['Payload', 'Content-Disposition']) {
      it(`4.2 the header ${twice} twice is 400, and nothing is written`, () =>
        witness.expectNothingWrittenBy(async ({ token }) => {
          const given = {
            Authorization: `Bearer ${token}`,
            Payload: JSON.stringify(payloads.hpc_one),
            'Content-Disposition': 'attachment; filename=job_file.zip',
          };
          const headers = Object.entries(given).flatMap(([name, value]) =>
            name === twice ? [name, value, name, value] : [name, value],
          );
          const answer = await askRaw(target, { method: 'POST', path: '/jobs/hpc_one/', headers });
          expectProblem(answer, 400, [`header ${twice}`]);
        }));
    }

    itNeeding(target, 'newcomer')(
      '2.1 a project without a quota is 403, and nothing is written',
      () =>
        witness.expectNothingWrittenBy(async (account) => {
          const path = '/jobs/hpc_two/proj_hpc_two_02/';
          const answer = await submit(target, account, { hpc: 'hpc_two', path });
          expect(expectProblem(answer, 403).type).toBe('urn:slipway:problem:no-quota');
        }),
    );
  });
}

async function readQuota(target: Target, { token }: Account, { hpc = 'hpc_one' }: Submission) {
  const path = `/quotas/${hpc}/${projects[hpc]}/`;
  return expectQuota(await ask(target, { path, token }));
}

/** The most that one job on hpc_one can ask for. */
async function readLimits(target: Target, { token }: Account) {
  const { json } = await ask(target, { path: '/hpc/', token });
  const limits = v.object({ node_number: v.number(), runtime: v.number() });
  const [hpcOne] = v.parse(v.array(v.object({ limits })), json);
  return { nodes: hpcOne?.limits.node_number ?? 0, hours: hpcOne?.limits.runtime ?? 0 };
}

/** Both clocks show whole seconds, and may differ by a little. */
function expectSoonAfter(before: number, { init_date }: Job): void {
  const seconds = (Date.parse(init_date) - before) / 1000;
  expect(seconds).toBeGreaterThanOrEqual(-10);
  expect(seconds).toBeLessThanOrEqual(40);
}
