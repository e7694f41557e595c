import { beforeEach, describe, expect, it } from 'vitest';
import { handler as listSystems } from '#functions/catalog/list-systems.ts';
import { handler as readJobs } from '#functions/jobs/read-jobs.ts';
import { asUser, call } from '../fixtures/call.ts';
import { useTable } from '../fixtures/engine-table.ts';
import { jobItem, hpcOne as sample } from '../fixtures/samples.ts';

const table = useTable();
const path = `/jobs/hpc_one/proj_hpc_one_01/${sample.jobId}/`;
const missing = path.replace('AF17', '0000');

beforeEach(() => table.hold(jobItem(sample)));

function get(at: string, headers: Record<string, string> = {}, method = 'GET') {
  return call(readJobs, { method, path: at, headers: { ...asUser(), ...headers } });
}

async function readTag(at: string): Promise<string> {
  const { headers } = await get(at);
  return String(headers?.etag);
}

describe('a tag', () => {
  it('is that of the answer: the same while it is the same, and another when it changes', async () => {
    const tag = await readTag(path);
    expect(tag).toMatch(/^"[A-Za-z0-9_-]{22}"$/);
    expect(await readTag(path)).toBe(tag);
    await table.hold({ ...jobItem(sample), title: 'another' });
    expect(await readTag(path)).not.toBe(tag);
  });

  it.each([path, '/jobs/'])('saves sending again what has not changed at %s', async (at) => {
    const tag = await readTag(at);
    for (const held of [tag, `W/${tag}`, `"other", ${tag}`, '*']) {
      const { statusCode, headers, body } = await get(at, { 'if-none-match': held });
      expect([held, statusCode, headers?.etag, body]).toEqual([held, 304, tag, undefined]);
      expect(headers).not.toHaveProperty('content-type');
      expect(headers).toMatchObject({ 'cache-control': 'no-store' });
    }
  });

  it('that is not the answer’s is answered in full', async () => {
    for (const held of ['"other"', '', 'nonsense']) {
      const { statusCode, body } = await get(path, { 'if-none-match': held });
      expect([statusCode, JSON.parse(body ?? '').job_id]).toEqual([200, sample.jobId]);
    }
  });

  it('is asked for behind the door alone: without a token there is no 304', async () => {
    const response = await call(readJobs, { path, headers: { 'if-none-match': '*' } });
    expect([response.statusCode, response.headers?.etag]).toEqual([401, undefined]);
  });

  it('is not given to a refusal', async () => {
    const { statusCode, headers } = await get(missing, { 'if-none-match': '*' });
    expect([statusCode, headers?.etag]).toEqual([404, undefined]);
  });

  it('stands on what changes seldom, too', async () => {
    const request = { path: '/hpc/', headers: asUser() };
    const { headers } = await call(listSystems, request);
    const again = { ...request, headers: { ...asUser(), 'if-none-match': String(headers?.etag) } };
    expect((await call(listSystems, again)).statusCode).toBe(304);
  });
});

describe('HEAD', () => {
  it('has the headers of GET, and no body', async () => {
    const whole = await get(path);
    expect(await get(path, {}, 'HEAD')).toEqual({ statusCode: 200, headers: whole.headers });
  });

  it('of what is not there has its status, and no body', async () => {
    const { statusCode, body } = await get(missing, {}, 'HEAD');
    expect([statusCode, body]).toEqual([404, undefined]);
  });

  it('needs the token that GET needs', async () => {
    const { statusCode } = await call(readJobs, { method: 'HEAD', path });
    expect(statusCode).toBe(401);
  });
});
