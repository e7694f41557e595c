import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readOpened } from '#test/fixtures/byte-streams.ts';
import { type Bench, openNsg, tag } from './open-nsg.ts';

let bench: Bench;
beforeEach(async () => {
  bench = await openNsg();
});
afterEach(() => bench.server.close());

describe('cancel', () => {
  it('erases the job, and is harmless when it is gone', async () => {
    const { job } = await bench.submit();
    await bench.connector.cancel(job);
    expect(bench.server.jobs.size).toBe(0);
    await expect(bench.connector.cancel(job)).resolves.toBeUndefined();
    bench.server.failNext(/^DELETE/, { status: 404 });
    await expect(bench.connector.cancel(job)).resolves.toBeUndefined();
  });

  it.each([200, 202])('takes %d for done', async (status) => {
    const { job } = await bench.submit();
    bench.server.failNext(/^DELETE/, { status });
    await expect(bench.connector.cancel(job)).resolves.toBeUndefined();
  });

  it('is not done when the system fails', async () => {
    const { job } = await bench.submit();
    bench.server.failNext(/^DELETE/, { status: 500 });
    await expect(bench.connector.cancel(job)).rejects.toMatchObject({
      name: 'SystemUnavailableError',
    });
  });
});

describe('files', () => {
  it('are the results of a job that has ended', async () => {
    const { job, remote } = await bench.submit();
    remote.terminal = true;
    remote.output.set(7, { name: 'a & b.txt', text: 'seven' });
    remote.output.set(9, { name: '../etc/passwd', text: 'x' });
    const files = await bench.connector.listFiles(job);
    expect(files).toEqual([{ id: 'output.7', name: 'a & b.txt', bytes: 5 }]);
    expect(String(await readOpened(bench.connector.openFile(job, files[0]!.id)))).toBe('seven');
  });

  it('are those of the working directory while the job runs', async () => {
    const { job, remote } = await bench.submit();
    expect(await bench.connector.listFiles(job)).toEqual([]);
    remote.workingDirectory = new Map([
      ['STDOUT 1?', 'hello'],
      ['..', 'x'],
    ]);
    const files = await bench.connector.listFiles(job);
    expect(files).toMatchObject([{ name: 'STDOUT 1?', bytes: 5 }]);
    expect(String(await readOpened(bench.connector.openFile(job, files[0]!.id)))).toBe('hello');
    delete remote.workingDirectory;
    await expect(bench.connector.openFile(job, files[0]!.id)).rejects.toMatchObject({
      name: 'RemoteFileNotFoundError',
    });
  });

  it('are not fetched by an id that was never given', async () => {
    const { job } = await bench.submit();
    const before = bench.server.requests.length;
    const dots = Buffer.from('..').toString('base64url');
    for (const id of ['', '7', 'output.x', `output.${dots}`, `workingdir.${dots}`, 'workingdir.']) {
      await expect(bench.connector.openFile(job, id)).rejects.toMatchObject({
        name: 'RemoteFileNotFoundError',
      });
    }
    expect(bench.server.requests).toHaveLength(before);
    await expect(bench.connector.openFile(job, 'output.8')).rejects.toMatchObject({
      name: 'RemoteFileNotFoundError',
    });
  });

  it('of a job that is gone are none', async () => {
    const gone = { ...tag, handle: 'NGBW-JOB-PY_EXPANSE-0' };
    expect(await bench.connector.listFiles(gone)).toEqual([]);
  });
});
