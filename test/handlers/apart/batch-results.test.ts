import { beforeEach, describe, expect, it, vi } from 'vitest';
import { handler } from '#functions/files/read-files.ts';
import { batchItem, batchSample } from '#test/fixtures/batches.ts';
import { buildZip, type ZipEntry } from '#test/fixtures/build-zip.ts';
import { asUser, call } from '#test/fixtures/call.ts';
import { captureLog } from '#test/fixtures/captured-log.ts';
import { useTable } from '#test/fixtures/engine-table.ts';
import { jobId } from '#test/fixtures/names.ts';
import { readResponse } from '#test/fixtures/responses.ts';
import { hpcOne, hpcTwo, jobItem, lifeItem, otherUser, user } from '#test/fixtures/samples.ts';
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

const table = useTable();
const storage = mockStorage();
beforeEach(() => storage.reset());

const { id, firstId } = batchSample;
const path = `/results/${hpcOne.hpc}/${hpcOne.project}/${id}/`;
const read = (query = '', headers = asUser(), at = path) =>
  call(handler, { path: at, query, headers });

/** A batch of `count` jobs, ended unless said otherwise, with lives. */
async function holdBatch(count: number, active: readonly number[] = []) {
  await table.hold(batchItem({ count }));
  for (let index = 0; index < count; index += 1) {
    const sample = { id: firstId + index, jobId: jobId(`JOB-${index}`) };
    const item = jobItem(hpcOne, { ...sample, ended: !active.includes(index) });
    await table.hold({ ...item, batch_id: id, batch_index: index + 100 }, lifeItem(hpcOne, sample));
  }
}

const send = (index: number, entries: readonly ZipEntry[]) =>
  storage.objects.set(`/results-test/${user}/JOB-${index}.zip`, buildZip(entries));

const nextOf = (headers: { readonly link?: unknown } = {}) =>
  /\?(.*)>; rel="next"/.exec(String(headers.link))?.[1];

describe('GET /results/', () => {
  it('has the file of each job, or says why not', async () => {
    await holdBatch(7, [1]);
    send(0, [
      { name: 'stdout', content: 'é\n' },
      { name: 'other', content: 'x' },
    ]);
    send(2, [{ name: 'stdout', content: Buffer.from([0xff, 0x00]) }]);
    send(3, [{ name: 'other', content: 'x' }]);
    send(4, [{ name: 'stdout', content: Buffer.alloc(262_145, 'a') }]);
    storage.objects.set(`/results-test/${user}/JOB-5.output`, Buffer.from('9,4 0,0\ntail'));
    const { statusCode, body } = readResponse(await read());
    expect(statusCode).toBe(200);
    const fileid = expect.stringMatching(/^[\w-]{22}$/);
    const whole = { state: 'included', fileid };
    expect(body).toMatchObject([
      {
        ...whole,
        place: 0,
        index: 100,
        job_id: 'JOB-0',
        length: 3,
        encoding: 'utf-8',
        content: 'é\n',
      },
      { place: 1, state: 'active', terminal_stage: false },
      { ...whole, place: 2, length: 2, encoding: 'base64', content: '/wA=' },
      { place: 3, state: 'missing', terminal_stage: true },
      { place: 4, state: 'apart', fileid, length: 262_145 },
      { place: 5, state: 'included', fileid: 'stdout', starts_at: 9, content: 'tail' },
      { place: 6, state: 'missing' },
    ]);
    expect(JSON.stringify(body)).not.toContain('aaaa');
  });

  it('knows the output by its ending, where a system names it so', async () => {
    await holdBatch(1);
    send(0, [{ name: 'x.err' }, { name: 'slurm-12.out', content: 'x' }]);
    expect(readResponse(await read()).body).toMatchObject([
      { state: 'included', filename: 'slurm-12.out', content: 'x' },
    ]);
    expect(readResponse(await read('name=out')).body).toMatchObject([{ state: 'missing' }]);
  });

  it('fetches a small zip by two calls to the storage, and the table by the page', async () => {
    await holdBatch(40);
    for (let index = 0; index < 40; index += 1) send(index, [{ name: 'stdout', content: 'x' }]);
    expect(readResponse(await read()).body).toHaveLength(40);
    expect(storage.calls).toHaveLength(80);
    // The project, the batch, the jobs, and the lives of 32 jobs and of 8.
    expect(table.sent()).toEqual(['GetItem', 'Query', 'BatchGetItem', 'BatchGetItem']);
  });

  it('ends a page before it is too large, and gives the same lines to the same cursor', async () => {
    await holdBatch(45);
    const content = Buffer.alloc(262_144, '"');
    for (let index = 0; index < 45; index += 1) send(index, [{ name: 'stdout', content }]);
    const places: number[] = [];
    let pages = 0;
    for (let query: string | undefined = ''; query !== undefined; pages += 1) {
      const { body = '', headers } = await read(query);
      expect(JSON.stringify(body).length).toBeLessThan(6_000_000);
      expect((await read(query)).body === body).toBe(true);
      places.push(...JSON.parse(body).map(({ place }: { place: number }) => place));
      query = nextOf(headers);
    }
    expect(places).toEqual(Array.from({ length: 45 }, (_, index) => index));
    expect(pages).toBeGreaterThan(5);
  });

  it('pages by a limit, within the wanted places', async () => {
    await holdBatch(9);
    const first = await read('name=stdout&first=2&last=5&limit=3');
    expect(JSON.parse(first.body ?? '')).toMatchObject([{ place: 2 }, { place: 3 }, { place: 4 }]);
    const query = nextOf(first.headers) ?? '';
    expect(readResponse(await read(query)).body).toMatchObject([{ place: 5 }]);
    expect((await read(query.replace('name=stdout', 'name=stderr'))).statusCode).toBe(400);
  });

  it('is lines for whoever wants lines', async () => {
    await holdBatch(2, [0, 1]);
    const { body, headers } = await read('', { ...asUser(), accept: 'application/x-ndjson' });
    expect(headers).toMatchObject({ 'content-type': 'application/x-ndjson' });
    expect(body?.split('\n').map((line) => line && JSON.parse(line).place)).toEqual([0, 1, '']);
  });

  it('says of a job whose results cannot be read now that they are unavailable', async () => {
    await holdBatch(2);
    send(1, [{ name: 'stdout', content: 'x' }]);
    const usual = vi.mocked(fetch).getMockImplementation();
    vi.mocked(fetch).mockImplementation(async (address, init) => {
      const { url } = new Request(address, init);
      if (url.includes('JOB-0')) return new Response(null, { status: 503 });
      return usual?.(address, init) ?? new Response();
    });
    captureLog();
    const { body } = readResponse(await read());
    if (usual) vi.mocked(fetch).mockImplementation(usual);
    expect(body).toMatchObject([{ state: 'unavailable' }, { state: 'included' }]);
  });

  it.each([
    ['of somebody else', path, asUser(otherUser)],
    ['of another project', `/results/${hpcTwo.hpc}/${hpcTwo.project}/${id}/`, asUser()],
  ])('does not find a batch %s', async (_, at, headers) => {
    await holdBatch(1);
    expect((await read('', headers, at)).statusCode).toBe(404);
  });

  it.each(['first=-1', 'last=10000', 'name=', 'limit=1001'])('refuses ?%s', async (query) => {
    expect((await read(query)).statusCode).toBe(400);
  });
});
