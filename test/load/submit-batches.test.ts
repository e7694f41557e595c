import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { engines } from '../engines/engines.ts';
import {
  type Answer,
  get,
  type ServiceOnEngine,
  startServiceOn,
  submitBatch,
} from '../fixtures/service.ts';

interface BatchBody {
  readonly batch_id: string;
  readonly count: number;
}

interface QuotaBody {
  readonly time_left: number;
  readonly usage: { readonly living_jobs: number };
}

/** A busy machine may ask some of 400 simultaneous clients to come again. */
async function insist<Body>(ask: () => Promise<Answer<Body>>): Promise<Answer<Body>> {
  for (;;) {
    const answer = await ask();
    if (![429, 503].includes(answer.status)) return answer;
    await delay(1000 * Number(answer.headers.get('retry-after') ?? 1));
  }
}

describe.each(engines.filter(({ available }) => available))(
  'batches at once on $name',
  (engine) => {
    let running: ServiceOnEngine;
    beforeAll(async () => {
      running = await startServiceOn(engine);
    });
    afterAll(() => running.close());

    it('are accepted whole or not at all: 5 of 400 batches of 10, where 50 jobs fit', async () => {
      const { service } = running;
      const token = service.issuer.issueToken({ user: '51' });
      const wishes = { node_number: '100', runtime: '1.0', count: '10' };
      await get(`${service.url}/quotas/`, token);

      const answers = await Promise.all(
        Array.from({ length: 400 }, (_, n) => {
          const headers = { 'idempotency-key': `batch-${n}` };
          return insist(() => submitBatch(service, token, wishes, headers));
        }),
      );

      const counts = Object.groupBy(answers, ({ status }) => String(status));
      expect(Object.keys(counts).sort()).toEqual(['201', '403']);
      expect(counts['201']).toHaveLength(5);
      expect(counts['403']).toHaveLength(395);
      const batches = await get<BatchBody[]>(`${service.url}/batches/`, token);
      expect(batches.body.map(({ count }) => count)).toEqual([10, 10, 10, 10, 10]);
      expect(new Set(batches.body.map(({ batch_id: id }) => id)).size).toBe(5);
      const path = '/quotas/hpc_one/proj_hpc_one_01/?expand=usage';
      const quota = await get<QuotaBody>(`${service.url}${path}`, token);
      expect(quota.body).toMatchObject({ time_left: 0, usage: { living_jobs: 50 } });
    });
  },
);
