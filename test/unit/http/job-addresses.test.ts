import { describe, expect, it } from 'vitest';
import { endpoints } from '#functions/endpoints.ts';
import { createJobAddresses } from '#lib/http/presenters/job-addresses.ts';
import { findRoute } from '#lib/http/routes/route.ts';
import { accountOf } from '#lib/jobs/job.ts';
import { createPasses } from '#lib/jobs/passes/passes.ts';
import { jobFixture } from '#test/fixtures/jobs.ts';
import { user } from '#test/fixtures/samples.ts';

const settings = { PUBLIC_URL: 'https://jobs.example.org/slipway', PASS_SECRET: 'a secret' };
const job = jobFixture(user, 1);
const { jobId } = job;
const at = new Date('2026-01-01T00:00:00Z');
const addresses = createJobAddresses(settings)(job, at);

const cases = [
  { purpose: 'input', method: 'GET', route: 'hand-out-input' },
  { purpose: 'script', method: 'GET', route: 'hand-out-input' },
  { purpose: 'results', method: 'PUT', route: 'take-results' },
] as const;

describe.each(cases)('the address of the $purpose of a job', ({ purpose, method, route }) => {
  const address = new URL(addresses[purpose]);

  it('leads to its route, below the address of the service', () => {
    expect(address.origin).toBe('https://jobs.example.org');
    expect(address.pathname).toBe(`/slipway/handover/${jobId}/${purpose}/`);
    const path = address.pathname.replace('/slipway', '');
    expect(findRoute(endpoints, method, path)).toBe(route);
  });

  it('has a pass in its query that is good for half a year', () => {
    expect([...address.searchParams.keys()]).toEqual(['pass']);
    const passes = createPasses(settings.PASS_SECRET);
    const read = (seconds: number) =>
      passes.read(address.searchParams.get('pass') ?? '', {
        purpose,
        jobId,
        at: new Date(at.getTime() + seconds * 1000),
      });
    expect(read(179 * 86_400)).toEqual(accountOf(job));
    expect(() => read(181 * 86_400)).toThrow('Job not found');
  });
});
