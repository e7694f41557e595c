import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { catalog } from '#lib/catalog/catalog.ts';
import { spendingKey } from '#lib/table/keys.ts';
import { call } from '../../fixtures/call.ts';
import { useTable } from '../../fixtures/engine-table.ts';
import { pricedSystem } from '../../fixtures/priced-systems.ts';
import { profileItem } from '../../fixtures/profiles.ts';
import { readResponse } from '../../fixtures/responses.ts';
import { hpcOne, quotaItem } from '../../fixtures/samples.ts';
import { mockStorage } from '../../fixtures/storage-mock.ts';
import { submission } from '../../fixtures/submissions.ts';

vi.stubEnv('MONTHLY_BUDGET_USD', '100');
const { handler } = await import('#functions/jobs/submit-job.ts');
const table = useTable();
const storage = mockStorage();

const systems = vi.spyOn(catalog, 'systems', 'get').mockReturnValue([pricedSystem('hpc_one')]);
afterAll(() => {
  systems.mockRestore();
  vi.useRealTimers();
  vi.unstubAllEnvs();
});

beforeEach(() => {
  storage.reset();
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-16T10:00:00Z') });
});

const spent = (dollars: number) =>
  table.hold(profileItem(), quotaItem(hpcOne), {
    ...spendingKey(),
    held: 0,
    used_2026_11: dollars * 1_000_000,
  });

describe('a submission to AWS Batch', () => {
  it.each(['', 'dry_run=true'])('is refused once the budget is spent: %s', async (query) => {
    await spent(103);
    const { statusCode, body } = readResponse(
      await call(handler, { ...submission(hpcOne), query }),
    );
    expect(statusCode).toBe(403);
    expect(body).toMatchObject({
      type: 'urn:slipway:problem:budget-spent',
      detail: expect.stringMatching(/^AWS Batch is paused until 1 December: /),
      estimate: 103,
      budget: 100,
      opens_at: '2026-12-01T00:00:00Z',
    });
    expect(table.sent()).not.toContain('TransactWriteItems');
  });

  it('counts its cost in the transaction that accepts it', async () => {
    await spent(3);
    const { statusCode } = readResponse(await call(handler, submission(hpcOne)));
    expect(statusCode).toBe(201);
    expect(Object(await table.read({ ...spendingKey() })).held).toBeGreaterThan(0);
    expect(table.sent().filter((name) => name === 'TransactWriteItems')).toHaveLength(1);
  });
});
