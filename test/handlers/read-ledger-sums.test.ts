import { GetCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { handler } from '#functions/quotas/read-quotas.ts';
import { asUser, call } from '../fixtures/call.ts';
import { holdLedger, ledgerOfOne } from '../fixtures/ledgers.ts';
import { answer, invalidRequest, readResponse } from '../fixtures/responses.ts';
import { hpcOne, quotaItem, submittedAt } from '../fixtures/samples.ts';
import { mockTable } from '../fixtures/table-mock.ts';

const table = mockTable();

beforeEach(() => {
  table.reset();
  table.on(GetCommand).resolves({
    Item: quotaItem(hpcOne, { timeLeft: 17_900_000, spaceLeft: 9_999_999 }),
  });
  holdLedger(table, ledgerOfOne.lines);
  vi.useFakeTimers({ toFake: ['Date'], now: submittedAt });
});
afterEach(() => vi.useRealTimers());

function get(query: string) {
  const path = '/quotas/hpc_one/proj_hpc_one_01/ledger/';
  return call(handler, { path, query, headers: asUser() });
}

describe('GET .../ledger/?sum=', () => {
  const zero = { time: 0, space: 0 };

  it('day answers what became of the account, day by day', async () => {
    const day = { granted: zero, expired: zero, corrected: zero, held: zero };
    const rest = { returned: zero, used: zero };
    expect(readResponse(await get('sum=day'))).toEqual(
      answer(200, [
        {
          ...day,
          ...rest,
          day: '2019-02-10',
          corrected: { time: -88_480, space: 0 },
          change: { time: -88_480, space: 0 },
        },
        {
          ...day,
          ...rest,
          day: '2019-02-09',
          held: { time: 14_400, space: 1 },
          returned: { time: 2880, space: 0 },
          used: { time: 11_520, space: 0 },
          change: { time: -11_520, space: -1 },
        },
        {
          ...day,
          ...rest,
          day: '2019-02-08',
          granted: { time: 18_000_000, space: 10_000_000 },
          change: { time: 18_000_000, space: 10_000_000 },
        },
      ]),
    );
  });

  it('job answers what each job held, used and gave back', async () => {
    expect(readResponse(await get('sum=job'))).toEqual(
      answer(200, [
        {
          job_id: hpcOne.jobId,
          corrected: zero,
          held: { time: 14_400, space: 1 },
          returned: { time: 2880, space: 0 },
          used: { time: 11_520, space: 0 },
          change: { time: -11_520, space: -1 },
        },
      ]),
    );
  });

  it('covers the last 31 days, unless another period is named', async () => {
    await get('sum=day');
    await get('sum=day&since=2019-02-09&until=2019-02-09');
    const [first, second] = table
      .commandCalls(QueryCommand)
      .map(({ args: [{ input }] }) => input.ExpressionAttributeValues);
    expect(first).toMatchObject({ ':from': '2019-01-11T00:00:00.000Z', ':to': ':' });
    expect(second).toMatchObject({
      ':from': '2019-02-09T00:00:00.000Z',
      ':to': '2019-02-09T23:59:59.999Z$',
    });
  });

  it('answers 400 to more than 10,000 lines', async () => {
    const item = (index: number) => ({ ...ledgerOfOne.hold, SK: `2019-02-09T#${10_000 + index}` });
    const many = Array.from({ length: 10_001 }, (_, index) => item(index));
    holdLedger(table, many.slice(1), 4000);
    expect((await get('sum=job')).statusCode).toBe(200);
    holdLedger(table, many, 4000);
    expect(readResponse(await get('sum=job'))).toEqual(
      invalidRequest([
        {
          location: 'query',
          name: 'since',
          message:
            'This period has more than 10000 lines. Choose a shorter one with since and until.',
        },
      ]),
    );
  });
});
