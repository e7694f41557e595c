import { describe, expect, it } from 'vitest';
import { type LedgerLine, ledgerLineToItem } from '#lib/quotas/ledger.ts';
import { jobId, projectName, systemName, userId } from '#test/fixtures/names.ts';

const line: LedgerLine = {
  user: userId('7'),
  hpc: systemName('hpc_one'),
  project: projectName('proj_hpc_one_01'),
  kind: 'grant',
  seconds: 1,
  kilobytes: 2,
  at: new Date('2026-11-15T08:30:00Z'),
  by: '100001',
  reason: 'a course',
};

describe('a line of a ledger', () => {
  it.each([
    { what: 'whoever wrote it', change: {}, cause: 'grant#100001' },
    { what: 'its act', change: { actId: 'act-1' }, cause: 'grant#act-1' },
    {
      what: 'its job',
      change: { kind: 'settle' as const, jobId: jobId('A'), actId: 'act-1' },
      cause: 'settle#A',
    },
  ])('is stored by its moment and $what, so each cause has one line', ({ change, cause }) => {
    expect(ledgerLineToItem({ ...line, ...change })).toMatchObject({
      PK: 'LEDGER#7#hpc_one#proj_hpc_one_01',
      SK: `2026-11-15T08:30:00.000Z#${cause}`,
    });
  });
});
