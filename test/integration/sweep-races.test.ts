import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  type BatchGetCommandOutput,
  BatchWriteCommand,
  DeleteCommand,
} from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, it } from 'vitest';
import { catalog, defaultProject, findSystem } from '#lib/catalog/catalog.ts';
import type { Connector } from '#lib/hpc/connector.ts';
import { SystemUnavailableError } from '#lib/hpc/errors.ts';
import { deleteJob } from '#lib/jobs/cancel/delete-job.ts';
import { accountOf, type Job, jobToItem } from '#lib/jobs/job.ts';
import { findJob } from '#lib/jobs/job-store.ts';
import { endJob } from '#lib/jobs/life/end-job.ts';
import { newLifeToItem } from '#lib/jobs/life/job-life.ts';
import { findLife } from '#lib/jobs/life/job-life-store.ts';
import { advanceJobs } from '#lib/jobs/run/advance-jobs.ts';
import { measureLongestWait } from '#lib/jobs/run/sweep/due-jobs.ts';
import { TableUnavailableError } from '#lib/table/errors.ts';
import { checkShard, jobKey, jobLifeKey } from '#lib/table/keys.ts';
import { tableForEach } from '../engines/use-table.ts';
import { jobFixture } from '../fixtures/jobs.ts';
import { createWorld, expectAccountAddsUp, readLedger, tellAddresses } from '../fixtures/life.ts';
import { createMemoryFiles } from '../fixtures/memory-files.ts';
import { systemName, userId } from '../fixtures/names.ts';

/** What happens right before the table gets a call: nothing more, or an answer in its place. */
type Interference = (command: string, input: object) => Promise<BatchGetCommandOutput | undefined>;

const hpc = systemName('hpc_one');
const user = userId('1');

const table = tableForEach();
let interfere: Interference | undefined;
beforeEach(() => {
  interfere = undefined;
  table.client.middlewareStack.add(
    (next, { commandName = '' }) =>
      async (parameters) => {
        const output = await interfere?.(commandName, parameters.input);
        return output ? { output, response: {} } : next(parameters);
      },
    { step: 'initialize' },
  );
});

/** Does something right before the next call of this kind, once. */
function rightBefore(command: string, action: () => Promise<unknown>): void {
  interfere = async (name) => {
    if (name !== command) return undefined;
    interfere = undefined;
    await action();
    return undefined;
  };
}

const cancel = (job: Job, now: Date) => deleteJob(table, accountOf(job), job.jobId, now);
const lifeOf = (job: Job) => findLife(table, accountOf(job), job.jobId);
const stagesOf = async (job: Job) => (await lifeOf(job)).stages.map(({ stage }) => stage);

describe('a job that is cancelled', () => {
  /** It stays cancelled, and the system hears of it at once: in the same sweep, or in the next. */
  async function expectCancelled(world: ReturnType<typeof createWorld>, job: Job): Promise<void> {
    expect(await stagesOf(job)).toEqual(['QUEUED', 'CANCELED']);
    expect((await lifeOf(job)).reason).toBe('Cancelled by its owner.');
    await world.sweep();
    expect(await world.connector.findByTag({ jobId: job.jobId, owner: user })).toBeUndefined();
    world.pass(3600);
    expect(await world.sweep()).toBe(0);
    await expectAccountAddsUp(table, job);
  }

  it('while a sweep looks at it, stays cancelled, and its system hears of it', async () => {
    let whileLooking = async () => {};
    const world = createWorld(table, hpc, (connector) => ({
      ...connector,
      async lookUp(jobs) {
        const seen = await connector.lookUp(jobs);
        await whileLooking();
        return seen;
      },
    }));
    const job = await world.submit(user);
    await world.sweep();
    world.pass(2);
    whileLooking = async () => {
      await cancel(job, world.now());
    };
    await world.sweep();
    await expectCancelled(world, job);
  });

  it('while it is handed over, stays cancelled, and its system hears of it', async () => {
    const world = createWorld(table, hpc, (connector) => ({
      ...connector,
      async submit(order) {
        const handle = await connector.submit(order);
        await cancel(job, world.now());
        return handle;
      },
    }));
    const job = await world.submit(user);
    await world.sweep();
    expect((await lifeOf(job)).handOvers).toEqual([]);
    await expectCancelled(world, job);
  });

  it('right before it is handed over, is not handed over', async () => {
    const submitted: string[] = [];
    const world = createWorld(table, hpc, (connector) => ({
      ...connector,
      submit(order) {
        submitted.push(order.jobId);
        return connector.submit(order);
      },
    }));
    const job = await world.submit(user);
    rightBefore('BatchGetItemCommand', () => cancel(job, world.now()));
    await world.sweep();
    expect(submitted).toEqual([]);
    await expectCancelled(world, job);
  });

  it('after a sweep has taken it up, is looked up no more', async () => {
    const lookedUp: string[] = [];
    const world = createWorld(table, hpc, (connector) => ({
      ...connector,
      lookUp(jobs) {
        lookedUp.push(...jobs.map(({ jobId }) => jobId));
        return connector.lookUp(jobs);
      },
    }));
    const job = await world.submit(user);
    await world.sweep();
    world.pass(2);
    rightBefore('BatchGetItemCommand', () => cancel(job, world.now()));
    expect(await world.sweep()).toBe(1);
    expect(lookedUp).toEqual([]);
    await expectCancelled(world, job);
  });

  it.each(['cancel', 'findByTag'] as const)(
    'is told of again after the lease where the system fails at %s',
    async (call) => {
      let failures = 0;
      const world = createWorld(table, hpc, (connector) => ({
        ...connector,
        // A job whose hand-over was not written down: the system is asked whether it has it.
        async submit(order) {
          await connector.submit(order);
          throw new SystemUnavailableError('The answer was lost.');
        },
        async [call](job: Parameters<Connector['cancel']>[0]) {
          await nextTurn();
          failures += 1;
          if (failures === 1) throw new SystemUnavailableError('It does not answer.');
          return connector[call](job);
        },
      }));
      const job = await world.submit(user);
      await world.sweep();
      await cancel(job, world.now());
      expect(await world.sweep()).toBe(1);
      world.pass(49);
      expect(await world.sweep()).toBe(0);
      world.pass(1);
      expect(await world.sweep()).toBe(1);
      expect(failures).toBe(2);
      expect(await world.connector.findByTag({ jobId: job.jobId, owner: user })).toBeUndefined();
      world.pass(3600);
      expect(await world.sweep()).toBe(0);
    },
  );
});

