import { describe, expect, it } from 'vitest';
import { explainPending } from '#lib/hpc/slurm/explain-pending.ts';

describe('why a job waits', () => {
  it.each([
    { reason: 'JobHeldAdmin', says: /^An administrator .* Slurm says: JobHeldAdmin\.$/ },
    { reason: 'BeginTime', says: /^It may not start before .* Slurm says: BeginTime\.$/ },
    {
      reason: 'ReqNodeNotAvail, Reserved for maintenance',
      says: /^The nodes .* Slurm says: ReqNodeNotAvail, Reserved for maintenance\.$/,
    },
    {
      reason: 'AssocGrpCPUMinutesLimit',
      says: /^A limit .* Slurm says: AssocGrpCPUMinutesLimit\.$/,
    },
    { reason: 'QOSMaxJobsPerUserLimit', says: /^A limit / },
    { reason: 'SomethingNew', says: /^Slurm says: SomethingNew\.$/ },
  ])('is told in words, with that of Slurm behind them: $reason', ({ reason, says }) => {
    expect(explainPending({ reason })).toMatch(says);
  });

  it.each([undefined, '', 'None'])('is not told if Slurm has no reason: %s', (reason) => {
    expect(explainPending({ reason })).toBe('');
  });
});
