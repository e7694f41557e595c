import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createPace, openBatchApi } from '#lib/hpc/aws-batch/batch-api.ts';
import { createBatchConnector } from '#lib/hpc/aws-batch/batch-connector.ts';
import type { JobOrder, SubmittedJob } from '#lib/hpc/connector.ts';
import {
  CredentialsRefusedError,
  JobRefusedError,
  SystemBusyError,
  SystemUnavailableError,
} from '#lib/hpc/errors.ts';
import { jobId, userId } from '#test/fixtures/names.ts';
import {
  type BatchServer,
  classQueueName,
  definitionName,
  imageDefinitionName,
  queueName,
  startBatchServer,
} from '#test/upstreams/batch-server.ts';

let server: BatchServer;
let now = new Date('2026-01-01T00:00:00Z');
const pauses: number[] = [];

beforeEach(async () => {
  now = new Date('2026-01-01T00:00:00Z');
  pauses.length = 0;
  server = await startBatchServer({ now: () => now });
});
afterEach(() => server.close());

const place = { queue: queueName, definition: definitionName };

function openApi() {
  return openBatchApi({
    endpoint: server.url,
    region: 'eu-central-1',
    credentials: { accessKeyId: 'a', secretAccessKey: 'b' },
    pace: createPace(10_000),
    wait: async (ms) => pauses.push(ms),
    random: () => 0.5,
    attemptMs: 20_000,
  });
}

function connect(
  change: Partial<Parameters<typeof createBatchConnector>[0]> = {},
  api = openApi(),
) {
  return createBatchConnector({ ...place, now: () => now, ...change }, api);
}

function pass(seconds: number): void {
  now = new Date(now.getTime() + seconds * 1000);
}

const tag = { jobId: jobId('0B8F5D5E-0000-4000-8000-000000000001'), owner: userId('1') };

const order: JobOrder = {
  ...tag,
  program: 'echo hello',
  nodes: 1,
  coresPerNode: 3,
  hours: 0.5,
  title: 'a job',
  extras: {},
  scriptAddress: 'https://slipway.example.org/handover/script/?pass=x',
};

function task(number: number): JobOrder {
  return {
    ...order,
    jobId: jobId(`0B8F5D5E-0000-4000-8000-${String(number).padStart(12, '0')}`),
    array: {
      name: 'b1-0',
      task: number,
      scriptAddress: 'https://slipway.example.org/array?pass=y',
    },
  };
}

