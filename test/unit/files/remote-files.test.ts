import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FileTooLargeError } from '#lib/files/errors.ts';
import { nameToSave } from '#lib/files/results/job-file.ts';
import { type FileOwner, openFileSource } from '#lib/files/results/open-file-source.ts';
import type { Connector, OpenedFile, RemoteFile } from '#lib/hpc/connector.ts';
import { RemoteFileNotFoundError, SystemUnavailableError } from '#lib/hpc/errors.ts';
import type { Table } from '#lib/table/table.ts';
import { openInProcessTable } from '#test/engines/in-process.ts';
import type { OpenedTable } from '#test/engines/open-table-on.ts';
import { buildZip } from '#test/fixtures/build-zip.ts';
import { openBytes } from '#test/fixtures/byte-streams.ts';
import { createMemoryFiles } from '#test/fixtures/memory-files.ts';
import { jobId, userId } from '#test/fixtures/names.ts';

let files = createMemoryFiles();
let fetched: string[] = [];
let opened: OpenedTable;
let table: Table;
beforeEach(async () => {
  files = createMemoryFiles();
  fetched = [];
  opened = await openInProcessTable('slipway-remote-files');
  table = opened.table;
});
afterEach(() => opened.close());

function connectTo(list: readonly RemoteFile[], give: (id: string) => OpenedFile): Connector {
  const never = async () => {
    throw new Error('This is not asked for.');
  };
  return {
    pollFloorSeconds: 1,
    batchSize: 1,
    submit: never,
    findByTag: never,
    lookUp: never,
    cancel: never,
    checkHealth: never,
    listFiles: async () => list,
    async openFile(_job, id) {
      fetched.push(id);
      return give(id);
    },
  };
}

const job: FileOwner = {
  jobId: jobId('A-1'),
  owner: userId('306328'),
  run: 1,
  stage: 'SUCCESSFUL',
  terminal: true,
  handle: 'h',
};

function open(
  list: readonly RemoteFile[],
  change: Partial<FileOwner> = {},
  give: (id: string) => OpenedFile = () => openBytes(Buffer.from('hello')),
) {
  const connect = async () => connectTo(list, give);
  const { results } = files;
  return openFileSource({ ...job, ...change }, { sendsResults: false, connect, results, table });
}

const small: RemoteFile = { id: 's', name: 'out/small.txt', bytes: 5 };
const large: RemoteFile = { id: 'l', name: 'large.bin', bytes: 5_000_000 };
const content = Buffer.alloc(large.bytes, 1);
const relay = 'relay/306328/A-1/l';
/** Compares without a diff, which would take seconds. */
const isRelayed = () => content.equals(files.results.objects.get(relay) ?? Buffer.alloc(0));

describe('files that a system keeps', () => {
  it('are listed by name', async () => {
    const ids = (await open([small, large]).list()).map(({ id }) => id);
    expect(ids).toEqual(['l', 's']);
    expect(await open([large, small]).list()).toEqual(await open([small, large]).list());
  });

  it('are named by the last part of their path', async () => {
    expect(await open([small]).fetch('s')).toEqual({
      kind: 'bytes',
      name: 'small.txt',
      bytes: Buffer.from('hello'),
    });
    expect(files.results.objects.size).toBe(0);
  });

  it('are fetched only if the system lists them', async () => {
    await expect(open([small]).fetch('../other')).rejects.toThrow(RemoteFileNotFoundError);
    expect(fetched).toEqual([]);
  });

  it('are found one by one if the system can do that, without a list of all', async () => {
    const connector: Connector = {
      ...connectTo([], () => openBytes(Buffer.from('hello'))),
      listFiles: async () => {
        throw new Error('This is not asked for.');
      },
      async findFile(_job, id) {
        if (id !== 's') throw new RemoteFileNotFoundError();
        return small;
      },
    };
    const connect = async () => connector;
    const stores = { sendsResults: false, connect, results: files.results, table };
    const source = openFileSource(job, stores);
    expect(await source.fetch('s')).toMatchObject({ name: 'small.txt', kind: 'bytes' });
    await expect(source.fetch('t')).rejects.toThrow(RemoteFileNotFoundError);
    expect(fetched).toEqual(['s']);
  });

  it('are copied to the storage if they are too large for a response', async () => {
    const source = open([large], {}, () => openBytes(content));
    const expected = { kind: 'address', address: `https://storage.invalid/${relay}` };
    expect(await source.fetch('l')).toEqual(expected);
    expect(isRelayed()).toBe(true);
    expect(await source.fetch('l')).toEqual(expected);
    expect(fetched).toEqual(['l']);
  });

  it('have a URL for a quarter of an hour, and are saved under their own name', async () => {
    const asked: unknown[] = [];
    files.results.addressToRead = async (...parameters) => {
      asked.push(parameters);
      return 'https://storage.invalid/';
    };
    await open([{ ...large, name: 'out/large.bin' }], {}, () => openBytes(content)).fetch('l');
    expect(asked).toEqual([[relay, { expiresInSeconds: 900, fileName: 'large.bin' }]]);
  });

  it('are fetched again while the job may still write them', async () => {
    files.results.objects.set(relay, content);
    await open([large], { terminal: false }, () => openBytes(content)).fetch('l');
    expect(fetched).toEqual(['l']);
  });

  it('are fetched again if the copy has another length', async () => {
    files.results.objects.set(relay, content.subarray(1));
    await open([large], {}, () => openBytes(content)).fetch('l');
    expect(fetched).toEqual(['l']);
    expect(isRelayed()).toBe(true);
  });

  it('are returned inline if they fit, even if there is a copy', async () => {
    const most = Buffer.alloc(4_500_000, 1);
    files.results.objects.set(relay, most);
    const fits = { ...large, bytes: most.length };
    expect(await open([fits], {}, () => openBytes(most)).fetch('l')).toMatchObject({
      kind: 'bytes',
    });
    expect(fetched).toEqual(['l']);
  });

  it('are refused without fetching if they are too large for the storage', async () => {
    const limit = { ...large, bytes: 5_000_000_000 };
    files.results.putFrom = async (_key, source) => void (await source.open()).stream.cancel();
    await expect(open([limit], {}, () => openBytes(content)).fetch('l')).resolves.toBeDefined();
    const source = open([{ ...large, bytes: 5_000_000_001 }]);
    await expect(source.fetch('l')).rejects.toThrow(FileTooLargeError);
    expect(fetched).toEqual(['l']);
  });

  it('ask for a retry if they grew too large for a response since they were listed', async () => {
    const source = open([small], {}, () => openBytes(content));
    await expect(source.fetch('s')).rejects.toThrow(SystemUnavailableError);
  });

  it('are opened again for every try of the storage', async () => {
    files.results.putFrom = async (_key, source) => {
      for (const _ of [1, 2]) await (await source.open()).stream.cancel();
    };
    await open([large], {}, () => openBytes(content)).fetch('l');
    expect(fetched).toEqual(['l', 'l']);
  });

  it('are unavailable while the system is down, and the error says so', async () => {
    const source = open([small], {}, () => {
      throw new SystemUnavailableError('down');
    });
    await expect(source.fetch('s')).rejects.toThrow(SystemUnavailableError);
  });
});

