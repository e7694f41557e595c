import { describe, expect, it } from 'vitest';
import type { Job } from '#client/src/index.ts';
import { describeEnd, findEnded, remember } from '#console/src/notifications/end-watcher.tsx';

const job = (id: string, more: Partial<Job> = {}): Job => ({
  id: 1,
  job_id: id,
  owner: '306328',
  project: 1,
  project_hpc: 'HPC_ONE',
  project_name: 'proj_hpc_one_01',
  title: 'a job title',
  stage: 'RUNNING',
  terminal_stage: false,
  failed: false,
  init_date: '2026-11-15T08:30:00Z',
  end_date: null,
  runtime: 2,
  ...more,
});
const ended = { stage: 'SUCCESSFUL', terminal_stage: true } as const;

describe('a notification of the browser', () => {
  it('tells the jobs that have ended since the last look, and no others', () => {
    const before = remember([job('a'), job('b'), job('c'), job('old', ended)]);
    const now = [
      job('quick', { ...ended, id: 2 }),
      job('begun', { id: 3 }),
      job('a', ended),
      job('b'),
      job('c', { ...ended, stage: 'DELETED' }),
      job('old', ended),
      job('older', ended),
    ];
    expect(findEnded(before, now).map(({ job_id: id }) => id)).toEqual(['quick', 'a']);
    expect(findEnded(remember(now), now)).toEqual([]);
  });

  it('says how a job ended', () => {
    expect(describeEnd(job('a', ended))).toBe("Job 'a job title' has ended");
    expect(describeEnd(job('a', { ...ended, failed: true }))).toBe("Job 'a job title' failed");
    expect(describeEnd(job('a', { ...ended, stage: 'CANCELED', title: '' }))).toBe(
      'Job a was cancelled',
    );
  });
});
