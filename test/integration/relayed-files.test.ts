import { crc32, deflateRawSync } from 'node:zlib';
import { beforeEach, describe, expect, it } from 'vitest';
import { openGate } from '#lib/concurrency/open-gate.ts';
import { TooManyDownloadsError } from '#lib/files/errors.ts';
import {
  listRelays,
  maxRelayedBytes,
  relayFile,
  removeRelaysOf,
  sweepRelays,
} from '#lib/files/results/relay-files.ts';
import { openResultsZip } from '#lib/files/results/results-zip.ts';
import { RemoteFileNotFoundError } from '#lib/hpc/errors.ts';
import { tableForEach } from '../engines/use-table.ts';
import { buildZip } from '../fixtures/build-zip.ts';
import { openBytes } from '../fixtures/byte-streams.ts';
import { createMemoryFiles } from '../fixtures/memory-files.ts';
import { jobId, userId } from '../fixtures/names.ts';
import { craftZip } from '../unit/zips/craft-zip.ts';

const owner = userId('7');
const job = jobId('A-1');
const at = new Date('2026-11-15T08:30:00Z');
const later = (minutes: number) => new Date(at.getTime() + minutes * 60_000);
const gigabyte = 1_000_000_000;

const table = tableForEach();
let results: ReturnType<typeof createMemoryFiles>['results'];
beforeEach(() => {
  results = createMemoryFiles().results;
});

const places = () => ({ table: table, results });
const describeFile = (fileId: string, bytes = 5) => {
  return { owner, jobId: job, fileId, name: fileId, bytes, settled: false };
};
const hello = { open: async () => openBytes(Buffer.from('hello')) };

/** Copies nothing, because the gigabytes are only claimed. */
async function claim(fileId: string, bytes: number, moment = at) {
  results.putFrom = async (key) => void results.objects.set(key, Buffer.from('claimed'));
  return relayFile(places(), describeFile(fileId, bytes), hello, moment);
}

/** Builds zips whose entries all share the same packed bytes. */
function overlap(names: readonly string[], content: Buffer): Buffer {
  const [first = '', ...others] = names;
  const described = { announcedBytes: content.length, checksum: crc32(content) };
  const shared = { content: '', packed: Buffer.alloc(0), offset: 0 };
  const zip = craftZip([
    { name: first, content },
    ...others.map((name) => ({ name, ...shared, ...described })),
  ]);
  const packedBytes = deflateRawSync(content).length;
  for (
    let line = zip.indexOf('PK\x01\x02');
    line >= 0;
    line = zip.indexOf('PK\x01\x02', line + 4)
  ) {
    zip.writeUInt32LE(packedBytes, line + 20);
  }
  return zip;
}

describe('a small results zip that expands to a lot', () => {
  const names = Array.from({ length: 300 }, (_, n) => `file-${n}`);

  it.each([
    { what: 'entries that share bytes', zip: overlap(names, Buffer.alloc(5_000_000, 'noise!')) },
    {
      what: 'more than 200 times its size',
      zip: buildZip([{ name: 'zeros', content: Buffer.alloc(11_000_000) }]),
    },
  ])('is only returned whole: $what', async ({ zip }) => {
    results.objects.set('7/A-1.zip', zip);
    const source = openResultsZip(places(), { owner, jobId: job, run: 1 });
    expect(await source.list()).toEqual([
      { id: 'results.zip', name: 'results.zip', bytes: zip.length },
    ]);
    expect(await source.fetch('results.zip')).toMatchObject({ kind: 'address' });
    expect([...results.objects.keys()]).toEqual(['7/A-1.zip']);
  });
});