describe('a hand-over', () => {
  it('names the job, its size, its limit and one attempt', async () => {
    const handle = await connect().submit(order);
    expect(server.orderOf(handle)).toEqual({
      jobName: order.jobId,
      jobQueue: queueName,
      jobDefinition: definitionName,
      timeout: { attemptDurationSeconds: 1800 },
      retryStrategy: { attempts: 1 },
      containerOverrides: {
        command: ['python3', '-I', '-c', expect.any(String), order.scriptAddress],
        resourceRequirements: [
          { type: 'VCPU', value: '4' },
          { type: 'MEMORY', value: '8192' },
        ],
      },
    });
  });

  it('has the size of the memory that was asked for, and the queue of its class', async () => {
    const classes = [{ name: 'large', queue: classQueueName }, { name: 'normal' }];
    const connector = connect({ classes });
    const large = { ...order, memoryMegabytes: 20_000, className: 'large' };
    const handle = await connector.submit(large);
    expect(server.orderOf(handle)).toMatchObject({
      jobQueue: classQueueName,
      containerOverrides: { resourceRequirements: [{ value: '4' }, { value: '20480' }] },
    });
    // Found again after a lost answer, also in the queue of the class.
    expect(await connector.findByTag(tag)).toBe(handle);
    expect(await connect().findByTag(tag)).toBeUndefined();
    const normal = await connector.submit({ ...order, className: 'normal' });
    expect(server.orderOf(normal)).toMatchObject({ jobQueue: queueName });
    const gone = connector.submit({ ...order, className: 'gone' });
    await expect(gone).rejects.toThrow(JobRefusedError);
  });

  it('has the job definition of its image, also as a task of an array', async () => {
    const images = { 'ghcr.io/org/tool:*': imageDefinitionName };
    const connector = connect({ containers: { runtime: 'batch', images } });
    const inImage = { ...order, image: 'ghcr.io/org/tool:2' };
    const definitionOf = (handle = '') => server.orderOf(handle).jobDefinition;
    expect(definitionOf(await connector.submit(inImage))).toBe(imageDefinitionName);
    expect(definitionOf(await connector.submit(order))).toBe(definitionName);
    const array = { name: 'a', task: 0, scriptAddress: order.scriptAddress };
    const handles = await connector.submitArray?.([{ ...inImage, array }], false);
    expect(definitionOf(handles?.get(tag.jobId))).toBe(imageDefinitionName);
    const other = connector.submit({ ...order, image: 'ghcr.io/org/other:1' });
    await expect(other).rejects.toThrow(
      'The job cannot run in ghcr.io/org/other:1. This system does not allow the image. Allowed are: ghcr.io/org/tool:*.',
    );
    await expect(connect().submit(inImage)).rejects.toThrow('This system runs no images.');
  });

  it('stays far below the 8,192 characters of overrides', async () => {
    const handle = await connect().submit(order);
    expect(JSON.stringify(server.orderOf(handle).containerOverrides).length).toBeLessThan(4096);
  });

  it('refuses a job whose overrides are too long, in the words of AWS Batch', async () => {
    const scriptAddress = `https://slipway.example.org/${'x'.repeat(8192)}`;
    const refused = connect().submit({ ...order, scriptAddress });
    await expect(refused).rejects.toThrow(JobRefusedError);
    await expect(refused).rejects.toThrow('at most 8192');
  });

  it('is sent once, although its answer is lost', async () => {
    server.failNext(/submitjob/, 'lost answer');
    await expect(connect().submit(order)).rejects.toThrow(SystemUnavailableError);
    expect(server.listIds()).toHaveLength(1);
  });

  it.each([
    ['does not exist', undefined],
    ['is disabled', { state: 'DISABLED', status: 'VALID' }],
    ['is not valid', { state: 'ENABLED', status: 'INVALID' }],
  ] as const)('blames no job for a queue that %s', async (_, queue) => {
    server.queue = queue;
    await expect(connect().checkHealth()).rejects.toThrow(SystemUnavailableError);
    server.failNext(/submitjob/, refusal('ClientException', 'something about the queue'));
    await expect(connect().submit(order)).rejects.toThrow(SystemUnavailableError);
  });

  it('blames no job for a missing job definition', async () => {
    const submitted = connect({ definition: 'other' }).submit(order);
    await expect(submitted).rejects.toThrow(SystemUnavailableError);
  });

  it('says that credentials are refused', async () => {
    server.failNext(/submitjob/, refusal('AccessDeniedException', 'not authorized', 403));
    await expect(connect().submit(order)).rejects.toThrow(CredentialsRefusedError);
  });
});

function refusal(kind: string, message: string, status = 400) {
  return { status, headers: { 'x-amzn-errortype': kind }, body: JSON.stringify({ message }) };
}

const throttling = refusal('TooManyRequestsException', 'Too Many Requests', 429);

describe('throttling', () => {
  it('is waited out with growing pauses, because nothing was done', async () => {
    server.failNext(/submitjob/, throttling, 3);
    await connect().submit(order);
    expect(pauses).toEqual([300, 600, 1200]);
    expect(server.listIds()).toHaveLength(1);
  });

  it('that does not end is a busy system', async () => {
    server.failNext(/submitjob/, throttling, 5);
    await expect(connect().submit(order)).rejects.toThrow(SystemBusyError);
    expect(server.listIds()).toHaveLength(0);
  });
});

describe('a search', () => {
  it('finds a job by its name once the list has it', async () => {
    server.lagMs = 10_000;
    const connector = connect();
    const handle = await connector.submit(order);
    expect(await connector.findByTag(order)).toBeUndefined();
    pass(10);
    expect(await connector.findByTag(order)).toBe(handle);
    expect(await connector.findByTag(task(7))).toBeUndefined();
  });

  it('chooses the oldest of several that has not failed', async () => {
    const connector = connect();
    const first = await connector.submit(order);
    pass(1);
    const second = await connector.submit(order);
    pass(1);
    await connector.submit(order);
    expect(await connector.findByTag(order)).toBe(first);
    server.end(first, 1);
    expect(await connector.findByTag(order)).toBe(second);
  });

  it('does not say that there is none if the queue is missing', async () => {
    server.queue = undefined;
    await expect(connect().findByTag(order)).rejects.toThrow(SystemUnavailableError);
  });
});

