import { gunzipSync } from 'node:zlib';
import { beforeEach, describe, expect, it } from 'vitest';
import { handler as readJobs } from '#functions/jobs/read-jobs.ts';
import { asUser, call } from '../fixtures/call.ts';
import { useTable } from '../fixtures/engine-table.ts';
import { jobId } from '../fixtures/names.ts';
import { jobItem, hpcOne as sample } from '../fixtures/samples.ts';

const table = useTable();
const count = 12;

beforeEach(async () => {
  for (let index = 0; index < count; index++) {
    const id = jobId(sample.jobId.replace(/^../, String(10 + index)));
    await table.hold(jobItem(sample, { id: 1000 + index, jobId: id, title: `Läufe ${index}` }));
  }
});

function get(path: string, headers: Record<string, string> = {}, method = 'GET') {
  return call(readJobs, { method, path, headers: { ...asUser(), ...headers } });
}

function unpack(body: string | undefined): string {
  return gunzipSync(Buffer.from(body ?? '', 'base64')).toString();
}

describe('a long answer', () => {
  it('is packed for who asks for it, and says the same', async () => {
    const plain = await get('/jobs/');
    const packed = await get('/jobs/', { 'accept-encoding': 'gzip, deflate, br' });
    expect(JSON.parse(plain.body ?? '')).toHaveLength(count);
    expect(plain.headers).not.toHaveProperty('content-encoding');
    expect(packed).toMatchObject({
      statusCode: 200,
      isBase64Encoded: true,
      headers: { 'content-encoding': 'gzip', 'content-type': 'application/json' },
    });
    expect(unpack(packed.body)).toBe(plain.body);
    expect(packed.body?.length).toBeLessThan((plain.body?.length ?? 0) / 2);
  });

  it.each(['', 'identity', 'br', 'gzip;q=0', 'gzip;q=0, *'])(
    'is sent as it is to who accepts "%s"',
    async (accepted) => {
      const { headers, body } = await get('/jobs/', { 'accept-encoding': accepted });
      expect(headers).not.toHaveProperty('content-encoding');
      expect(JSON.parse(body ?? '')).toHaveLength(count);
    },
  );

  it('has a weak tag, with which the unpacked one is known again', async () => {
    const { headers } = await get('/jobs/', { 'accept-encoding': 'gzip' });
    const plain = await get('/jobs/');
    expect(headers?.etag).toBe(`W/${plain.headers?.etag}`);
    const held = { 'if-none-match': String(headers?.etag), 'accept-encoding': 'gzip' };
    const again = await get('/jobs/', held);
    expect([again.statusCode, again.body]).toEqual([304, undefined]);
    expect(again.headers).not.toHaveProperty('content-encoding');
  });

  it('is dropped for HEAD', async () => {
    const head = await get('/jobs/', { 'accept-encoding': 'gzip' }, 'HEAD');
    expect([head.statusCode, head.body, head.isBase64Encoded]).toEqual([200, undefined, undefined]);
  });
});

describe('a short answer', () => {
  it('is not packed: it is one packet either way', async () => {
    const { headers, body } = await get('/jobs/hpc_two/', { 'accept-encoding': 'gzip' });
    expect([headers?.['content-encoding'], body]).toEqual([undefined, '[]']);
  });
});
