import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { ask } from '../ask.ts';
import { readList } from '../lists.ts';
import { expectJob, expectProblem, expectQuota } from '../shapes.ts';
import { type Submission, submit, zipOf } from '../submit.ts';
import { type Account, itNeeding, type Target } from '../target.ts';

/** Design 2, Jobs: `Idempotency-Key`, with which a retry never doubles a job. */
export function idempotencySuite(target: Target): void {
  describe('Idempotency-Key', () => {
    let account: Account;

    beforeAll(() => {
      account = target.account();
    });

    /** The same request under a key of its own, with a title that finds its jobs again. */
    const prepare = (key: string = randomUUID()) => {
      const title = `once ${randomUUID()}`;
      const fields = { node_number: '1', runtime: '0.01', title };
      const headers = { 'idempotency-key': key };
      const send = (changes: Submission = {}, as: Account = account) =>
        submit(target, as, { headers, ...changes, fields: { ...fields, ...changes.fields } });
      const listJobs = (as: Account = account) =>
        readList(target, as, `/jobs/?title=${encodeURIComponent(title)}`);
      return { send, listJobs };
    };

    it('4.2 the same key and request answer the same 201, body and Location', async () => {
      const { send, listJobs } = prepare();
      const first = await send();
      const { job_id } = expectJob(first, 201);
      for (let count = 0; count < 2; count += 1) {
        const again = await send();
        expect({ status: again.status, text: again.text }).toEqual({
          status: 201,
          text: first.text,
        });
        expect(again.headers.get('location')).toBe(first.headers.get('location'));
      }
      expect((await listJobs()).map((job) => job.job_id)).toEqual([job_id]);
    });

    it('4.2 the same on hpc_two', async () => {
      const { send, listJobs } = prepare();
      const submission: Submission = { hpc: 'hpc_two' };
      const first = await send(submission);
      expectJob(first, 201);
      expect((await send(submission)).text).toBe(first.text);
      expect(await listJobs()).toHaveLength(1);
    });

    it('4.2 the default project and its name are the same request', async () => {
      const { send, listJobs } = prepare();
      const first = await send();
      expect((await send({ path: '/jobs/hpc_one/proj_hpc_one_01/' })).text).toBe(first.text);
      expect(await listJobs()).toHaveLength(1);
    });

    it.each<[string, Submission]>([
      ['title', { fields: { title: 'another title' } }],
      ['runtime', { fields: { runtime: '0.02' } }],
      ['number of nodes', { fields: { node_number: '2' } }],
      ['number of cores', { fields: { core_number: '1' } }],
      ['command', { fields: { command: 'ls' } }],
      ['file name', { disposition: 'attachment; filename=another.zip' }],
      ['input', { body: zipOf(300) }],
      ['system', { hpc: 'hpc_two' }],
    ])('4.2 the same key with another %s is 422', async (_, change) => {
      const { send, listJobs } = prepare();
      const first = await send();
      const { id } = expectJob(first, 201);
      const problem = expectProblem(await send(change), 422);
      expect(problem.type).toBe('urn:slipway:problem:idempotency-key-reused');
      expect((await listJobs()).map((job) => job.id)).toEqual([id]);
      expect((await send()).text).toBe(first.text);
    });

    it('4.2 twenty at the same moment make one job, charged once', async () => {
      const somebody = target.account();
      const path = '/quotas/hpc_one/proj_hpc_one_01/';
      const readQuota = async () => expectQuota(await ask(target, { path, token: somebody.token }));
      const before = await readQuota();
      const { send, listJobs } = prepare();
      const answers = await Promise.all(Array.from({ length: 20 }, () => send({}, somebody)));
      const accepted = answers.filter(({ status }) => status === 201);
      for (const answer of answers) {
        if (answer.status !== 201) expectProblem(answer, 409);
      }
      expect(accepted.length).toBeGreaterThan(0);
      expect(new Set(accepted.map(({ text }) => text)).size).toBe(1);
      expect(await listJobs(somebody)).toHaveLength(1);
      const after = await readQuota();
      if (target.has('newcomer')) {
        expect(before.time_left - after.time_left).toBe(36);
        expect(before.space_left - after.space_left).toBe(1);
      }
    });

    it('4.2 a request that was refused does not use up its key', async () => {
      const { send, listJobs } = prepare();
      expectProblem(await send({ fields: { runtime: '0' } }), 400);
      expectProblem(await send({ path: '/jobs/hpc_one/proj_hpc_one_99/' }), 404);
      expectJob(await send(), 201);
      expect(await listJobs()).toHaveLength(1);
    });

    it('4.2 without a key the same request makes another job', async () => {
      const { send, listJobs } = prepare();
      expectJob(await send({ headers: {} }), 201);
      expectJob(await send({ headers: {} }), 201);
      expect(await listJobs()).toHaveLength(2);
    });

    it('4.2 keys differ by every character, up to 255 of them', async () => {
      const stem = randomUUID().padEnd(254, '~');
      const answers = [];
      for (const end of ['a', 'A', '#', '/']) answers.push(await prepare(stem + end).send());
      const ids = answers.map((answer) => expectJob(answer, 201).id);
      expect(new Set(ids).size).toBe(4);
    });

    itNeeding(target, 'newcomer')('5 the same key of two users are two keys', async () => {
      const { send, listJobs } = prepare();
      const [one, two] = [target.account(), target.account()];
      expect(expectJob(await send({}, one), 201).owner).toBe(one.user);
      expect(expectJob(await send({}, two), 201).owner).toBe(two.user);
      expect(await listJobs(one)).toHaveLength(1);
      expect(await listJobs(two)).toHaveLength(1);
    });
  });
}