describe('a check', () => {
  async function look(act: (handle: string) => void, spot = false) {
    const connector = connect({ spot });
    const handle = await connector.submit(order);
    act(handle);
    return (await connector.lookUp([{ ...tag, handle }])).get(tag.jobId);
  }

  it('says why a job waits for long', async () => {
    expect(await look(() => undefined)).toEqual({ state: 'living', stage: 'QUEUED' });
    expect(await look(() => pass(900))).toEqual({
      state: 'living',
      stage: 'QUEUED',
      reason: expect.stringContaining('no capacity'),
    });
  });

  it('counts from the start to the end', async () => {
    const act = (handle: string) => {
      pass(50);
      server.start(handle);
      pass(90);
      server.end(handle);
    };
    expect(await look(act)).toEqual({
      state: 'ended',
      stage: 'SUCCESSFUL',
      failed: false,
      usedSeconds: 90,
      startedAt: new Date(now.getTime() - 90_000),
      endedAt: now,
    });
  });

  it.each([
    [1, undefined, 'The command ended with exit code 1.', 300],
    [245, undefined, 'The job reached its time limit.', undefined],
    [243, undefined, 'The job ended with exit code 243: the results could not be sent.', 300],
    [246, undefined, 'another run of this job has begun', undefined],
    [
      137,
      'OutOfMemoryError: Container killed due to memory usage',
      'The job ran out of memory. Its log in CloudWatch is',
      undefined,
    ],
    [143, undefined, 'The command ended with exit code 143. Its log in', undefined],
  ])('explains exit code %i (%s)', async (code, said, reason, patienceSeconds) => {
    const observation = await look((handle) => {
      server.start(handle);
      server.end(handle, code, said);
    });
    expect(observation).toMatchObject({ failed: true, reason: expect.stringContaining(reason) });
    expect(observation && 'patienceSeconds' in observation && observation.patienceSeconds).toBe(
      patienceSeconds ?? false,
    );
  });

  it('tells of an image that could not be fetched, for which nothing ran', async () => {
    const said = 'CannotPullContainerError: pull image manifest has been retried 5 time(s)';
    const observation = await look((handle) => server.end(handle, 1, said));
    expect(observation).toMatchObject({
      failed: true,
      usedSeconds: 0,
      lacksImage: `AWS Batch says: ${said}.`,
    });
  });

  it('charges nothing for a job that never ran', async () => {
    const connector = connect();
    const handle = await connector.submit(order);
    await connector.cancel({ ...tag, handle });
    pass(5);
    expect((await connector.lookUp([{ ...tag, handle }])).get(tag.jobId)).toMatchObject({
      state: 'ended',
      usedSeconds: 0,
      reason: 'The job was cancelled on AWS Batch.',
    });
  });

  it('charges a job on spot once, for the attempt that came to an end', async () => {
    const observation = await look((handle) => {
      server.start(handle);
      pass(100);
      server.reclaim(handle);
      expect(server.statusOf(handle)).toBe('RUNNABLE');
      pass(10);
      server.start(handle);
      pass(40);
      server.end(handle);
    }, true);
    expect(observation).toMatchObject({ stage: 'SUCCESSFUL', usedSeconds: 40 });
  });

  it('repeats nothing but reclaimed hosts', async () => {
    const ofCommand = await look((handle) => {
      server.start(handle);
      server.reclaim(handle, 'Essential container in task exited');
    }, true);
    expect(ofCommand).toMatchObject({ state: 'ended', failed: true });
    const onDemand = await look((handle) => {
      server.start(handle);
      server.reclaim(handle);
    });
    expect(onDemand).toMatchObject({
      state: 'ended',
      reason: expect.stringContaining('AWS Batch says: Your Spot Task was interrupted.'),
    });
  });

  it('says that it does not know a job that AWS Batch has forgotten, and ends it in peace', async () => {
    expect(await look((handle) => server.forget(handle))).toEqual({ state: 'unknown' });
    await connect().cancel({ ...tag, handle: 'gone' });
  });

  it('asks for 100 jobs a call, and keeps what was answered', async () => {
    const connector = connect();
    const jobs: SubmittedJob[] = [];
    for (let at = 0; at < 250; at += 1) {
      const one = { ...order, jobId: task(at).jobId };
      jobs.push({ ...one, handle: await connector.submit(one) });
    }
    const calls = () => server.listCalls().filter((call) => call.includes('describejobs')).length;
    expect((await connector.lookUp(jobs)).size).toBe(250);
    expect(calls()).toBe(3);
    server.failNext(/describejobs/, { status: 500 });
    const some = await connector.lookUp(jobs);
    expect([150, 200]).toContain(some.size);
  });
});