describe('a file whose length the system does not send', () => {
  const unsaid = (bytes: Uint8Array) => () => ({ ...openBytes(bytes), bytes: undefined });

  it('has the listed length', async () => {
    await open([large], {}, unsaid(content)).fetch('l');
    expect(isRelayed()).toBe(true);
  });

  it.each([
    { what: 'shorter', change: {}, bytes: content.subarray(1) },
    { what: 'longer', change: {}, bytes: Buffer.concat([content, Buffer.from('x')]) },
    { what: 'shorter', change: { terminal: false }, bytes: content.subarray(1) },
  ])('is not returned if it is $what ($change)', async ({ change, bytes }) => {
    const source = open([large], change, unsaid(bytes));
    await expect(source.fetch('l')).rejects.toThrow(SystemUnavailableError);
    expect(files.results.objects.size).toBe(0);
  });

  it('is returned with its listed length while the job still writes it', async () => {
    const longer = Buffer.concat([content, Buffer.from('x')]);
    await open([large], { terminal: false }, unsaid(longer)).fetch('l');
    expect(isRelayed()).toBe(true);
  });
});

describe('no system is asked for the files', () => {
  const connect = () => Promise.reject(new Error('This system is not asked.'));

  it.each([
    { what: 'that was deleted', change: { stage: 'DELETED' } },
    { what: 'that has not been handed over', change: { handle: undefined, terminal: false } },
  ])('of a job $what', async ({ change }) => {
    const { results } = files;
    const source = openFileSource(
      { ...job, ...change },
      { sendsResults: false, connect, results, table },
    );
    expect(await source.list()).toEqual([]);
    await expect(source.fetch('s')).rejects.toThrow(RemoteFileNotFoundError);
  });

  it('of a job that sends its results itself, and they are deleted with it', async () => {
    const { results } = files;
    results.objects.set('306328/A-1.zip', buildZip([{ name: 'a' }]));
    const place = { sendsResults: true, connect, results, table };
    const list = (owner: FileOwner) => openFileSource(owner, place).list();
    expect(await list(job)).toMatchObject([{ name: 'a' }]);
    expect(await list({ ...job, stage: 'DELETED' })).toEqual([]);
  });
});

describe('nameToSave', () => {
  it.each([
    { path: 'a.txt', name: 'a.txt' },
    { path: 'out/deep/é.txt', name: 'é.txt' },
    { path: 'C:\\out\\a.txt', name: 'a.txt' },
    { path: 'a\r\nb\0', name: 'a__b_' },
    { path: '\ud800', name: '\ufffd' },
    { path: 'out/', name: 'file' },
    { path: '..', name: 'file' },
    { path: '', name: 'file' },
  ])('of $path is $name', ({ path, name }) => {
    expect(nameToSave(path)).toBe(name);
  });

  it('is found in one look at a long path', () => {
    const name = 'x'.repeat(1_000_000);
    expect(nameToSave(name)).toBe(name);
  });
});
