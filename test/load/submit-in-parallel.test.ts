import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openContractTarget } from '../../bench/oversell/contract-target.ts';
import { isExact, playRound } from '../../bench/oversell/play-round.ts';
import { openSlipwayTarget } from '../../bench/oversell/slipway-target.ts';
import { engines } from '../engines/engines.ts';
import {
  get,
  insistOn,
  type JobBody,
  type ServiceOnEngine,
  startServiceOn,
  submit,
  submitTo,
} from '../fixtures/service.ts';

interface QuotaBody {
  readonly time_left: number;
  readonly space_left: number;
}

describe.each(engines.filter(({ available }) => available))(
  'submissions at once on $name',
  (engine) => {
    let running: ServiceOnEngine;
    beforeAll(async () => {
      running = await startServiceOn(engine);
    });
    afterAll(() => running.close());

    it('accepts exactly the 50 of 400 that fit, and refuses the others with 403', async () => {
      const { service } = running;
      const token = service.issuer.issueToken({ user: '50' });
      const wishes = { node_number: '100', runtime: '1.0' };
      await get(`${service.url}/quotas/`, token);

      const answers = await Promise.all(
        Array.from({ length: 400 }, (_, n) => {
          const headers = { 'idempotency-key': `wish-${n}` };
          return insistOn(engine, () => submit(service, token, wishes, headers));
        }),
      );

      const counts = Object.groupBy(answers, ({ status }) => String(status));
      expect(Object.keys(counts).sort()).toEqual(['201', '403']);
      expect(counts['201']).toHaveLength(50);
      expect(counts['403']).toHaveLength(350);
      const jobs = await get<JobBody[]>(`${service.url}/jobs/`, token);
      expect(jobs.body).toHaveLength(50);
      expect(new Set(jobs.body.map(({ id }) => id)).size).toBe(50);
      const quota = await get<QuotaBody>(`${service.url}/quotas/hpc_one/proj_hpc_one_01/`, token);
      expect(quota.body.time_left).toBe(0);
      expect(quota.body.space_left).toBe(10_000_000);
    });

    it.each(['slipway', 'contract'])('oversells nothing, says the bench by %s', async (adapter) => {
      const { url, issuer } = running.service;
      const access = {
        url,
        token: issuer.issueToken({ user: adapter === 'slipway' ? '51' : '52' }),
        hpc: 'hpc_one',
        project: 'proj_hpc_one_01',
        fields: { command: 'ls', node_number: '500', core_number: '1', runtime: '1.0' },
      };
      const admin = issuer.issueToken({ user: '100001', administrator: true });
      const target =
        adapter === 'slipway' ? openSlipwayTarget(access, admin) : openContractTarget(access);
      const verdict = await playRound(target, { submissions: 40, fits: 9, atOnce: 40 });
      expect(verdict).toMatchObject({ fits: 9, accepted: 9, jobs: 9, refused: 31 });
      expect(isExact(verdict)).toBe(true);
    });

    it('accepts exactly 50 of 400 by 40 members of a shared budget', async () => {
      const { service } = running;
      const place = 'hpc_one/lab';
      const admin = service.issuer.issueToken({ user: '100001', administrator: true });
      const order = async (path: string, wish: object) => {
        const response = await fetch(`${service.url}/admin/projects/${place}/${path}`, {
          method: 'PUT',
          headers: { authorization: `Bearer ${admin}`, 'content-type': 'application/json' },
          body: JSON.stringify({ reason: 'a lab', ...wish }),
        });
        expect(response.ok).toBe(true);
      };
      await order('', { shared: true, members: { group: 'lab-42' } });
      await order('budget/', { set: { time: 50 * 3600, space: 0 } });
      const tokens = Array.from({ length: 40 }, (_, n) =>
        service.issuer.issueToken({ user: String(4000 + n), groups: ['lab-42'] }),
      );

      const answers = await Promise.all(
        Array.from({ length: 400 }, (_, n) => {
          const headers = { 'idempotency-key': `wish-${n}` };
          const token = tokens[n % tokens.length]!;
          const send = () => submitTo(service.url, token, {}, headers, undefined, 'jobs', place);
          // All of them write one item, and those that wait too long are told to come again.
          return insistOn(engine, send, true);
        }),
      );

      const counts = Object.groupBy(answers, ({ status }) => String(status));
      expect(Object.keys(counts).sort()).toEqual(['201', '403']);
      expect(counts['201']).toHaveLength(50);
      const refusals = new Set(counts['403']?.map(({ body }) => Object(body).type));
      expect(refusals).toEqual(new Set(['urn:slipway:problem:quota-exceeded']));
      const { body } = await get<{ budget: object }>(
        `${service.url}/projects/${place}/budget/`,
        admin,
      );
      expect(body.budget).toMatchObject({ time: { granted: 180_000, left: 0 } });
      const lists = await Promise.all(
        tokens.map((token) => get<JobBody[]>(`${service.url}/jobs/`, token)),
      );
      expect(lists.flatMap((list) => list.body)).toHaveLength(50);
    });

    it('makes one job of 20 requests with one Idempotency-Key, and answers all of them alike', async () => {
      const { service } = running;
      const token = service.issuer.issueToken({ user: '20' });
      const headers = { 'idempotency-key': 'the-same-key' };

      const answers = await Promise.all(
        Array.from({ length: 20 }, () =>
          insistOn(engine, () => submit(service, token, {}, headers)),
        ),
      );

      expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 201));
      for (const { body } of answers) expect(body).toEqual(answers[0]!.body);
      const jobs = await get<JobBody[]>(`${service.url}/jobs/`, token);
      expect(jobs.body).toEqual([answers[0]!.body]);
      const quota = await get<QuotaBody>(`${service.url}/quotas/hpc_one/proj_hpc_one_01/`, token);
      expect(quota.body.time_left).toBe(18_000_000 - 3600);
    });

    it('welcomes a user once, however many first calls come at the same moment', async () => {
      const { service } = running;
      const token = service.issuer.issueToken({ user: '10' });
      const paths = ['/quotas/', '/quotas/hpc_one/', '/quotas/hpc_two/proj_hpc_two_01/'];

      const answers = await Promise.all([
        ...Array.from({ length: 9 }, (_, n) => get(`${service.url}${paths[n % 3]}`, token)),
        submit(service, token),
      ]);

      expect(answers.map(({ status }) => status)).toEqual([
        ...Array.from({ length: 9 }, () => 200),
        201,
      ]);
      const quotas = await get<QuotaBody[]>(`${service.url}/quotas/`, token);
      expect(quotas.body.map(({ time_left }) => time_left)).toEqual([
        18_000_000 - 3600,
        18_000_000,
      ]);
    });
  },
);
