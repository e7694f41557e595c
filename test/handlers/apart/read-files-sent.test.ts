import { bytes } from 'node:stream/consumers';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { handler } from '#functions/files/read-files.ts';
import type { StreamedRequest } from '#lib/byte-streams/send-request.ts';
import { buildZip } from '#test/fixtures/build-zip.ts';
import { asUser, call } from '#test/fixtures/call.ts';
import { useTable } from '#test/fixtures/engine-table.ts';
import { answer, readResponse } from '#test/fixtures/responses.ts';
import { hpcOne, jobItem, lifeItem } from '#test/fixtures/samples.ts';
import { mockStorage } from '#test/fixtures/storage-mock.ts';

/** hpc_one as a system whose jobs send their results themselves. */
vi.mock('#test/fixtures/chosen-systems.ts', async () => {
  const { catalog } = await import('#test/fixtures/catalog.ts');
  const connector = {
    kind: 'slurm',
    baseUrl: 'http://slurm.test',
    partition: 'batch',
    workDirectory: '/scratch',
  };
  const systems = catalog.systems.map((system) => ({ ...system, connector }));
  return { chosenSystems: () => systems };
});

/** Streamed bodies do not go by fetch, which the mocked storage answers: here they do. */
vi.mock('#lib/byte-streams/send-request.ts', () => ({
  sendRequest: async ({ url, method, headers, sending }: StreamedRequest) =>
    fetch(url, { method, headers, body: await bytes(sending.stream) }),
}));

const table = useTable();
const storage = mockStorage();
const place = `/results-test/306328/${hpcOne.jobId}.zip`;
const path = `/files/${hpcOne.hpc}/${hpcOne.project}/${hpcOne.jobId}/`;
const read = (file = '') => call(handler, { path: `${path}${file}`, headers: asUser() });

beforeEach(async () => {
  storage.reset();
  await table.hold(jobItem(hpcOne, { ended: true }), lifeItem(hpcOne));
});

async function idOf(name: string): Promise<string> {
  const { body } = readResponse(await read());
  const files = Array.isArray(body) ? body : [];
  return files.find(({ filename }) => filename === name)?.fileid ?? '';
}

describe('GET /files/ of a job that sends its results', () => {
  it('is empty until they have come, and neither asks the system nor reads its breaker', async () => {
    expect(readResponse(await read())).toEqual(answer(200, []));
    expect(storage.calls).toEqual([`HEAD ${place}`, `GET ${place.replace('.zip', '.output')}`]);
    expect(table.sent()).toEqual(['GetItem', 'GetItem']);
  });

  it('of a living one notes that somebody follows it, and not with every question', async () => {
    await table.hold(jobItem(hpcOne));
    await read();
    await read();
    expect(table.writes()).toBe(1);
    const SK = `FOLLOWER#${hpcOne.hpc}#${hpcOne.project}#${hpcOne.jobId}`;
    expect(await table.read({ PK: 'USER#306328', SK })).toMatchObject({ type: 'job-follower' });
  });

  it('lists what is in the zip, and gives each file', async () => {
    storage.objects.set(place, buildZip([{ name: 'out/é.txt', content: 'results' }]));
    const fileid = await idOf('out/é.txt');
    expect(readResponse(await read())).toEqual(
      answer(200, [{ fileid, filename: 'out/é.txt', length: 7 }]),
    );
    expect(await read(`${fileid}/`)).toMatchObject({
      statusCode: 200,
      headers: {
        'content-disposition': 'attachment; filename="?.txt"; filename*=UTF-8\'\'%C3%A9.txt',
      },
      body: Buffer.from('results').toString('base64'),
      isBase64Encoded: true,
    });
  });

  it('lists them by pages and folders', async () => {
    const names = ['a', 'out/1', 'out/2', 'out/deep/3', 'z'];
    storage.objects.set(place, buildZip(names.map((name) => ({ name }))));
    const list = async (query: string) => {
      const {
        body = '',
        headers,
        statusCode,
      } = await call(handler, {
        path,
        query,
        headers: asUser(),
      });
      expect(statusCode).toBe(200);
      const next = /\?(.*)>; rel="next"/.exec(String(headers?.link))?.[1];
      return { files: JSON.parse(body), next };
    };
    const first = await list('limit=3');
    expect(first.files).toMatchObject([{ filename: 'a' }, { filename: 'out/1' }, {}]);
    const second = await list(first.next ?? '');
    expect(second).toMatchObject({ files: [{ filename: 'out/deep/3' }, { filename: 'z' }] });
    expect(second.next).toBeUndefined();
    const { files } = await list('folder=out');
    expect(files).toMatchObject([
      { filename: 'out/1' },
      { filename: 'out/2' },
      { fileid: '', filename: 'out/deep/', length: 0, folder: true },
    ]);
    const other = { path, query: `folder=out&${first.next}`, headers: asUser() };
    expect((await call(handler, other)).statusCode).toBe(400);
  });

  it('sends whoever asks for a large one to an address that is good for 15 minutes', async () => {
    const content = Buffer.alloc(4_500_001);
    storage.objects.set(place, buildZip([{ name: 'large.bin', content }]));
    const fileid = await idOf('large.bin');
    const { headers: { location = '', ...headers } = {}, ...rest } = await read(`${fileid}/`);
    expect(rest).toEqual({ statusCode: 303 });
    expect(headers).toEqual({
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'strict-transport-security': 'max-age=63072000; includeSubDomains',
      'x-content-type-options': 'nosniff',
    });
    const address = new URL(String(location));
    const relay = `/results-test/relay/306328/${hpcOne.jobId}/${fileid}`;
    expect(address.pathname).toBe(relay);
    expect(storage.objects.get(relay)).toHaveLength(content.length);
    expect(Object.fromEntries(address.searchParams)).toMatchObject({
      'X-Amz-Expires': '900',
      'response-content-disposition': 'attachment; filename=large.bin',
    });
  });

  it.each(['none/', 'results.zip/x/'])('answers 404 to %s', async (file) => {
    storage.objects.set(place, buildZip([{ name: 'a' }]));
    expect((await read(file)).statusCode).toBe(404);
  });
});
