import {
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished } from 'vitest';
import { streamBytes } from '#lib/byte-streams/byte-stream.ts';
import { findSystem } from '#lib/catalog/catalog.ts';
import type { Connector, JobOrder } from '#lib/hpc/connector.ts';
import { JobRefusedError, RemoteFileNotFoundError } from '#lib/hpc/errors.ts';
import { listJobFiles } from '#lib/hpc/machine/files/list-files.ts';
import { listPage } from '#lib/hpc/machine/files/list-page.ts';
import { closeQueue, discardFolder, openQueue } from '#lib/hpc/machine/job-queue.ts';
import { createMachine } from '#lib/hpc/machine/machine-connector.ts';
import {
  claimJob,
  type FolderExit,
  folderVersion,
  writeExit,
} from '#lib/hpc/machine/record/job-folder.ts';
import { readOrder } from '#lib/hpc/machine/record/read-folder.ts';
import { type ThisMachine, thisMachine } from '#lib/hpc/machine/this-machine.ts';
import { buildZip } from '#test/fixtures/build-zip.ts';
import { catalog } from '#test/fixtures/catalog.ts';
import { jobId, userId } from '#test/fixtures/names.ts';

const system = findSystem(catalog, 'hpc_one');
const owner = userId('306328');

interface Place {
  readonly connector: Connector;
  readonly machine: ThisMachine;
  /** Jobs whose shepherd was started, in that order. */
  readonly started: string[];
  folderOf(id: string): string;
  /** Ends a job as its shepherd would. */
  end(id: string, exit?: Partial<FolderExit>): Promise<void>;
}

type Settings = Parameters<typeof createMachine>[0];

/** A machine of four cores whose shepherds only claim their jobs. */
function openPlace(settings: Partial<Settings> = {}, shepherds = true): Place {
  const directory = realpathSync(mkdtempSync(join(tmpdir(), 'slipway-machine-')));
  const started: string[] = [];
  const ends = new Map<string, () => void>();
  const machine: ThisMachine = {
    directory,
    sandboxesAll: false,
    cores: 4,
    memoryBytes: 4_000_000_000,
    systemCores: new Map(),
    limits: { level: 'watched', sentence: 'Nothing is limited.' },
    path: '/usr/bin:/bin',
    async startShepherd(folder) {
      const { promise: ended, resolve } = Promise.withResolvers<void>();
      started.push(folder.slice(folder.lastIndexOf('/') + 1));
      ends.set(folder, resolve);
      if (shepherds) claimJob(folder);
      else resolve();
      return { ended };
    },
    reportFailure: (error) => {
      throw error;
    },
    listTools: () => [],
    listFiles: async (_, folder) => listJobFiles(folder),
    listPage: async (_, folder, wish) => listPage(folder, wish),
    removeJob: async () => undefined,
  };
  onTestFinished(() => {
    closeQueue(machine);
    rmSync(directory, { recursive: true });
  });
  const connector = { kind: 'machine', ...settings } as const;
  const folderOf = (id: string) => join(directory, system.name, id);
  return {
    connector: createMachine(connector, { ...system, connector }, () => machine),
    machine,
    started,
    folderOf,
    async end(id, exit = {}) {
      writeExit(folderOf(id), {
        version: folderVersion,
        cause: 'ended',
        code: 0,
        signal: null,
        startedAt: '2026-11-16T10:00:00.000Z',
        endedAt: '2026-11-16T10:00:07.500Z',
        seconds: 7.5,
        ...exit,
      });
      ends.get(folderOf(id))?.();
      await openQueue(machine).advance();
      await openQueue(machine).advance();
    },
  };
}

function orderOf(id: string, more: Partial<JobOrder> = {}): JobOrder {
  return {
    jobId: jobId(id),
    owner,
    program: 'echo hello',
    nodes: 1,
    coresPerNode: 4,
    hours: 0.5,
    title: '',
    extras: {},
    ...more,
  };
}

const handed = (id: string) => ({ jobId: jobId(id), owner, handle: id });
const look = async ({ connector }: Place, id: string) =>
  (await connector.lookUp([handed(id)])).get(id);

function zipInput(entries: Parameters<typeof buildZip>[0]) {
  const zip = buildZip(entries);
  return {
    fileName: 'a.zip',
    address: '',
    open: async () => ({ bytes: zip.length, stream: streamBytes(zip) }),
  };
}