const successAt = (endedAt: Date) =>
  ({ stage: 'SUCCESSFUL', outcome: 'succeeded', endedAt, ranSeconds: 1 }) as const;

describe('a job that ends', () => {
  it('while a sweep looks at it, stays as it ended', async () => {
    const world = createWorld(table, hpc, (connector) => ({
      ...connector,
      async lookUp(jobs) {
        const end = successAt(world.now());
        expect(await endJob(table, job, end, world.now())).toBe('ended');
        return connector.lookUp(jobs);
      },
    }));
    const job = await world.submit(user);
    await world.sweep();
    world.pass(2);
    await world.sweep();
    expect(await stagesOf(job)).toEqual(['QUEUED', 'SUCCESSFUL']);
    expect(await findJob(table, accountOf(job), job.jobId)).toMatchObject({ stage: 'SUCCESSFUL' });
    world.pass(3600);
    expect(await world.sweep()).toBe(0);
  });

  it('is ended once: who comes too late is told so, and changes nothing', async () => {
    const world = createWorld(table, hpc);
    const job = await world.submit(user);
    const end = successAt(world.now());
    const tooLate = { ...end, stage: 'FAILED', outcome: 'failed', ranSeconds: 900 } as const;
    expect(await endJob(table, job, end, world.now())).toBe('ended');
    expect(await endJob(table, job, tooLate, world.now())).toBe('too late');
    expect(await stagesOf(job)).toEqual(['QUEUED', 'SUCCESSFUL']);
    await expectAccountAddsUp(table, job);
  });

  it('is not called too late where the table failed', async () => {
    const world = createWorld(table, hpc);
    const job = await world.submit(user);
    rightBefore('TransactWriteItemsCommand', async () => {
      throw new TableUnavailableError();
    });
    const end = successAt(world.now());
    await expect(endJob(table, job, end, world.now())).rejects.toThrow(TableUnavailableError);
    expect(await endJob(table, job, end, world.now())).toBe('ended');
  });

  it('is not ended by its completion after a cancel that its system has not heard of', async () => {
    const world = createWorld(table, hpc);
    const job = await world.submit(user);
    await cancel(job, world.now());
    const end = successAt(world.now());
    expect(await endJob(table, job, end, world.now())).toBe('too late');
    expect(await stagesOf(job)).toEqual(['QUEUED', 'CANCELED']);
    const lines = await readLedger(table, job);
    expect(lines.filter(({ kind }) => kind === 'settle')).toHaveLength(1);
    await expectAccountAddsUp(table, job);
  });
});

describe('a hand-over', () => {
  it('is not begun a second time while the first may still be under way', async () => {
    let handOvers = 0;
    const world = createWorld(table, hpc, (connector) => ({
      ...connector,
      async submit(order) {
        handOvers += 1;
        // As slow as a function can be, with other sweeps all the while.
        for (let minute = 1; minute <= 5 && handOvers === 1; minute += 1) {
          world.pass(minute === 5 ? 69 : 60);
          await world.sweep();
        }
        return connector.submit(order);
      },
    }));
    const job = await world.submit(user);
    const begin = world.now().getTime();
    await world.sweep();
    expect((world.now().getTime() - begin) / 1000).toBe(309);
    expect(handOvers).toBe(1);
    expect((await world.runToEnd(job)).at(-1)).toBe('SUCCESSFUL');
    expect(handOvers).toBe(1);
  });
});

