import { describe, expect, it } from 'vitest';
import { type Batch, placeOf } from '../../../client/src/index.ts';
import { batch, cutOff, job, refuse, scriptClient } from '../fixtures/scripted-client.ts';

const wishes = { hpc: 'hpc_one', command: 'run {index}', nodes: 1, cores: 1, runtime: 0.5 };
const made = Response.json(batch, { status: 201 });
const path = `/batches/hpc_one/proj_hpc_one_01/${batch.batch_id}/`;

function at(counts: Partial<Batch['counts']>, end: string | null = null): Response {
  return Response.json({ ...batch, counts: { ...batch.counts, ...counts }, end_date: end });
}

describe('submitting a batch', () => {
  it('sends the number of jobs, and how many may run at once', async () => {
    const { client, asked } = scriptClient([made]);
    expect(await client.submitBatch({ ...wishes, count: 500, maxRunning: 4 })).toEqual(batch);
    expect(asked[0]).toMatchObject({ method: 'POST', path: '/batches/hpc_one/' });
    expect(JSON.parse(asked[0]?.headers.get('payload') ?? '')).toEqual({
      command: 'run {index}',
      node_number: 1,
      core_number: 1,
      runtime: 0.5,
      count: 500,
      max_running: 4,
    });
  });

  it('names a table in the zip, in the project that is asked for', async () => {
    const { client, asked } = scriptClient([made]);
    const input = new Uint8Array([80, 75, 5, 6]);
    const place = { project: 'proj_hpc_one_01', table: 'params.csv' };
    await client.submitBatch({ ...wishes, ...place, input });
    expect(asked[0]?.path).toBe('/batches/hpc_one/proj_hpc_one_01/');
    expect(asked[0]?.headers.get('content-type')).toBe('application/zip');
    expect(JSON.parse(asked[0]?.headers.get('payload') ?? '')).toMatchObject({
      table: 'params.csv',
    });
  });

  it('never becomes a single job, even if it says neither how many nor which table', async () => {
    const { client, asked } = scriptClient([made]);
    await client.submitBatch(wishes);
    expect(asked[0]?.path).toBe('/batches/hpc_one/');
  });

  it('has one key for all tries, so it never makes two batches', async () => {
    const { client, asked } = scriptClient([cutOff, refuse(503, 'unavailable'), made]);
    await client.submitBatch({ ...wishes, count: 3 });
    const keys = asked.map(({ headers }) => headers.get('idempotency-key'));
    expect(keys).toEqual([expect.stringMatching(/^[\w-]{36}$/), keys[0], keys[0]]);
    const own = scriptClient([made]);
    await own.client.submitBatch({ ...wishes, count: 3, idempotencyKey: 'mine' });
    expect(own.asked[0]?.headers.get('idempotency-key')).toBe('mine');
  });

  it('uploads a large zip first', async () => {
    const address = 'https://storage.test/a';
    const upload = Response.json({ upload_id: 'u-1', address, headers: {} }, { status: 201 });
    const { client, asked } = scriptClient([upload, new Response(null), made]);
    await client.submitBatch({ ...wishes, count: 3, input: new Blob([new Uint8Array(4_500_001)]) });
    expect(asked.map(({ method, path: where }) => `${method} ${where}`)).toEqual([
      'POST /uploads/',
      'PUT /a',
      'POST /batches/hpc_one/',
    ]);
    expect(asked[2]?.headers.get('upload-id')).toBe('u-1');
  });

  it('can be estimated, which is only a question', async () => {
    const { client, asked } = scriptClient([Response.json({ held: { time: 1, space: 0 } })]);
    await client.estimateBatch({ ...wishes, count: 3 });
    expect(asked[0]).toMatchObject({ path: '/batches/hpc_one/?dry_run=true' });
    expect(asked[0]?.headers.get('idempotency-key')).toBeNull();
  });
});

describe('waiting for a batch', () => {
  it('takes one request a round, speeds up after a change, and reports changes', async () => {
    const { client, asked, pauses } = scriptClient([
      at({}),
      at({}),
      at({ waiting: 2, running: 1 }),
      at({ waiting: 0, done: 3 }, '2026-11-16T09:00:00Z'),
    ]);
    const seen: number[] = [];
    const ended = await client.waitFor(batch, { onChange: ({ counts }) => seen.push(counts.done) });
    expect(ended.counts.done).toBe(3);
    expect(seen).toEqual([0, 3]);
    expect(pauses).toEqual([1000, 1500, 2250, 1000]);
    expect(asked.map((each) => each.path)).toEqual([path, path, path, path]);
  });

  it('sends no request if all jobs have ended', async () => {
    const { client, asked } = scriptClient([cutOff]);
    await client.waitFor({ ...batch, end_date: '2026-11-16T09:00:00Z' });
    expect(asked).toEqual([]);
  });
});

describe('the jobs of a batch', () => {
  it('come page by page, as they are needed', async () => {
    const link = `<https://slipway.test/jobs/?batch=${batch.batch_id}&cursor=c>; rel="next"`;
    const first = Response.json([job], { headers: { link } });
    const { client, asked } = scriptClient([first, Response.json([{ ...job, id: 2 }])]);
    const ids: number[] = [];
    for await (const { id } of client.jobsOf(batch, { failed: true })) {
      ids.push(id);
      expect(asked).toHaveLength(ids.length);
    }
    expect(ids).toEqual([1, 2]);
    expect(asked[0]?.path).toBe(`/jobs/?failed=true&batch=${batch.batch_id}`);
  });
});

describe('running the failed jobs again', () => {
  it('has one key for all tries', async () => {
    const { client, asked } = scriptClient([cutOff, made]);
    await client.repeatFailed(placeOf(batch));
    const keys = asked.map(({ headers }) => headers.get('idempotency-key'));
    expect(keys).toEqual([expect.stringMatching(/^[\w-]{36}$/), keys[0]]);
    expect(asked[1]).toMatchObject({ method: 'POST', path: `${path}failed/` });
  });
});