describe('a job on this machine', () => {
  it('is given a clean environment, its limits and its input', async () => {
    const place = openPlace();
    const input = zipInput([{ name: 'in/data.csv', content: '1' }]);
    const environment = { SLIPWAY_INDEX: '7', SLIPWAY_CORES: 'not this' };
    const order = orderOf('A', { nodes: 2, coresPerNode: 1, input, environment });
    expect(await place.connector.submit(order)).toBe('A');
    const folder = place.folderOf('A');
    expect(readOrder(folder)).toEqual({
      version: 1,
      jobId: 'A',
      argv: ['/bin/sh', '-c', 'echo hello'],
      environment: {
        PATH: '/usr/bin:/bin',
        HOME: `${folder}/tmp/home`,
        TMPDIR: `${folder}/tmp`,
        LANG: 'C.UTF-8',
        SLIPWAY_INDEX: '7',
        SLIPWAY_JOB_ID: 'A',
        SLIPWAY_CORES: '2',
        SLIPWAY_NODES: '2',
        SLIPWAY_HOURS: '0.5',
        OMP_NUM_THREADS: '2',
      },
      mark: expect.stringMatching(/^[0-9a-f-]{36}$/),
      sequence: expect.any(Number),
      cores: 2,
      limits: {
        seconds: 1800,
        memoryBytes: 2_000_000_000,
        processes: 4096,
        outputBytes: 5_000_000_000,
        level: 'watched',
      },
    });
    expect(readFileSync(join(folder, 'work/in/data.csv'), 'utf8')).toBe('1');
    expect(place.started).toEqual(['A']);
  });

  it('is given a sandbox, fewer cores and less memory if the catalog says so', async () => {
    const place = openPlace({
      sandbox: 'bubblewrap',
      network: true,
      readable: ['/data'],
      memoryMegabytes: 1000,
      maxProcesses: 7,
    });
    await place.connector.submit(orderOf('A', { coresPerNode: 1 }));
    expect(readOrder(place.folderOf('A'))).toMatchObject({
      sandbox: { network: true, readable: ['/data'] },
      limits: { memoryBytes: 250_000_000, processes: 7 },
    });
  });

  it.each([
    { memoryMegabytes: 300, nodes: 2, memoryBytes: 600_000_000 },
    { memoryMegabytes: 300_000, nodes: 1, memoryBytes: 1_000_000_000 },
  ])('is given the memory that it asked for, as far as there is some', async (asked) => {
    const { memoryBytes, ...resources } = asked;
    const place = openPlace({ memoryMegabytes: 1000 });
    await place.connector.submit(orderOf('A', resources));
    expect(readOrder(place.folderOf('A'))?.limits.memoryBytes).toBe(memoryBytes);
  });

  it('is started once, however often it is handed over', async () => {
    const place = openPlace();
    expect(await place.connector.findByTag(handed('A'))).toBeUndefined();
    await place.connector.submit(orderOf('A'));
    await place.connector.submit(orderOf('A', { program: 'echo other' }));
    expect(await place.connector.findByTag(handed('A'))).toBe('A');
    expect(readOrder(place.folderOf('A'))?.argv.at(-1)).toBe('echo hello');
    expect(place.started).toEqual(['A']);
  });

  it('begins anew if the process that prepared it was killed', async () => {
    const place = openPlace();
    mkdirSync(join(place.folderOf('A'), 'work/half'), { recursive: true });
    await place.connector.submit(orderOf('A'));
    expect(existsSync(join(place.folderOf('A'), 'work/half'))).toBe(false);
    expect(place.started).toEqual(['A']);
  });

  it('waits for its cores in order, and says so', async () => {
    const place = openPlace();
    for (const id of ['A', 'B', 'C']) await place.connector.submit(orderOf(id));
    expect(place.started).toEqual(['A']);
    expect(await look(place, 'A')).toEqual({ state: 'living', stage: 'RUNNING' });
    expect(await look(place, 'C')).toEqual({
      state: 'living',
      stage: 'QUEUED',
      reason: 'waiting for 4 of 4 cores',
    });
    await place.end('A');
    expect(place.started).toEqual(['A', 'B']);
  });

  it('waits on after a restart of the service, in the same order', async () => {
    const place = openPlace();
    for (const id of ['B', 'C', 'A']) await place.connector.submit(orderOf(id));
    closeQueue(place.machine);
    writeExit(place.folderOf('B'), {
      version: folderVersion,
      cause: 'ended',
      code: 0,
      signal: null,
      startedAt: null,
      endedAt: '2026-11-16T10:00:00.000Z',
      seconds: 1,
    });
    await look(place, 'A');
    expect(place.started).toEqual(['B', 'C']);
  });

  it.each([
    { exit: {}, failed: false, stage: 'SUCCESSFUL', reason: undefined },
    {
      exit: { code: 3 },
      failed: true,
      stage: 'FAILED',
      reason: 'The command ended with exit code 3.',
    },
    {
      exit: { code: 127 },
      failed: true,
      stage: 'FAILED',
      reason: 'The command was not found: exit code 127. The end of stderr says which one.',
    },
    {
      exit: { code: null, signal: 'SIGSEGV' },
      failed: true,
      stage: 'FAILED',
      reason: 'The command was ended by SIGSEGV.',
    },
    {
      exit: { cause: 'time' as const, code: 0 },
      failed: true,
      stage: 'FAILED',
      reason: 'It was stopped after the 1800 seconds that it was granted.',
    },
    {
      exit: { cause: 'lost' as const, code: null, reason: 'Its shepherd was killed.' },
      failed: true,
      stage: 'FAILED',
      reason: 'Its shepherd was killed.',
    },
    {
      exit: { cause: 'lost' as const, code: null, reason: 'It stopped.', machineStopped: true },
      failed: true,
      stage: 'FAILED',
      reason: 'It stopped.',
      isLost: true,
    },
  ])('ends as its shepherd wrote: $exit', async ({ exit, failed, stage, reason, isLost }) => {
    const place = openPlace();
    await place.connector.submit(orderOf('A'));
    await place.end('A', exit);
    expect(await look(place, 'A')).toEqual({
      state: 'ended',
      stage,
      failed,
      usedSeconds: 7.5,
      startedAt: new Date('2026-11-16T10:00:00.000Z'),
      endedAt: new Date('2026-11-16T10:00:07.500Z'),
      ...(isLost && { isLost }),
      ...(reason !== undefined && { reason }),
    });
  });

  it('was granted a single second', async () => {
    const place = openPlace();
    await place.connector.submit(orderOf('A', { hours: 1 / 3600 }));
    await place.end('A', { cause: 'time', code: 0 });
    const seen = await look(place, 'A');
    expect(seen).toMatchObject({
      reason: 'It was stopped after the 1 second that it was granted.',
    });
  });

  it('tells what its shepherd measured, and how much it had', async () => {
    const place = openPlace();
    await place.connector.submit(orderOf('A'));
    await place.end('A', { cpuSeconds: 6.25, memoryBytes: 70_000_000 });
    expect(await look(place, 'A')).toMatchObject({
      measured: {
        cpuSeconds: 6.25,
        cores: readOrder(place.folderOf('A'))?.cores,
        memoryBytes: 70_000_000,
        memoryLimitBytes: readOrder(place.folderOf('A'))?.limits.memoryBytes,
      },
    });
  });

  it('is unknown if there is no folder', async () => {
    expect(await look(openPlace(), 'A')).toEqual({ state: 'unknown' });
  });

  it('never starts and costs nothing if it is cancelled while it waits', async () => {
    const place = openPlace();
    for (const id of ['A', 'B']) await place.connector.submit(orderOf(id));
    await place.connector.cancel(handed('B'));
    await place.connector.cancel(handed('B'));
    expect(await look(place, 'B')).toMatchObject({ state: 'ended', failed: true, usedSeconds: 0 });
    await place.end('A');
    expect(place.started).toEqual(['A']);
  });

  it('is asked to end if it is cancelled while it runs', async () => {
    const place = openPlace();
    await place.connector.submit(orderOf('A'));
    await place.connector.cancel(handed('A'));
    expect(existsSync(join(place.folderOf('A'), 'cancel'))).toBe(true);
    await place.connector.cancel(handed('UNKNOWN'));
  });

  it('is given up if its shepherd fails again and again', async () => {
    const place = openPlace({}, false);
    await place.connector.submit(orderOf('A'));
    for (let at = 0; at < 10; at += 1) await openQueue(place.machine).advance();
    expect(place.started).toHaveLength(5);
    expect(await look(place, 'A')).toMatchObject({
      state: 'ended',
      failed: true,
      usedSeconds: 0,
      reason: 'The job could not be started on this machine.',
    });
  });

  it('leaves nothing behind if it is refused', async () => {
    const place = openPlace();
    const input = zipInput([{ name: '../outside', content: 'x' }]);
    await expect(place.connector.submit(orderOf('A', { input }))).rejects.toThrow(JobRefusedError);
    expect(existsSync(place.folderOf('A'))).toBe(false);
    const noTool = openPlace({ tools: { SHELL: 'sh {init_file}' } });
    const order = orderOf('B', { program: 'NEURON', extras: {} });
    await expect(noTool.connector.submit(order)).rejects.toThrow('Choose one of: SHELL.');
    expect(existsSync(noTool.folderOf('B'))).toBe(false);
    const login = 'no-such-account-here';
    await expect(place.connector.submit(orderOf('C', { login }))).rejects.toThrow(login);
  });

  it('is removed when it has ended, and not before', async () => {
    const place = openPlace();
    await place.connector.submit(orderOf('A'));
    await discardFolder(place.folderOf('A'));
    expect(existsSync(join(place.folderOf('A'), 'cancel'))).toBe(true);
    await place.end('A');
    expect(existsSync(place.folderOf('A'))).toBe(false);
    await discardFolder(place.folderOf('A'));
  });
});

