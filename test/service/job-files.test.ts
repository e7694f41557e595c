import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { FetchedFile, FileSource } from '#lib/files/results/job-file.ts';
import { type FileStores, openFileSource } from '#lib/files/results/open-file-source.ts';
import { type ObjectStore, openObjectStore } from '#lib/files/storage/object-store.ts';
import type { Service } from '#local/start-service.ts';
import '#test/fixtures/captured-log.ts';
import { userId } from '#test/fixtures/names.ts';
import { openInProcessTable } from '../engines/in-process.ts';
import type { OpenedTable } from '../engines/open-table-on.ts';
import { storages } from '../engines/storages.ts';
import { buildZip } from '../fixtures/build-zip.ts';
import { type Bench, openUnicore, tag } from '../unit/hpc/unicore/open-unicore.ts';

const deadlineMs = 120_000;
const temporary = () => mkdtempSync(join(tmpdir(), 'slipway-'));

interface ListedFile {
  readonly fileid: string;
  readonly filename: string;
  readonly length: number;
}

describe('the files of a job, over HTTP', () => {
  let directory: string;
  let service: Service;
  let authorization: string;
  beforeAll(async () => {
    directory = temporary();
    vi.stubEnv('SIM_HOUR_SECONDS', '1');
    const { startService } = await import('#local/start-service.ts');
    service = await startService({
      port: 0,
      dataDirectory: 'memory',
      stateDirectory: directory,
      runsJobs: true,
    });
    authorization = `Bearer ${service.issuer.issueToken({ user: userId('306328') })}`;
  });
  afterAll(async () => {
    await service.close();
    vi.unstubAllEnvs();
    rmSync(directory, { recursive: true });
  });

  const ask = (path: string, method = 'GET') =>
    fetch(`${service.url}${path}`, { method, headers: { authorization }, redirect: 'manual' });
  const read = async (path: string) => JSON.parse(await (await ask(path)).text());
  const list = (path: string): Promise<ListedFile[]> => read(path);

  async function submit(title: string): Promise<string> {
    const fields = { command: 'ls', node_number: 1, core_number: 1, runtime: 0.5, title };
    const response = await fetch(`${service.url}/jobs/hpc_one/`, {
      method: 'POST',
      headers: {
        authorization,
        'content-type': 'application/zip',
        'content-disposition': 'attachment; filename=in.zip',
        payload: JSON.stringify(fields),
      },
      body: buildZip([{ name: 'in/a.txt', content: 'twelve bytes' }]),
    });
    expect(response.status).toBe(201);
    return new URL(response.headers.get('location') ?? '').pathname;
  }

  async function waitForEnd(path: string): Promise<void> {
    const deadline = Date.now() + deadlineMs;
    for (;;) {
      const job: { terminal_stage: boolean } = await read(path);
      if (job.terminal_stage) return;
      if (Date.now() > deadline) throw new Error('The job has not ended within the deadline.');
      await delay(50);
    }
  }

  it.concurrent('are there when it has ended, byte by byte, and gone when it is deleted', async () => {
    const job = await submit('');
    const files = job.replace('/jobs/', '/files/');
    await waitForEnd(job);
    const found = await list(files);
    expect(found.map(({ fileid }) => fileid)).toEqual(['listing.txt', 'stderr', 'stdout']);
    for (const { fileid, length } of found) {
      const response = await ask(`${files}${fileid}/`);
      expect(response.status).toBe(200);
      expect(response.headers.get('content-type')).toBe('application/octet-stream');
      expect((await response.bytes()).length).toBe(length);
    }
    expect(await (await ask(`${files}listing.txt`)).text()).toBe('12\tin/a.txt\n');
    expect((await ask(job, 'DELETE')).status).toBe(200);
    expect(await list(files)).toEqual([]);
    expect((await ask(`${files}stdout/`)).status).toBe(404);
  });

  it.concurrent('are there after all for a job whose hand-over failed at first', async () => {
    const jobs = await Promise.all(['sim:lost', 'sim:busy'].map(submit));
    await Promise.all(jobs.map(waitForEnd));
    for (const job of jobs) {
      expect(await list(job.replace('/jobs/', '/files/'))).toHaveLength(3);
    }
  });
});

describe.each(storages)('files that are too large for an answer, on $name', ({ start }) => {
  const large = Buffer.alloc(5_000_000, 'slipway ');
  let directory: string;
  let results: ObjectStore;
  let close: () => Promise<void>;
  let bench: Bench;
  let opened: OpenedTable;
  beforeAll(async () => {
    directory = temporary();
    const storage = await start(directory);
    close = storage.close;
    results = openObjectStore('slipway-inputs', storage.settings);
    bench = await openUnicore();
    opened = await openInProcessTable('slipway-job-files');
  });
  afterAll(async () => {
    bench.server.close();
    await opened.close();
    await close();
    rmSync(directory, { recursive: true });
  });

  const owner = { ...tag, run: 1, stage: 'SUCCESSFUL', terminal: true };

  function open(handle: string, change: Partial<FileStores> = {}): FileSource {
    const { table } = opened;
    const places = { sendsResults: false, connect: async () => bench.connector, results, table };
    return openFileSource({ ...owner, handle }, { ...places, ...change });
  }

  async function download(source: FileSource, name: string): Promise<Buffer> {
    const file = (await source.list()).find((each) => each.name === name);
    return readFile(await source.fetch(file?.id ?? ''));
  }

  async function readFile(file: FetchedFile): Promise<Buffer> {
    if (file.kind === 'bytes') return Buffer.from(file.bytes);
    const response = await fetch(file.address);
    expect(response.status).toBe(200);
    return Buffer.from(await response.bytes());
  }

  it('come from the system by way of the storage', async () => {
    const { job, remote } = await bench.submit();
    bench.server.batch.write(remote, 'job/large.bin', large);
    bench.server.batch.write(remote, 'job/small.txt', 'small');
    const source = open(job.handle);
    expect((await download(source, 'large.bin')).equals(large)).toBe(true);
    expect(
      await results.measure(
        `relay/42/${owner.jobId}/${Buffer.from('job/large.bin').toString('base64url')}`,
      ),
    ).toBe(large.length);
    expect(String(await download(source, 'small.txt'))).toBe('small');
  });

  it('come out of the zip that a job sent, as the small ones do', async () => {
    const zip = buildZip([
      { name: 'out/large.bin', content: large },
      { name: 'out/small.txt', content: 'small' },
    ]);
    const address = await results.addressToWrite(`42/${owner.jobId}.zip`, { expiresInSeconds: 60 });
    expect((await fetch(address, { method: 'PUT', body: zip })).status).toBe(200);
    const source = open('1', { sendsResults: true });
    expect((await download(source, 'out/large.bin')).equals(large)).toBe(true);
    expect(String(await download(source, 'out/small.txt'))).toBe('small');
    const whole = await readFile(await source.fetch('results.zip'));
    expect(whole.equals(zip)).toBe(true);
  });
});
