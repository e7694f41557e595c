import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { catalog, findSystem } from '#lib/catalog/catalog.ts';
import type { JobOrder } from '#lib/hpc/connector.ts';
import {
  JobRefusedError,
  RemoteFileNotFoundError,
  SystemBusyError,
  SystemUnavailableError,
} from '#lib/hpc/errors.ts';
import { addFault, parseSystemFaults } from '#lib/hpc/open/system-faults.ts';
import { createSimulator } from '#lib/hpc/simulator/simulator-connector.ts';
import { openTable, type Table } from '#lib/table/table.ts';
import { createTable } from '#local/create-table.ts';
import { startEmbeddedDynamoDb } from '#local/dynamodb/embedded-dynamodb.ts';
import { buildZip } from '#test/fixtures/build-zip.ts';
import { openBytes, readOpened } from '#test/fixtures/byte-streams.ts';
import { jobId, userId } from '#test/fixtures/names.ts';

let database: Awaited<ReturnType<typeof startEmbeddedDynamoDb>>;
let table: Table;
beforeAll(async () => {
  database = await startEmbeddedDynamoDb();
  Object.assign(process.env, {
    AWS_ENDPOINT_URL_DYNAMODB: database.endpoint,
    AWS_REGION: 'eu-central-1',
    AWS_ACCESS_KEY_ID: 'test',
    AWS_SECRET_ACCESS_KEY: 'test',
  });
  await createTable('slipway');
  table = openTable('slipway');
});
afterAll(async () => {
  table.client.destroy();
  await database.close();
});

let now = new Date('2026-01-01T00:00:00Z');
let orders = 0;
function open() {
  return createSimulator(table, findSystem(catalog, 'hpc_one'), {
    hourSeconds: 60,
    now: () => now,
  });
}
function pass(seconds: number) {
  now = new Date(now.getTime() + seconds * 1000);
}
function orderOf(title: string, zip?: Buffer): JobOrder {
  orders += 1;
  return {
    jobId: jobId(`JOB-${orders}`),
    owner: userId('306328'),
    program: 'ls',
    nodes: 1,
    coresPerNode: 1,
    hours: 1,
    title,
    extras: {},
    ...(zip && {
      input: {
        fileName: 'a.zip',
        address: 'https://storage.test/a',
        open: async () => openBytes(zip),
      },
    }),
  };
}
const submitted = ({ jobId, owner }: JobOrder) => ({ jobId, owner, handle: jobId });

describe('the files of a simulated job', () => {
  it('are as long as the list says, from the first to the last moment', async () => {
    const simulator = open();
    const order = orderOf('ein schöner Titel', buildZip([{ name: 'é.txt', content: 'héllo' }]));
    const job = submitted(order);
    await simulator.submit(order);
    const seen: string[] = [];
    for (const seconds of [0, 1, 48, 60]) {
      pass(seconds);
      const files = await simulator.listFiles(job);
      seen.push(files.map(({ id }) => id).join(' '));
      for (const { id, name, bytes } of files) {
        expect(name).toBe(id);
        expect(await readOpened(simulator.openFile(job, id))).toHaveLength(bytes);
      }
    }
    expect(seen).toEqual(['', 'stdout stderr', 'stdout stderr', 'stdout stderr listing.txt']);
    expect(String(await readOpened(simulator.openFile(job, 'listing.txt')))).toBe('6\té.txt\n');
  });

  it('are not there for what has none of that name, nor for a job that is gone', async () => {
    const simulator = open();
    const order = orderOf('');
    const job = submitted(order);
    await simulator.submit(order);
    pass(10);
    await expect(simulator.openFile(job, 'other')).rejects.toThrow(RemoteFileNotFoundError);
    const other = submitted(orderOf('never taken'));
    expect(await simulator.listFiles(other)).toEqual([]);
    await expect(simulator.openFile(other, 'stdout')).rejects.toThrow(RemoteFileNotFoundError);
  });

  it('stay as they were when the job was cancelled, which is known no more', async () => {
    const simulator = open();
    const order = orderOf('');
    const job = submitted(order);
    await simulator.submit(order);
    pass(10);
    const before = String(await readOpened(simulator.openFile(job, 'stdout')));
    await simulator.cancel(job);
    expect(await simulator.findByTag(order)).toBeUndefined();
    expect((await simulator.lookUp([job])).get(job.jobId)).toEqual({ state: 'unknown' });
    pass(10_000);
    await simulator.cancel(job);
    expect(String(await readOpened(simulator.openFile(job, 'stdout')))).toBe(before);
    expect((await simulator.listFiles(job)).map(({ name }) => name)).toEqual(['stdout', 'stderr']);
  });

  it('cost a look-up nothing: the input is no part of what it reads', async () => {
    const simulator = open();
    const long = { name: 'n'.repeat(60_000), stored: true };
    const order = orderOf('', buildZip([long]));
    await simulator.submit(order);
    const { capacity, stop } = measureReads();
    await simulator.lookUp([submitted(order)]);
    stop();
    expect(capacity()).toBe(1);
  });
});