describe('copies of large files', () => {
  it('have at most 10 GB per user, even for simultaneous requests', async () => {
    const asked = await Promise.allSettled(
      Array.from({ length: 15 }, (_, n) => claim(`f${n}`, gigabyte)),
    );
    const refused = asked.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []));
    expect(refused).toHaveLength(5);
    for (const error of refused) expect(error).toBeInstanceOf(TooManyDownloadsError);
    expect(maxRelayedBytes).toBe(10 * gigabyte);
    expect(results.objects.size).toBe(10);
  });

  it('are counted once, however often they are fetched', async () => {
    for (let round = 0; round < 15; round += 1) await claim('same', gigabyte);
    expect(await listRelays(table, owner)).toMatchObject([{ bytes: gigabyte }]);
    await claim('other', 9 * gigabyte);
    await expect(claim('third', 1)).rejects.toThrow(TooManyDownloadsError);
  });

  it('make room for others once their URLs have expired', async () => {
    await claim('early', 5 * gigabyte);
    await claim('late', 5 * gigabyte, later(10));
    await expect(claim('new', gigabyte, later(19))).rejects.toThrow(TooManyDownloadsError);
    await claim('new', gigabyte, later(20));
    expect([...results.objects.keys()]).toEqual(['relay/7/A-1/late', 'relay/7/A-1/new']);
  });

  it('are replaced by the whole zip if there is no room for one of its files', async () => {
    await claim('large', 10 * gigabyte, new Date());
    const content = Buffer.alloc(5_000_000, 'slipway ');
    results.objects.set('7/A-1.zip', buildZip([{ name: 'a', content, stored: true }]));
    const source = openResultsZip(places(), { owner, jobId: job, run: 1 });
    const [file] = await source.list();
    expect(await source.fetch(file?.id ?? '')).toEqual({
      kind: 'address',
      address: 'https://storage.invalid/7/A-1.zip',
    });
  });

  it('are removed with their job, and give their room back', async () => {
    await claim('a', 9 * gigabyte);
    await removeRelaysOf(places(), owner, jobId('A-12'));
    expect(results.objects.size).toBe(1);
    await removeRelaysOf(places(), owner, job);
    expect(results.objects.size).toBe(0);
    await claim('b', 10 * gigabyte);
  });

  it('do not outlive a job that is deleted while they are made', async () => {
    results.putFrom = async (key) => {
      await removeRelaysOf(places(), owner, job);
      results.objects.set(key, Buffer.from('hello'));
    };
    const relayed = relayFile(places(), describeFile('a'), hello, at);
    await expect(relayed).rejects.toThrow(RemoteFileNotFoundError);
    expect(results.objects.size).toBe(0);
    expect(await listRelays(table, owner)).toEqual([]);
  });

  it('are removed after 20 minutes, unless they were fetched again', async () => {
    await claim('old', gigabyte);
    await claim('fetched', gigabyte);
    await claim('fetched', gigabyte, later(10));
    await sweepRelays(places(), () => later(19));
    expect(results.objects.size).toBe(2);
    await sweepRelays(places(), () => later(20));
    expect([...results.objects.keys()]).toEqual(['relay/7/A-1/fetched']);
    await sweepRelays(places(), () => later(30));
    expect(results.objects.size).toBe(0);
    await claim('all', 10 * gigabyte, later(31));
  });
});

describe('a gate', () => {
  it('admits so many at a time, the others in order, and refuses the rest', async () => {
    const enter = openGate({ width: 2, waiting: 2 }, () => new TooManyDownloadsError());
    const begun: number[] = [];
    const ends = Array.from({ length: 4 }, () => Promise.withResolvers<void>());
    const running = ends.map(({ promise }, n) =>
      enter(async () => {
        begun.push(n);
        await promise;
      }),
    );
    await expect(enter(async () => undefined)).rejects.toThrow(TooManyDownloadsError);
    expect(begun).toEqual([0, 1]);
    ends[1]?.resolve();
    await running[1];
    await expect.poll(() => begun).toEqual([0, 1, 2]);
    for (const { resolve } of ends) resolve();
    await Promise.all(running);
    expect(begun).toEqual([0, 1, 2, 3]);
    await expect(enter(async () => 'free again')).resolves.toBe('free again');
  });

  it('admits the next one if one fails', async () => {
    const enter = openGate({ width: 1, waiting: 1 }, () => new Error('full'));
    const failing = enter(() => Promise.reject(new Error('broken')));
    const next = enter(async () => 'next');
    await expect(failing).rejects.toThrow('broken');
    await expect(next).resolves.toBe('next');
  });
});
