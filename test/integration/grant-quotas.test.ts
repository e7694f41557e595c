import { describe, expect, it } from 'vitest';
import { readAudit } from '#lib/audit/read-audit.ts';
import { catalog, findProject, findSystem } from '#lib/catalog/catalog.ts';
import { estimateRow, type GrantRow, grantRow } from '#lib/quotas/grants/grant-rows.ts';
import { accountOf } from '#lib/quotas/quota.ts';
import { readQuota } from '#lib/quotas/quota-store.ts';
import { tableForEach } from '../engines/use-table.ts';
import { userId } from '../fixtures/names.ts';

const at = new Date('2026-11-15T08:30:00Z');
const dayLater = new Date('2026-11-16T08:30:00Z');

const table = tableForEach();

const add = (seconds: number, change: Partial<GrantRow> = {}): GrantRow => ({
  user: userId('1'),
  project: findProject(findSystem(catalog, 'hpc_two'), 'proj_hpc_two_02'),
  reason: 'a course',
  by: '100001',
  change: { amounts: { mode: 'add', seconds } },
  name: { sender: userId('100001'), line: 1, key: 'k' },
  ...change,
});
const grant = (row: GrantRow, now = at) => grantRow(table, catalog, row, now);
const granted = async () => (await readQuota(table, accountOf(add(0))))?.time.granted;
const acts = async () =>
  (await readAudit(table, { filter: {} }, 100, undefined, dayLater)).entries.map(
    ({ kind }) => kind,
  );

describe('a row of a bulk grant', () => {
  it('is carried out once under its key, however often and simultaneously it is sent', async () => {
    const outcomes = await Promise.all([grant(add(100)), grant(add(100)), grant(add(100))]);
    expect(outcomes.map(({ kind }) => kind).sort()).toEqual(['granted', 'unchanged', 'unchanged']);
    expect(await grant(add(100))).toEqual({ kind: 'unchanged', details: undefined });
    expect(await granted()).toBe(100);
    expect(await acts()).toEqual(['quota-granted']);
  });

  it('stays done even if it could not be repeated', async () => {
    await grant(add(100));
    const name = { sender: userId('100001'), line: 2, key: 'k' };
    const taking = add(-80, { name });
    expect(await grant(taking)).toMatchObject({ kind: 'corrected' });
    // 20 remain, so taking 80 once more would be refused.
    expect(await grant(taking)).toMatchObject({ kind: 'unchanged' });
    expect(await estimateRow(table, catalog, taking, at)).toMatchObject({ kind: 'unchanged' });
    expect(await granted()).toBe(20);
  });

  it('is refused if its line said something else before, and done on another line', async () => {
    await grant(add(100));
    await expect(grant(add(101))).rejects.toMatchObject({ name: 'IdempotencyKeyReusedError' });
    await grant(add(101, { name: { sender: userId('100001'), line: 2, key: 'k' } }));
    await grant(add(100, { name: { sender: userId('100002'), line: 1, key: 'k' } }));
    expect(await granted()).toBe(301);
  });

  it('that was refused can be sent again, and one with an expired key counts as new', async () => {
    await expect(grant(add(-1))).rejects.toMatchObject({ name: 'QuotaInUseError' });
    await grant(add(100));
    expect(await grant(add(100), dayLater)).toMatchObject({ kind: 'granted' });
    expect(await granted()).toBe(200);
  });
});