describe('a sweep', () => {
  it('brings on what it can where one job cannot be taken up, fails, and leaves that one due', async () => {
    const world = createWorld(table, hpc);
    const jobs: Job[] = [];
    for (let count = 0; count < 3; count += 1) jobs.push(await world.submit(user));
    const [, broken] = jobs;
    if (!broken) throw new Error('There is no second job.');
    const { SK } = jobLifeKey(accountOf(broken), broken.jobId);
    interfere = async (command, input) => {
      if (command !== 'UpdateItemCommand' || !JSON.stringify(input).includes(SK)) return undefined;
      throw new Error('The table does not answer.');
    };
    await expect(world.sweep()).rejects.toThrow(
      'Some due jobs could not be advanced: The table does not answer.',
    );
    const handed = async () =>
      Promise.all(jobs.map(async (job) => (await lifeOf(job)).handle !== undefined));
    expect(await handed()).toEqual([true, false, true]);
    interfere = undefined;
    expect(await world.sweep()).toBe(1);
    expect(await handed()).toEqual([true, true, true]);
  });

  it('passes over a life whose job is gone', async () => {
    const world = createWorld(table, hpc);
    const gone = await world.submit(user);
    const job = await world.submit(user);
    const Key = jobKey(accountOf(gone), gone.jobId);
    await table.client.send(new DeleteCommand({ TableName: table.name, Key }));
    expect(await world.sweep()).toBe(1);
    expect((await lifeOf(job)).handle).toBe(job.jobId);
  });

  it('follows the jobs that it can read, and others when their lease has ended', async () => {
    const system = findSystem(catalog, hpc);
    const start = new Date('2026-01-01T00:00:00Z');
    const jobs = Array.from({ length: 130 }, (_, number) => ({
      ...jobFixture(user, number + 1),
      project: defaultProject(system),
      stage: system.stages.running,
      terminal: false,
      submittedAt: new Date(start.getTime() - (130 - number) * 1000),
      endedAt: null,
    }));
    const items = jobs.flatMap((job) => [
      jobToItem(job),
      {
        ...newLifeToItem(job),
        due: checkShard(accountOf(job), job.id),
        handle: job.jobId,
        running_since: start.toISOString(),
      },
    ]);
    for (let first = 0; first < items.length; first += 25) {
      const batch = items.slice(first, first + 25).map((Item) => ({ PutRequest: { Item } }));
      await table.client.send(new BatchWriteCommand({ RequestItems: { [table.name]: batch } }));
    }
    const lookedUp: string[] = [];
    const connector: Connector = {
      ...createWorld(table, hpc).connector,
      batchSize: 1000,
      pollFloorSeconds: 60,
      async lookUp(asked) {
        lookedUp.push(...asked.map(({ jobId }) => jobId));
        return new Map();
      },
    };
    const sweepAt = (seconds: number) => {
      const now = new Date(start.getTime() + seconds * 1000);
      const files = createMemoryFiles();
      const time = { now: () => now, windows: [], leftMs: () => 300_000, isOver: () => false };
      const addressesOf = tellAddresses;
      return advanceJobs({ table, files, system, connector, addressesOf, ...time });
    };
    const busyKey = jobs[0]?.jobId ?? '';
    interfere = async (command, input) =>
      command === 'BatchGetItemCommand' && JSON.stringify(input).includes(busyKey)
        ? { $metadata: {}, Responses: {}, UnprocessedKeys: Object(input).RequestItems }
        : undefined;
    await expect(sweepAt(0)).rejects.toThrow('Some due jobs could not be advanced: ');
    expect(lookedUp).toEqual(jobs.slice(100).map(({ jobId }) => jobId));
    interfere = undefined;
    expect(await sweepAt(59)).toBe(0);
    lookedUp.length = 0;
    expect(await sweepAt(60)).toBe(130);
    expect(lookedUp).toHaveLength(130);
  });
});

describe('the longest wait of a system', () => {
  it('is that of the job that has been due for longest', async () => {
    const world = createWorld(table, hpc);
    await world.submit(user);
    world.pass(100);
    await world.submit(user);
    await createWorld(table, systemName('hpc_two')).submit(user);
    const now = new Date(world.now().getTime() + 20_400);
    expect(await measureLongestWait(table, hpc, now)).toBe(120);
    expect(await measureLongestWait(table, hpc, new Date('2025-12-31T00:00:00Z'))).toBe(0);
  });
});
