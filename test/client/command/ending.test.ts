import { describe, expect, it } from 'vitest';
import { openCommandHome } from '../fixtures/command-host.ts';
import { startServer } from '../fixtures/http-server.ts';

const active = {
  id: 1,
  job_id: 'AF17D39A-9E15-4FE3-9F84-0EAEB4CC94AA',
  project: 1,
  project_hpc: 'HPC_ONE',
  project_name: 'proj_hpc_one_01',
  title: 'first',
  runtime: 0.5,
  stage: 'RUNNING',
  terminal_stage: false,
  failed: false,
  init_date: '2026-01-01T00:00:00Z',
  end_date: null,
};
const ended = { ...active, stage: 'SUCCESSFUL', terminal_stage: true };
const cancelled = { ...ended, stage: 'CANCELED' };
const systems = [{ name: 'hpc_one', project_hpc: 'HPC_ONE', charging: 'node', stage_meanings: {} }];

const sum = (used: number, returned: number) => ({
  job_id: active.job_id,
  held: { time: 600, space: 0 },
  used: { time: used, space: 0 },
  returned: { time: returned, space: 0 },
});

/** Runs a command before a service with one job, what it is cancelled to, and its account. */
async function run(words: readonly string[], job: object, account: object | undefined) {
  const url = await startServer(({ url: path = '', method }, response) => {
    const isLedger = path.includes('/ledger/');
    const one = method === 'DELETE' ? cancelled : job;
    const jobs = path.includes(active.job_id) ? one : [one];
    const body = { hpc: systems, batches: [], quotas: [account] }[path.split('/')[1] ?? ''] ?? jobs;
    response.writeHead(isLedger && !account ? 403 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(body));
  });
  const environment = { SLIPWAY_URL: url, SLIPWAY_TOKEN: 'a.b.c' };
  return openCommandHome().run(words, { environment });
}

describe('slipway wait', () => {
  it('prints the result of a job that has ended only once', async () => {
    const { out, err } = await run(['wait', 'AF17'], ended, sum(2, 598));
    expect(out).toBe('✔ done  AF17D39A  first  used 2 node-seconds, returned 598 node-seconds\n');
    expect(err).toBe('');
  });
});

describe('slipway cancel', () => {
  it.each([
    { account: sum(2, 598), says: 'used 2 node-seconds, returned 598 node-seconds' },
    {
      account: sum(0, 0),
      says: 'reserved 0.17 node-hours, until its system reports how long it ran',
    },
  ])('says what came back, or is kept: $says', async ({ account, says }) => {
    const { out } = await run(['cancel', 'AF17'], active, account);
    expect(out).toBe(`AF17D39A  first  cancelled  ${says}\n`);
  });

  it('has cancelled a job whose account cannot be read', async () => {
    const { code, out } = await run(['cancel', 'AF17'], active, undefined);
    expect([code, out]).toEqual([0, 'AF17D39A  first  cancelled\n']);
  });

  it('says nothing of what came back from a job that had ended', async () => {
    const { out } = await run(['cancel', 'AF17'], ended, sum(2, 598));
    expect(out).toBe('AF17D39A  first  had ended already: SUCCESSFUL\n');
  });
});
