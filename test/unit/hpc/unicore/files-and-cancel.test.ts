import { existsSync } from 'node:fs';
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

describe('remove', () => {
  it('deletes the job with its directory, and is harmless for one that is gone', async () => {
    const { job, remote } = await bench.submit();
    await bench.connector.remove?.(job);
    expect(bench.server.jobs.size).toBe(0);
    expect(existsSync(remote.directory)).toBe(false);
    await expect(bench.connector.remove?.(job)).resolves.toBeUndefined();
  });

  it('touches no job with another tag', async () => {
    const { job, remote } = await bench.submit();
    remote.properties.tags = ['OTHER'];
    await expect(bench.connector.remove?.(job)).rejects.toThrow('about another job');
    expect(bench.server.jobs.size).toBe(1);
  });

  it.each([409, 500])('is not done when the system answers %d', async (status) => {
    const { job } = await bench.submit();
    bench.server.failNext(/^DELETE/, { status });
    await expect(bench.connector.remove?.(job)).rejects.toMatchObject({
      name: 'SystemUnavailableError',
    });
  });
});

describe('files', () => {
  it('are listed and fetched from the folder of the command and below', async () => {
    const { job, remote } = await bench.submit();
    const { batch } = bench.server;
    batch.write(remote, 'job/stdout', 'hello');
    batch.write(remote, 'job/results/a b?.txt', 'deep');
    // Of UNICORE and of the script.
    for (const name of ['stdout', 'UNICORE_SCRIPT_EXIT_CODE', 'slipway.runs']) {
      batch.write(remote, name, 'not a result');
    }
    const before = bench.server.requests.length;
    const files = await bench.connector.listFiles(job);
    expect(files.map(({ name, bytes }) => ({ name, bytes }))).toEqual([
      { name: 'stdout', bytes: 5 },
      { name: 'results/a b?.txt', bytes: 4 },
    ]);
    // The job, the folder, and the one in it.
    expect(bench.server.requests.length - before).toBe(3);
    const contents = files.map(({ id }) => readOpened(bench.connector.openFile(job, id)));
    expect((await Promise.all(contents)).map(String)).toEqual(['hello', 'deep']);
  });

  it('of a job that has not begun are none, not even its input', async () => {
    const { job } = await bench.submit();
    expect(await bench.connector.listFiles(job)).toEqual([]);
  });

  it('of a job that an older version handed over are in its directory, without those of UNICORE', async () => {
    const { job, remote } = await bench.submit();
    const { batch } = bench.server;
    const { rmSync } = await import('node:fs');
    for (const name of ['slipway.sh', 'input.zip']) rmSync(`${remote.directory}/${name}`);
    const own = ['UNICORE_Job_1', 'UNICORE_SCRIPT_EXIT_CODE', 'TSI_submit_1', 'bss_submit_1'];
    for (const name of [...own, 'stdout', 'stderr', 'in.zip', 'out/a']) {
      batch.write(remote, name, 'x');
    }
    const files = await bench.connector.listFiles(job);
    expect(files.map(({ name }) => name)).toEqual(['in.zip', 'stderr', 'stdout', 'out/a']);
    expect(String(await readOpened(bench.connector.openFile(job, files[3]!.id)))).toBe('x');
  });

  it('with names that could mean another place, or that UNICORE cannot serve, are left out', async () => {
    const { job } = await bench.submit();
    const size = { isDirectory: false, size: 1 };
    const names = [
      '/job/../x',
      '/job/a/../../x',
      '/job/a\u0000b',
      '/job/a\nb',
      '/job/a\\b',
      '/job/100%',
      `/job/${'a'.repeat(256)}`,
      '/',
    ];
    const content = Object.fromEntries([...names, '/job/fine'].map((name) => [name, size]));
    bench.server.failNext(/files/, { status: 200, body: JSON.stringify({ content }) });
    const files = await bench.connector.listFiles(job);
    expect(files.map(({ name }) => name)).toEqual(['fine']);
  });

  it('are not fetched by an id that was never given', async () => {
    const { job, remote } = await bench.submit();
    bench.server.batch.write(remote, 'job/results/a', 'a');
    const before = bench.server.requests.length;
    for (const path of ['../../other-uspace/files/x', '', 'none', 'job/results', '100%']) {
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
