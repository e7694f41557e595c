import { describe, expect, it } from 'vitest';
import { addressOf, pageAt, withQuery } from '#console/src/browser/address.ts';

const job = { project_hpc: 'HPC_ONE', project_name: 'proj a/b', job_id: 'A-1' };

describe('an address', () => {
  it.each([
    ['/', { name: 'home' }],
    ['/jobs/', { name: 'jobs' }],
    ['/jobs', { name: 'jobs' }],
    ['/jobs/hpc_one/p/A-1/', { name: 'job', hpc: 'hpc_one', project: 'p', jobId: 'A-1' }],
    ['/jobs/hpc_one/p/', { name: 'missing' }],
    ['/jobs/hpc_one/p/A-1/more/', { name: 'missing' }],
    ['/batches/', { name: 'batches' }],
    ['/batches/hpc_one/p/B-1/', { name: 'batch', hpc: 'hpc_one', project: 'p', batchId: 'B-1' }],
    ['/batches/hpc_one/p/', { name: 'missing' }],
    ['/submit/', { name: 'submit' }],
    ['/submit/x/', { name: 'missing' }],
    ['/quotas/hpc_one/p/', { name: 'ledger', hpc: 'hpc_one', project: 'p' }],
    ['/quotas/hpc_one/', { name: 'missing' }],
    ['/requests/', { name: 'requests' }],
    ['/webhooks/abc/', { name: 'webhook', webhookId: 'abc' }],
    ['/admin/users/306328/', { name: 'admin', rest: ['users', '306328'] }],
    ['/nowhere/', { name: 'missing' }],
    ['/webhooks/%E0%A4%A/', { name: 'webhook', webhookId: '%E0%A4%A' }],
  ])('%s leads to its page', (path, page) => {
    expect(pageAt(path)).toEqual(page);
  });

  it('of a job survives any project name', () => {
    const address = addressOf.job(job);
    expect(address).toBe('/console/jobs/hpc_one/proj%20a%2Fb/A-1/');
    expect(pageAt(address.slice('/console'.length))).toEqual({
      name: 'job',
      hpc: 'hpc_one',
      project: 'proj a/b',
      jobId: 'A-1',
    });
  });

  it('has a query without empty values', () => {
    expect(withQuery('/console/jobs/', { title: 'a b', hpc: '', state: undefined })).toBe(
      '/console/jobs/?title=a+b',
    );
    expect(withQuery('/console/jobs/', {})).toBe('/console/jobs/');
  });
});
