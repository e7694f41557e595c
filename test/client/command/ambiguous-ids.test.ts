import { describe, expect, it } from 'vitest';
import { openCommandHome } from '../fixtures/command-host.ts';
import { startServer } from '../fixtures/http-server.ts';

const place = { project_hpc: 'HPC_ONE', project_name: 'proj_hpc_one_01' };
/** Ids of one minute, which begin with its time. */
const batches = ['CFA5D6C6', 'CFB71102', '00A1B2C3', '11A1B2C3', '22A1B2C3', '33A1B2C3'].map(
  (begin) => ({
    ...place,
    batch_id: `019AB3F0-1C2D-7E3F-8A4B-${begin}0000`,
    title: `run ${begin.slice(0, 2)}`,
    count: 1,
    counts: { waiting: 0, running: 0, done: 1, failed: 0, cancelled: 0 },
    end_date: null,
  }),
);
const jobs = [{ ...place, job_id: 'CFA51111-9E15-4FE3-9F84-0EAEB4CC94AA', title: '' }];

async function explain(...words: string[]) {
  const url = await startServer(({ url: path = '' }, response) => {
    const body = path.startsWith('/batches') ? batches : path.startsWith('/jobs') ? jobs : [];
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(body));
  });
  const environment = { SLIPWAY_URL: url, SLIPWAY_TOKEN: 'a.b.c' };
  const { code, err } = await openCommandHome().run(words, { environment });
  return [code, ...err.trimEnd().split('\n')];
}

describe('an ambiguous beginning of an id', () => {
  const next = 'Write one of these, or more of the id.';

  it('names what it matches by the letters that lists show', async () => {
    expect(await explain('batch', 'cf')).toEqual([
      2,
      "'cf' matches 2 batches: CFA5D6C6 (run CF), CFB71102 (run CF).",
      next,
    ]);
  });

  it('says how many more there are than it names', async () => {
    const [, line] = await explain('batch', '019AB');
    expect(line).toMatch(/^'019AB' matches 6 batches: CFA5D6C6 .*, 22A1B2C3 \(run 22\), 1 more\.$/);
  });

  it('names jobs and batches', async () => {
    expect(await explain('wait', 'CFA5')).toEqual([
      2,
      "'CFA5' matches jobs and batches: CFA51111 (no title), CFA5D6C6 (run CF).",
      next,
    ]);
  });
});
