import { describe, expect, it } from 'vitest';
import { type AccountReading, judgeAccount } from '#lib/accounts/judge-account.ts';
import { quotaFromItem } from '#lib/quotas/quota-item.ts';
import { DamagedItemError } from '#lib/table/parse-item.ts';
import { openTable } from '#lib/table/table.ts';
import { hpcOne, quotaItem, user } from '#test/fixtures/samples.ts';

const place = { user, hpc: hpcOne.hpc, project: hpcOne.project };
const table = openTable('never asked');
const quota = quotaFromItem(quotaItem(hpcOne));
const holds = { seconds: 0, kilobytes: 0, activeJobs: 0 };
const ledger = { seconds: quota.time.left, kilobytes: quota.space.left };

const sound = (changes: number): AccountReading => ({ quota, holds, ledger, changes });
const wrong = (changes: number): AccountReading => ({
  ...sound(changes),
  holds: { ...holds, seconds: 5 },
});

/** Returns one reading after another, and throws if there are no more. */
function judge(readings: (AccountReading | undefined)[]) {
  const rest = [...readings];
  return judgeAccount(table, place, async () => {
    if (rest.length === 0) throw new Error('It was read once more.');
    return rest.shift();
  });
}

describe('an account', () => {
  it('that looks right is read once', async () => {
    expect(await judge([sound(1)])).toEqual({ state: 'sound' });
  });

  it('that looks wrong is read again, and drifts if nothing changed in between', async () => {
    expect(await judge([wrong(1), wrong(1)])).toMatchObject({
      state: 'drifting',
      reading: { changes: 1 },
      repair: { drifts: [{ kind: 'missing-hold' }] },
    });
  });

  it('that only looked wrong because it changed while it was read does not drift', async () => {
    expect(await judge([wrong(1), sound(2)])).toEqual({ state: 'sound' });
    expect(await judge([wrong(1), wrong(2), wrong(3), sound(3)])).toEqual({ state: 'sound' });
  });

  it('that changes at every reading is busy after three more readings', async () => {
    expect(await judge([wrong(1), wrong(2), wrong(3), wrong(4)])).toEqual({ state: 'busy' });
  });

  it('that drifts is found even if it changed at first', async () => {
    const verdict = await judge([wrong(1), wrong(2), wrong(3), wrong(3)]);
    expect(verdict).toMatchObject({ state: 'drifting' });
  });

  it('that does not exist is absent', async () => {
    expect(await judge([undefined])).toEqual({ state: 'absent' });
    expect(await judge([wrong(1), undefined])).toEqual({ state: 'absent' });
  });

  it('that cannot be read is damaged, and any other error is thrown', async () => {
    const damaged = await judgeAccount(table, place, async () => {
      throw new DamagedItemError(['time_left']);
    });
    expect(damaged).toEqual({ state: 'damaged', reason: expect.stringContaining('time_left') });
    await expect(judge([])).rejects.toThrow('once more');
  });
});