/** Everything that the table still has of a job. */

/** The read units of what is asked of the table until it is stopped. */
function measureReads() {
  let units = 0;
  table.client.middlewareStack.add(
    (next) => async (args) => {
      Object.assign(args.input, { ReturnConsumedCapacity: 'TOTAL' });
      const result = await next(args);
      const { ConsumedCapacity = [] } = Object(result.output);
      for (const { CapacityUnits } of ConsumedCapacity) units += CapacityUnits;
      return result;
    },
    { step: 'initialize', name: 'measureReads' },
  );
  return {
    capacity: () => units,
    stop: () => table.client.middlewareStack.remove('measureReads'),
  };
}

describe('a word in the title', () => {
  it('sim:refuse: refuses the job for good, and nothing is kept', async () => {
    const simulator = open();
    const order = orderOf('please sim:refuse me');
    const refusal = await simulator.submit(order).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(JobRefusedError);
    expect(refusal).toHaveProperty('message', 'The simulator was told to refuse this job.');
    expect(await simulator.findByTag(order)).toBeUndefined();
  });

  it('sim:busy: puts the first try off by two seconds, in any process', async () => {
    const order = orderOf('sim:busy');
    const busy = await open()
      .submit(order)
      .catch((error: unknown) => error);
    expect(busy).toBeInstanceOf(SystemBusyError);
    expect(busy).toHaveProperty('retryAfterSeconds', 2);
    expect(await open().findByTag(order)).toBeUndefined();
    expect(await open().submit(order)).toBe(order.jobId);
  });

  it('sim:lost: takes the job, and loses the answer', async () => {
    const simulator = open();
    const order = orderOf('sim:lost');
    await expect(simulator.submit(order)).rejects.toThrow(SystemUnavailableError);
    expect(await simulator.findByTag(order)).toBe(order.jobId);
  });

  it('sim:gone: takes the job, and knows nothing of it', async () => {
    const simulator = open();
    const order = orderOf('sim:gone');
    const job = submitted(order);
    expect(await simulator.submit(order)).toBe(order.jobId);
    expect((await simulator.lookUp([job])).get(order.jobId)).toEqual({ state: 'unknown' });
    pass(10);
    expect(await simulator.listFiles(job)).toEqual([]);
  });
});

describe('a fault of a whole system', () => {
  const systems = ['hpc_one', 'hpc_two'];

  it.each([
    { text: '', faults: [] },
    { text: 'hpc_one:down', faults: [['hpc_one', { kind: 'down' }]] },
    {
      text: ' hpc_one:lose , hpc_two:slow ',
      faults: [
        ['hpc_one', { kind: 'lose' }],
        ['hpc_two', { kind: 'slow', ms: 2000 }],
      ],
    },
    { text: 'hpc_one:slow:100', faults: [['hpc_one', { kind: 'slow', ms: 100 }]] },
  ])('is read from $text', ({ text, faults }) => {
    expect([...parseSystemFaults(text, systems)]).toEqual(faults);
  });

  it.each([
    'hpc_one',
    'hpc_one:',
    'hpc_one:DOWN',
    'hpc_three:down',
    'down',
    'hpc_one:down:slow',
    'hpc_one:slow:0',
    'hpc_one:slow:9s',
  ])('is not read from %j, and one line says why', (text) => {
    const read = () => parseSystemFaults(`hpc_two:down,${text}`, systems);
    expect(read).toThrow(`SIM_FAULTS: '${text}' is not valid. `);
    expect(read).not.toThrow('\n');
  });

  it('is given once for each system', () => {
    expect(() => parseSystemFaults('hpc_one:down,hpc_one:slow', systems)).toThrow('each system');
  });

  it('down: fails every call, and takes nothing', async () => {
    const simulator = open();
    const order = orderOf('');
    const down = addFault(simulator, { kind: 'down' });
    const job = submitted(order);
    for (const call of [
      down.submit(order),
      down.findByTag(order),
      down.lookUp([job]),
      down.cancel(job),
      down.listFiles(job),
      down.openFile(job, 'stdout'),
      down.checkHealth(),
    ]) {
      await expect(call).rejects.toThrow(SystemUnavailableError);
    }
    expect(await simulator.findByTag(order)).toBeUndefined();
  });

  it('slow: makes every call wait as long as it was told', async () => {
    const waits: number[] = [];
    const slow = addFault(open(), { kind: 'slow', ms: 2000 }, async (ms) => waits.push(ms));
    const order = orderOf('');
    expect(await slow.submit(order)).toBe(order.jobId);
    expect(await slow.findByTag(order)).toBe(order.jobId);
    await slow.checkHealth();
    expect(waits).toEqual([2000, 2000, 2000]);
  });

  it('lose: takes every job, and loses the answer', async () => {
    const lossy = addFault(open(), { kind: 'lose' });
    const order = orderOf('');
    await expect(lossy.submit(order)).rejects.toThrow(SystemUnavailableError);
    expect(await lossy.findByTag(order)).toBe(order.jobId);
    await expect(lossy.checkHealth()).resolves.toBeUndefined();
  });
});