describe('the files of a job on this machine', () => {
  async function withFiles(): Promise<Place & { work: string }> {
    const place = openPlace();
    await place.connector.submit(orderOf('A'));
    const work = join(place.folderOf('A'), 'work');
    writeFileSync(join(place.folderOf('A'), 'stdout'), 'printed\n');
    mkdirSync(join(work, 'deep/er'), { recursive: true });
    writeFileSync(join(work, 'deep/er/a b.txt'), 'found');
    writeFileSync(join(work, 'stdout'), 'mine');
    return { ...place, work };
  }
  const list = ({ connector }: Place) => connector.listFiles(handed('A'));
  const read = async ({ connector }: Place, id: string) => {
    const { bytes, stream } = await connector.openFile(handed('A'), id);
    const content = await buffer(stream);
    expect(content).toHaveLength(bytes ?? -1);
    return String(content);
  };

  it('are its output and its working directory, while it runs too', async () => {
    const place = await withFiles();
    const files = await list(place);
    expect(files.map(({ name, bytes }) => ({ name, bytes }))).toEqual([
      { name: 'stdout', bytes: 8 },
      { name: 'work/stdout', bytes: 4 },
      { name: 'deep/er/a b.txt', bytes: 5 },
    ]);
    const found = files.map(({ id }) => place.connector.findFile?.(handed('A'), id));
    const named = (await Promise.all(found)).map((file) => ({ ...file, place: undefined }));
    expect(named).toEqual(files);
    const contents = await Promise.all(files.map(({ id }) => read(place, id)));
    expect(contents).toEqual(['printed\n', 'mine', 'found']);
  });

  it('are called by their own names, if an address can hold these', async () => {
    const place = await withFiles();
    for (const name of ['growth-1_b.csv', 'ä.txt', '.hidden', '~tilde']) {
      writeFileSync(join(place.work, name), name);
    }
    const ids = new Map((await list(place)).map(({ id, name }) => [name, id]));
    expect(ids.get('growth-1_b.csv')).toBe('growth-1_b.csv');
    for (const [name, id] of ids) {
      expect(id, name).toMatch(/^[A-Za-z0-9._~-]+$/);
    }
    expect(await read(place, ids.get('~tilde') ?? '')).toBe('~tilde');
    expect(await read(place, ids.get('ä.txt') ?? '')).toBe('ä.txt');
  });

  it('never lead out of the folder', async () => {
    const place = await withFiles();
    const { work } = place;
    const outside = join(place.machine.directory, 'outside');
    mkdirSync(outside);
    writeFileSync(join(outside, 'secret'), 'secret');
    symlinkSync(outside, join(work, 'folder'));
    symlinkSync(join(outside, 'secret'), join(work, 'file'));
    expect((await list(place)).map(({ name }) => name)).not.toContain('file');
    expect(await list(place)).toHaveLength(3);
    const idOf = (path: string) => `~${Buffer.from(path).toString('base64url')}`;
    for (const path of ['file', 'folder/secret', '../order.json', '/etc/passwd', '.', '', 'deep']) {
      await expect(read(place, idOf(path)), path).rejects.toThrow(RemoteFileNotFoundError);
      await expect(read(place, path), path).rejects.toThrow(RemoteFileNotFoundError);
      const found = place.connector.findFile?.(handed('A'), idOf(path));
      await expect(found, path).rejects.toThrow(RemoteFileNotFoundError);
    }
    await expect(read(place, 'order.json')).rejects.toThrow(RemoteFileNotFoundError);
  });

  it('may have several names in the folder', async () => {
    const place = await withFiles();
    linkSync(join(place.work, 'stdout'), join(place.work, 'second'));
    expect(await read(place, 'second')).toBe('mine');
  });

  it('are none before there is a folder', async () => {
    expect(await list(openPlace())).toEqual([]);
  });
});

describe('the health of this machine', () => {
  it('is good if jobs can write', async () => {
    await expect(openPlace().connector.checkHealth()).resolves.toBeUndefined();
  });

  it('says so if this process has no machine to offer', async () => {
    const connector = createMachine({ kind: 'machine' }, system, thisMachine);
    await expect(connector.checkHealth()).rejects.toThrow(
      'Only the laptop edition (npm start) runs jobs on its own machine.',
    );
  });
});
