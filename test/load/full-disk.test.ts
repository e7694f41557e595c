import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { streamBytes } from '#lib/byte-streams/byte-stream.ts';
import { StorageUnavailableError } from '#lib/files/errors.ts';
import { keepObjectsOnDisk } from '#local/storage/objects-on-disk.ts';
import { type Edition, end, openHome, readToEnd } from '../fixtures/edition.ts';
import { get, type JobBody, submitTo } from '../fixtures/service.ts';
import {
  canMount,
  limitedFiles,
  megabyte,
  mustSucceed,
  type Shortage,
  smallDisk,
} from '../fixtures/shortages.ts';
import { zipOf } from '../fixtures/zip.ts';

/** A start takes its time, so each way to end the service after a shortage is tried once. */
const tried: readonly (Shortage & { readonly signals: readonly NodeJS.Signals[] })[] = [
  { ...smallDisk, signals: ['SIGKILL'] },
  { ...limitedFiles, signals: smallDisk.isPossible ? ['SIGTERM'] : ['SIGTERM', 'SIGKILL'] },
];

const readStatus = async (url: string) => (await fetch(`${url}/status/`)).status;

/** Larger than what a file may grow to. */
const zip = Uint8Array.from(zipOf(3 * megabyte));

async function submitZip({ url, token }: Edition) {
  const payload = { command: 'ls', node_number: '1', core_number: '6', runtime: '1.0', title: 'a' };
  const response = await fetch(`${url}/jobs/hpc_one/`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/zip',
      'content-disposition': 'attachment; filename=job_file.zip',
      payload: JSON.stringify(payload),
    },
    body: zip,
  });
  const { type }: { type?: string } = JSON.parse(await response.text());
  return { status: response.status, retryAfter: response.headers.get('retry-after'), type };
}

describe.each(tried)('with $name', (shortage) => {
  it.runIf(shortage.isPossible).each(shortage.signals)(
    'nothing is lost that was accepted, and no number given twice, after %s',
    async (signal) => {
      const home = openHome();
      const data = join(home.path, 'data');
      mkdirSync(data);
      shortage.prepare(data);
      const first = await home.start({ DATA_DIR: data });
      expect(await readStatus(first.url)).toBe(200);
      const pid = first.child.pid ?? 0;
      const submit = () => submitTo(first.url, first.token);
      const accepted: JobBody[] = [];
      for (let n = 0; n < 10; n += 1) {
        const { status, body } = await submit();
        expect(status).toBe(201);
        accepted.push(body);
      }

      shortage.begin(data, pid);
      let refused = 0;
      for (let n = 0; n < 200 && refused === 0; n += 1) {
        const { status, body } = await submit();
        if (status === 201) accepted.push(body);
        else expect(status).toBe(503);
        refused += status === 503 ? 1 : 0;
      }
      expect(refused).toBe(1);
      expect(await readStatus(first.url)).toBe(503);
      for (let n = 0; n < 5; n += 1) {
        expect(await submitZip(first)).toEqual({
          status: 503,
          retryAfter: '10',
          type: 'urn:slipway:problem:storage-unavailable',
        });
      }
      expect(await readStatus(first.url)).toBe(503);
      shortage.end(data, pid);
      expect(await readStatus(first.url)).toBe(200);
      expect(await submitZip(first)).toMatchObject({ status: 201 });

      for (let n = 0; n < 30; n += 1) {
        const { status, body } = await submit();
        expect(status).toBe(201);
        accepted.push(body);
      }
      await end(first.child, signal);

      const second = await home.start({ DATA_DIR: data });
      const { body: jobs } = await get<JobBody[]>(`${second.url}/jobs/`, second.token);
      const found = jobs.map(({ job_id }) => job_id);
      expect(found).toEqual(expect.arrayContaining(accepted.map(({ job_id }) => job_id)));
      const { status, body: last } = await submitTo(second.url, second.token);
      expect(status).toBe(201);
      const numbers = [...jobs, last].map(({ id }) => id);
      expect(new Set(numbers).size).toBe(numbers.length);
      await end(second.child, 'SIGTERM');
    },
  );
});

describe.runIf(canMount())('a disk that is read-only', () => {
  const mount = (directory: string) => {
    mkdirSync(directory, { recursive: true });
    mustSucceed('mount', '-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', directory);
    onTestFinished(() => mustSucceed('umount', '-l', directory));
  };
  const remount = (directory: string, mode: 'ro' | 'rw') =>
    mustSucceed('mount', '-o', `remount,${mode}`, directory);

  it('is told in one sentence at the start, with what to do', async () => {
    const home = openHome();
    const disk = join(home.path, 'disk');
    mount(disk);
    const used = join(disk, 'used');
    await end((await home.start({ DATA_DIR: used })).child, 'SIGTERM');
    remount(disk, 'ro');
    for (const data of [used, join(disk, 'new', 'data')]) {
      const { code, text } = await readToEnd(home.run({ PORT: '0', DATA_DIR: data }));
      expect({ code, text }).toEqual({
        code: 1,
        text: `The folder ${join(data, 'files/buckets')} is on a read-only file system. Mount it writable, or choose another folder with DATA_DIR.\n`,
      });
    }
  });

  it('makes the storage unavailable until it takes something again', async () => {
    const disk = join(openHome().path, 'disk');
    mount(disk);
    const objects = keepObjectsOnDisk(disk);
    const place = { bucket: 'inputs', key: 'a' };
    const write = () => objects.write(place, streamBytes(Buffer.from('x')), false);
    expect(await write()).toBe(true);
    const lines = vi.spyOn(console, 'error').mockReturnValue(undefined);
    onTestFinished(() => lines.mockRestore());
    remount(disk, 'ro');
    await expect(write()).rejects.toBeInstanceOf(StorageUnavailableError);
    await expect(objects.remove(place)).rejects.toBeInstanceOf(StorageUnavailableError);
    expect(objects.canWrite()).toBe(false);
    expect(lines.mock.calls).toHaveLength(1);
    remount(disk, 'rw');
    expect(objects.canWrite()).toBe(true);
    expect(await write()).toBe(true);
  });
});
