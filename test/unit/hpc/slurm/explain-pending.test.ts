import { describe, expect, it } from 'vitest';
import { explainPending } from '#lib/hpc/slurm/observe-job.ts';

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
      says: /^The time that its account .* Slurm says: AssocGrpCPUMinutesLimit\.$/,
    },
    { reason: 'QOSMaxJobsPerUserLimit', says: /^A limit / },
    { reason: 'AssocMaxJobsLimit', says: /^A limit .* when there is room\. Slurm says: / },
    { reason: 'QOSMaxWallDurationPerJobLimit', says: /allows no such job\. It does not start / },
    { reason: 'QOSMinCpuNotSatisfied', says: /allows no such job\. It does not start / },
    { reason: 'PartitionTimeLimit', says: /^It asks for more time .* It does not start like this/ },
    { reason: 'QOSNotAllowed', says: /may not be used in its partition/ },
    { reason: 'SomethingNew', says: /^Slurm says: SomethingNew\.$/ },
  ])('is told in words, with that of Slurm behind them: $reason', ({ reason, says }) => {
    expect(explainPending({ reason })).toMatch(says);
  });

  it.each([undefined, '', 'None'])('is not told if Slurm has no reason: %s', (reason) => {
    expect(explainPending({ reason })).toBe('');
  });
});
