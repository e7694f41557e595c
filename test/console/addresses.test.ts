import { describe, expect, it } from 'vitest';
import {
  addressOf,
  ledAddress,
  pageAt,
  projectRoomAt,
  withQuery,
} from '#console/src/browser/address.ts';
import { writeTitle } from '#console/src/browser/page-title.ts';
import { spotOf } from '#console/src/browser/scroll.ts';

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
    ['/quotas/hpc_one/p/folder/', { name: 'folder', hpc: 'hpc_one', project: 'p' }],
    ['/quotas/hpc_one/p/other/', { name: 'missing' }],
    ['/quotas/hpc_one/', { name: 'missing' }],
    ['/requests/', { name: 'requests' }],
    ['/projects/', { name: 'projects' }],
    ['/projects/hpc_one/', { name: 'missing' }],
    ['/projects/hpc_one/p/', { name: 'project', hpc: 'hpc_one', project: 'p', rest: [] }],
    [
      '/projects/hpc_one/p/jobs/A-1/',
      { name: 'project', hpc: 'hpc_one', project: 'p', rest: ['jobs', 'A-1'] },
    ],
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

  it.each([
    [ledAddress.project(job), { name: 'project' }],
    [ledAddress.jobs(job), { name: 'jobs' }],
    [ledAddress.job(job), { name: 'job', jobId: 'A-1' }],
    [ledAddress.report(job), { name: 'report' }],
    [ledAddress.statement(job), { name: 'statement' }],
    [ledAddress.budgetLedger(job), { name: 'ledger' }],
    [ledAddress.ledger('7', job), { name: 'member', user: '7' }],
    [`${ledAddress.project(job)}nowhere/`, { name: 'missing' }],
  ])('%s leads to a page about its project', (address, room) => {
    const found = pageAt(address.slice('/console'.length));
    expect(found).toMatchObject({ name: 'project', hpc: 'hpc_one', project: 'proj a/b' });
    expect(projectRoomAt('rest' in found ? found.rest : [])).toEqual(room);
  });

  it('has a query without empty values', () => {
    expect(withQuery('/console/jobs/', { title: 'a b', hpc: '', state: undefined })).toBe(
      '/console/jobs/?title=a+b',
    );
    expect(withQuery('/console/jobs/', {})).toBe('/console/jobs/');
  });
});

describe('the title of a tab', () => {
  it('names the page, or the job with its state', () => {
    expect(writeTitle(pageAt('/jobs/'), undefined)).toBe('Jobs · Slipway');
    expect(writeTitle(pageAt('/admin/people/7/'), undefined)).toBe('People · Slipway');
    expect(writeTitle(pageAt('/quotas/hpc_one/p/'), undefined)).toBe('Ledger of p · Slipway');
    const shown = { title: '✔ Spike trains', meaning: 'done' };
    expect(writeTitle(pageAt('/jobs/hpc_one/p/J/'), shown)).toBe('✔ Spike trains · Slipway');
  });
});

describe('a place on a page', () => {
  it('is read from the history, unless something else is there', () => {
    expect(spotOf({ spot: { top: 400, focus: '/console/jobs/' } })).toEqual({
      top: 400,
      focus: '/console/jobs/',
    });
    for (const other of [null, 'x', {}, { spot: { top: 'far' } }]) {
      expect(spotOf(other)).toBeUndefined();
    }
  });
});
