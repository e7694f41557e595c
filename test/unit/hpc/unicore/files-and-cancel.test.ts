import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readOpened } from '#test/fixtures/byte-streams.ts';
import { type Bench, openUnicore, tag } from './open-unicore.ts';

let bench: Bench;
beforeEach(async () => {
  bench = await openUnicore();
});
afterEach(() => bench.server.close());

describe('cancel', () => {
  it('aborts the job', async () => {
    const { job, remote } = await bench.submit();
    await bench.connector.cancel(job);
    expect(remote.status).toBe('FAILED');
  });

  it('aborts without the link, too', async () => {
    const { job, remote } = await bench.submit();
    remote.properties._links = {};
    await bench.connector.cancel(job);
    expect(remote.status).toBe('FAILED');
  });

  it('is harmless for a job that has ended or is gone', async () => {
    const { job, remote } = await bench.submit();
    remote.status = 'SUCCESSFUL';
    await bench.connector.cancel(job);
    expect(remote.status).toBe('SUCCESSFUL');
    await expect(bench.connector.cancel({ ...tag, handle: 'gone' })).resolves.toBeUndefined();
    bench.server.failNext(/abort$/, { status: 404 });
    await expect(bench.connector.cancel(job)).resolves.toBeUndefined();
  });

  it.each([409, 500])('is not done when the system answers %d', async (status) => {
    const { job } = await bench.submit();
    bench.server.failNext(/abort$/, { status });
    await expect(bench.connector.cancel(job)).rejects.toMatchObject({
      name: 'SystemUnavailableError',
    });
  });
});

describe('files', () => {
  it('are listed and fetched from the working directory and below', async () => {
    const { job, remote } = await bench.submit();
    remote.files.set('stdout', Buffer.from('hello'));
    remote.files.set('results/a b?.txt', Buffer.from('deep'));
    const files = await bench.connector.listFiles(job);
    expect(files.map(({ name, bytes }) => ({ name, bytes }))).toEqual([
      { name: 'in put.zip', bytes: 3 },
      { name: 'stdout', bytes: 5 },
      { name: 'results/a b?.txt', bytes: 4 },
    ]);
    const contents = files.map(({ id }) => readOpened(bench.connector.openFile(job, id)));
    expect((await Promise.all(contents)).map(String)).toEqual(['zip', 'hello', 'deep']);
  });

  it('with names that could mean another place are left out', async () => {
    const { job } = await bench.submit();
    const size = { isDirectory: false, size: 1 };
    const names = [
      '/../x',
      '/a/../../x',
      '/a\u0000b',
      '/a\nb',
      '/a\\b',
      `/${'a'.repeat(256)}`,
      '/',
    ];
    const content = Object.fromEntries([...names, '/fine'].map((name) => [name, size]));
    bench.server.failNext(/files/, { status: 200, body: JSON.stringify({ content }) });
    const files = await bench.connector.listFiles(job);
    expect(files.map(({ name }) => name)).toEqual(['fine']);
  });

  it('are not fetched by an id that was never given', async () => {
    const { job, remote } = await bench.submit();
    remote.files.set('results/a', Buffer.from('a'));
    const before = bench.server.requests.length;
    for (const path of ['../../other-uspace/files/x', '', 'none', 'results']) {
      const id = Buffer.from(path).toString('base64url');
      await expect(bench.connector.openFile(job, id)).rejects.toMatchObject({
        name: 'RemoteFileNotFoundError',
      });
    }
    const paths = bench.server.listCalls().slice(before);
    expect(paths.filter((path) => path.includes('/files/'))).toHaveLength(2);
  });

  it('of a job that is gone are none', async () => {
    const gone = { ...tag, handle: 'gone' };
    expect(await bench.connector.listFiles(gone)).toEqual([]);
    await expect(bench.connector.openFile(gone, 'YQ')).rejects.toMatchObject({
      name: 'RemoteFileNotFoundError',
    });
  });
});
