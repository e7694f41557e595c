import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readJobPage } from '../../lib/http/job-page.ts';
import { jobToItem } from '../../lib/jobs/job-item.ts';
import { findJob } from '../../lib/jobs/job-store.ts';
import type { Table } from '../../lib/table/table.ts';
import { openTable } from '../../lib/table/table.ts';
import { createTable } from '../../local/create-table.ts';
import { engines } from '../engines/engines.ts';
import { jobFixture, seedJobs } from '../fixtures/jobs.ts';

const unit = 4096;

/** The bytes that DynamoDB counts for an item of text, numbers, booleans and null. */
function weigh(item: Readonly<Record<string, unknown>>): number {
  return Object.entries(item).reduce((sum, [name, value]) => {
    if (typeof value === 'string') return sum + name.length + Buffer.byteLength(value);
    if (typeof value === 'number')
      return sum + name.length + Math.ceil(String(value).length / 2) + 1;
    return sum + name.length + 1;
  }, 0);
}

/** Adds up what the requests of a table consume. */
function meter(table: Table) {
  const units: number[] = [];
  table.client.middlewareStack.add(
    (next) => async (parameters) => {
      Object.assign(parameters.input, { ReturnConsumedCapacity: 'TOTAL' });
      const result = await next(parameters);
      const output: { ConsumedCapacity?: { CapacityUnits?: number } } = Object(result.output);
      units.push(output.ConsumedCapacity?.CapacityUnits ?? Number.NaN);
      return result;
    },
    { step: 'initialize' },
  );
  return {
    async cost(action: () => Promise<unknown>): Promise<number> {
      units.length = 0;
      await action();
      return units.reduce((sum, each) => sum + each, 0);
    },
  };
}

describe.each(engines.filter(({ available }) => available))(
  'what a request costs on $name',
  (engine) => {
    let database: Awaited<ReturnType<typeof engine.start>>;
    let table: Table;
    let cost: (action: () => Promise<unknown>) => Promise<number>;
    beforeAll(async () => {
      database = await engine.start();
      Object.assign(process.env, {
        AWS_ENDPOINT_URL_DYNAMODB: database.endpoint,
        AWS_REGION: 'eu-central-1',
        AWS_ACCESS_KEY_ID: 'test',
        AWS_SECRET_ACCESS_KEY: 'test',
      });
      await createTable('slipway-costs');
      table = openTable('slipway-costs');
      await seedJobs(table, '100', 1, 100);
      await seedJobs(table, '500', 1, 5000);
      ({ cost } = meter(table));
    });
    afterAll(async () => {
      table.client.destroy();
      await database.close();
    });

    const pageOf100 = (owner: string) => () =>
      readJobPage(table, {
        list: { owner, order: 'asc', filter: {} },
        limit: 100,
        cursor: undefined,
      });

    it('takes 1 read unit for a single job', async () => {
      const { project, jobId } = jobFixture('100', 1);
      const place = { owner: '100', hpc: project.hpc, project: project.name };
      expect(await cost(() => findJob(table, place, jobId))).toBe(1);
    });

    it('takes no more for a page of 100 jobs than those 100 items weigh', async () => {
      const bytes = Array.from({ length: 100 }, (_, n) =>
        weigh(jobToItem(jobFixture('100', n + 1))),
      );
      const weight = bytes.reduce((sum, each) => sum + each, 0);
      expect(await cost(pageOf100('100'))).toBeLessThanOrEqual(Math.ceil(weight / unit));
    });

    it('takes the same for a page of 100 whether the caller has 100 or 5,000 jobs', async () => {
      const small = await cost(pageOf100('100'));
      expect(small).toBeGreaterThan(1);
      expect(await cost(pageOf100('500'))).toBe(small);
    });
  },
);