describe('an array', () => {
  const handlesOf = (handles: ReadonlyMap<string, string>) =>
    [...handles.values()].map((handle) => handle.split(':')[1] ?? 'alone');

  it('is handed over as runs without gaps, and a task between gaps alone', async () => {
    const orders = [0, 1, 2, 4, 6, 7].map(task);
    const handles = await connect().submitArray?.(orders, false);
    expect(handlesOf(handles ?? new Map())).toEqual(['0', '1', '2', 'alone', '0', '1']);
    const sent = server.listIds().map((id) => server.orderOf(id));
    expect(sent.map(({ jobName, arrayProperties }) => [jobName, arrayProperties?.size])).toEqual([
      ['b1-0_0', 3],
      ['b1-0_4', undefined],
      ['b1-0_6', 2],
    ]);
    expect(sent.map(({ containerOverrides }) => containerOverrides?.command?.slice(-2))).toEqual([
      ['https://slipway.example.org/array?pass=y', '0'],
      [expect.any(String), order.scriptAddress],
      ['https://slipway.example.org/array?pass=y', '6'],
    ]);
  });

  it('is not handed over a second time', async () => {
    const connector = connect();
    const orders = [0, 1, 2, 4].map(task);
    const handles = await connector.submitArray?.(orders, false);
    const more = [...orders, task(5), task(6)];
    const again = await connector.submitArray?.(more, true);
    expect(again?.size).toBe(6);
    expect([...(again ?? [])].slice(0, 4)).toEqual([...(handles ?? [])]);
    expect(server.listIds()).toHaveLength(3);
    expect(await connector.findByTag(task(1))).toBe(handles?.get(task(1).jobId));
  });

  it('says which tasks were handed over before a fault, and throws if none was', async () => {
    const api = openApi();
    let calls = 0;
    const connector = connect(undefined, {
      ...api,
      submitJob: async (input) => {
        calls += 1;
        if (calls === 2) throw new SystemUnavailableError('lost');
        return api.submitJob(input);
      },
    });
    const handles = await connector.submitArray?.([0, 1, 3, 4].map(task), false);
    expect([...(handles?.keys() ?? [])]).toEqual([task(0).jobId, task(1).jobId]);
    calls = 1;
    const lost = connector.submitArray?.([0, 1].map(task), false);
    await expect(lost).rejects.toThrow(SystemUnavailableError);
  });

  it('is checked by one call while all its tasks wait or run', async () => {
    const connector = connect();
    const orders = Array.from({ length: 500 }, (_, at) => task(at));
    const handles = (await connector.submitArray?.(orders, false)) ?? new Map();
    const jobs = orders.map((one) => ({ ...one, handle: handles.get(one.jobId) ?? '' }));
    const [parent = ''] = server.listIds();
    const look = async () => {
      const before = server.requests.length;
      const observations = await connector.lookUp(jobs);
      const stages = new Set([...observations.values()].map((each) => JSON.stringify(each)));
      return {
        stages: [...stages],
        size: observations.size,
        calls: server.requests.length - before,
      };
    };
    const queued = ['{"state":"living","stage":"QUEUED"}'];
    expect(await look()).toEqual({ stages: queued, size: 500, calls: 1 });
    server.start(parent);
    const running = ['{"state":"living","stage":"RUNNING"}'];
    expect(await look()).toEqual({ stages: running, size: 500, calls: 1 });
    server.end(`${parent}:3`, 1);
    expect(await look()).toMatchObject({ size: 500, calls: 6 });
  });
});

describe('the pace', () => {
  /** A clock that only waiting moves. */
  function openClock() {
    const clock = { at: 0, stallMs: 0, waits: [] as number[] };
    const wait = async (ms: number) => {
      clock.waits.push(ms);
      clock.at += ms + clock.stallMs;
      clock.stallMs = 0;
    };
    return { clock, pace: createPace(50, { now: () => clock.at, wait }) };
  }

  it('spreads 50 calls evenly over a little more than a second, after a pause too', async () => {
    const { clock, pace } = openClock();
    for (let call = 0; call < 3; call += 1) await pace.takeTurn();
    expect(clock.waits).toEqual([21, 21]);
    clock.at = 2000;
    await pace.takeTurn();
    expect(clock.waits).toHaveLength(2);
  });

  it.each([100, 500, 900, 3000])(
    'never has more than 50 in a second after %i ms of a stall',
    async (stallMs) => {
      const { clock, pace } = openClock();
      const turns: number[] = [];
      const take = () => pace.takeTurn().then(() => turns.push(clock.at));
      const taking = Array.from({ length: 60 }, take);
      await Promise.all(taking);
      clock.stallMs = stallMs;
      await Promise.all(Array.from({ length: 200 }, take));
      const counts = turns.map(
        (turn) => turns.filter((at) => at > turn - 1000 && at <= turn).length,
      );
      expect(Math.max(...counts)).toBeLessThanOrEqual(50);
      expect(turns).toHaveLength(260);
      // It catches up with what fits into a second.
      expect(clock.at).toBeLessThanOrEqual(260 * 21 + Math.max(0, stallMs - 1050) + 1050);
    },
  );

  it('waits again if a timer was early', async () => {
    const { clock, pace } = openClock();
    clock.stallMs = -0.4;
    await pace.takeTurn();
    await pace.takeTurn();
    expect(clock.waits).toEqual([21, 1]);
  });
});
