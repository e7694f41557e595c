import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Act } from '#lib/audit/act.ts';
import { actFromItem, actToItem, recordAct } from '#lib/audit/audit-store.ts';
import { type AuditList, maxReads, readAudit } from '#lib/audit/read-audit.ts';
import { writeTransaction } from '#lib/table/transaction.ts';
import { jobId, projectName, systemName, userId } from '#test/fixtures/names.ts';
import { tableForAll } from '../engines/use-table.ts';

const now = new Date('2029-03-15T12:00:00Z');

function act(id: number, at: string, change: Partial<Act> = {}): Act {
  return {
    id: `act-${String(id).padStart(3, '0')}`,
    kind: 'quota-granted',
    at: new Date(at),
    by: '100001',
    reason: 'a course',
    subject: { user: userId('306328') },
    details: { time: { before: 0, after: 5 }, why: null },
    ...change,
  };
}

/** Twelve acts in one month, two in the month after next, and one more than two years later. */
const acts = [
  act(0, '2026-01-01T00:00:00.000Z'),
  ...Array.from({ length: 12 }, (_, n) => act(n + 1, `2026-11-${String(n + 10)}T08:30:00.000Z`)),
  act(13, '2026-12-31T23:59:59.999Z', { kind: 'user-banned', by: '100002' }),
  act(14, '2027-01-01T00:00:00.000Z', {
    subject: { user: userId('7'), hpc: systemName('hpc_one'), project: projectName('p') },
  }),
  act(15, '2029-03-15T11:59:59.000Z', { kind: 'quota-corrected', by: 'slipway' }),
];

describe('the audit', () => {
  const table = tableForAll();
  beforeAll(async () => {
    for (const each of acts) {
      const Item = actToItem(each);
      await table.client.send(new PutCommand({ TableName: table.name, Item }));
    }
  });

  /** Reads all pages of a list, each as the numbers of its acts. */
  async function readPages(list: Partial<AuditList>, limit = 100): Promise<number[][]> {
    const pages: number[][] = [];
    let before: string | undefined;
    do {
      const page = await readAudit(table, { filter: {}, ...list }, limit, before, now);
      pages.push(page.entries.map(({ id }) => Number(id.slice(4))));
      before = page.next;
    } while (before !== undefined);
    return pages;
  }
  const all = Array.from({ length: 16 }, (_, n) => 15 - n);

  it('comes newest first, across months without acts and across the turn of the year', async () => {
    expect((await readPages({})).flat()).toEqual(all);
  });

  it('reads at most so many months per request, and continues', async () => {
    // From March 2029 back to April 2027, which has no acts.
    const page = await readAudit(table, { filter: {} }, 100, undefined, now);
    expect(maxReads).toBe(24);
    expect(page.entries.map(({ id }) => id)).toEqual(['act-015']);
    expect(page.next).toBe('2027-03~');
  });

  it.each([1, 2, 3, 5, 7, 12, 13, 16])('shows each act once in pages of %d', async (limit) => {
    const pages = await readPages({}, limit);
    expect(pages.flat()).toEqual(all);
    expect(Math.max(...pages.map((page) => page.length))).toBe(limit === 16 ? 15 : limit);
    expect(pages.at(-1)).not.toEqual([]);
  });

  it.each([
    {
      what: 'since, included',
      list: { since: new Date('2026-12-31T23:59:59.999Z') },
      ids: [15, 14, 13],
    },
    { what: 'until, included', list: { until: new Date('2026-11-10T08:30:00.000Z') }, ids: [1, 0] },
    { what: 'until, before', list: { until: new Date('2026-11-10T08:29:59.999Z') }, ids: [0] },
    { what: 'until, far ahead', list: { until: new Date('9999-12-31T00:00:00Z') }, ids: all },
    {
      what: 'since and until',
      list: {
        since: new Date('2026-11-12T00:00:00Z'),
        until: new Date('2026-11-13T23:59:59.999Z'),
      },
      ids: [4, 3],
    },
    { what: 'nothing', list: { since: new Date('2029-03-16T00:00:00Z') }, ids: [] },
    { what: 'by', list: { filter: { by: '100002' } }, ids: [13] },
    { what: 'by the service', list: { filter: { by: 'slipway' } }, ids: [15] },
    { what: 'user', list: { filter: { user: userId('7') } }, ids: [14] },
    { what: 'kind', list: { filter: { kind: 'user-banned' as const } }, ids: [13] },
    { what: 'what is given', list: { filter: { user: userId('7'), by: undefined } }, ids: [14] },
    { what: 'two filters', list: { filter: { user: userId('7'), by: '100002' } }, ids: [] },
  ])('is filtered by $what', async ({ list, ids }) => {
    expect((await readPages(list)).flat()).toEqual(ids);
    expect((await readPages(list, 1)).flat()).toEqual(ids);
  });

  it('returns every act as it was recorded', () => {
    for (const each of acts) expect(actFromItem(actToItem(each))).toEqual(each);
    const whole = act(1, '2026-11-01T00:00:00Z', {
      subject: {
        user: userId('1'),
        hpc: systemName('hpc_one'),
        project: projectName('p'),
        jobId: jobId('J'),
      },
      details: { n: 1, text: 'a', none: null, pair: { before: null, after: 'b' } },
    });
    expect(actFromItem(actToItem(whole))).toEqual(whole);
  });

  it('is not written twice', async () => {
    const [first] = acts;
    if (!first) throw new Error('There are no acts.');
    const again = writeTransaction(table, [recordAct({ ...first, reason: 'another' })]);
    await expect(again).rejects.toThrow('already in the audit');
    expect((await readPages({ until: new Date('2026-01-02T00:00:00Z') })).flat()).toEqual([0]);
  });
});

describe('the audit of a month with more acts than one read examines', () => {
  const table = tableForAll();

  it('is filtered to its end', async () => {
    const oldest = act(0, '2029-03-01T00:00:00.000Z', { by: 'slipway' });
    const others = Array.from({ length: 501 }, (_, n) => act(n + 1, '2029-03-02T00:00:00.000Z'));
    for (const each of [oldest, ...others]) {
      await table.client.send(new PutCommand({ TableName: table.name, Item: actToItem(each) }));
    }
    const page = await readAudit(table, { filter: { by: 'slipway' } }, 10, undefined, now);
    expect(page.entries.map(({ id }) => id)).toEqual([oldest.id]);
  });
});
