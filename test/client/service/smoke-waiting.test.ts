import { afterAll, beforeAll, expect, it } from 'vitest';
import { createClient } from '../../../client/src/node/index.ts';
import { smoke } from '../fixtures/run-smoke.ts';
import { type RunningService, startRunningService } from '../fixtures/running-service.ts';

/** An hour takes days here: no job ends. */
const hourSeconds = 99_999;

let running: RunningService;
beforeAll(async () => {
  running = await startRunningService(hourSeconds);
});
afterAll(() => running.close());

it.each([
  { user: '1', options: [], last: 'failed job', code: 1 },
  { user: '2', options: ['--may-wait'], last: 'ok ledger', code: 0 },
])('npm run smoke $options cancels a job that does not end in time', async (each) => {
  const { user, options, last, code } = each;
  const { url, issuer } = running.service;
  const token = await issuer.issueToken({ user });
  const outcome = await smoke(url, token, '--seconds', '1', ...options);
  expect(outcome.stdout).toMatch(
    / job .* The job was still \w+ after 1 seconds and was cancelled\./,
  );
  expect(outcome.steps.at(-1)).toBe(last);
  expect(outcome.code).toBe(code);
  const jobs = await createClient({ baseUrl: url, token }).listJobs();
  expect(jobs.map(({ stage }) => stage)).toEqual(['CANCELED']);
});
