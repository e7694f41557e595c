import { describe, expect, it } from 'vitest';
import type { JobOrder, SubmittedJob } from '#lib/hpc/connector.ts';
import { JobRefusedError, SystemBusyError, SystemUnavailableError } from '#lib/hpc/errors.ts';
import { hasTask, readTasks, writeTasks } from '#lib/hpc/slurm/array-tasks.ts';
import { jobId } from '#test/fixtures/names.ts';
import { type FakeSlurmrestd, startFake } from '#test/slurm/fake-slurmrestd.ts';
import { connect, order } from './connect.ts';

function orderTask(task: number, more: Partial<JobOrder> = {}, atOnce?: number): JobOrder {
  const array = { name: 'BATCH-0', task, ...(atOnce !== undefined && { atOnce }) };
  return { ...order, jobId: jobId(`JOB-${task}`), program: `echo ${task}`, array, ...more };
}

function orderTasks(tasks: readonly number[], atOnce?: number): JobOrder[] {
  return tasks.map((task) => orderTask(task, {}, atOnce));
}

async function submit(fake: FakeSlurmrestd, orders: readonly JobOrder[], again = false) {
  return connect(fake).submitArray!(orders, again);
}

/** Hands over an array and returns its jobs, by task number. */
async function submitJobs(fake: FakeSlurmrestd, tasks: readonly number[]): Promise<SubmittedJob[]> {
  const orders = orderTasks(tasks);
  const handles = await submit(fake, orders);
  return orders.map((each) => ({ ...each, handle: handles.get(each.jobId)! }));
}

const versions = [37, 38, 39, 40, 41, 42, 43];

describe('task numbers', () => {
  it.each([
    { tasks: [0], text: '0' },
    { tasks: [0, 1, 2], text: '0-2' },
    { tasks: [0, 2, 3, 7], text: '0,2-3,7' },
  ])('are written as $text', ({ tasks, text }) => {
    expect(writeTasks(tasks)).toBe(text);
    expect(writeTasks(tasks, 4)).toBe(`${text}%4`);
    const list = readTasks(`${text}%4`);
    const found = [0, 1, 2, 3, 4, 5, 6, 7, 8].filter((task) => hasTask(list, task));
    expect(found).toEqual(tasks);
  });

  it('are read with steps', () => {
    const list = readTasks('3-201:2%1');
    expect([3, 4, 5, 201, 203].map((task) => hasTask(list, task))).toEqual([
      true,
      false,
      true,
      true,
      false,
    ]);
  });

  it('are open after the end of a shortened list', () => {
    const list = readTasks('3,5-7,...%4');
    expect([2, 3, 4, 6, 7, 8].map((task) => hasTask(list, task))).toEqual([
      false,
      true,
      false,
      true,
      true,
      undefined,
    ]);
  });

  it('are none in an empty list', () => {
    expect(hasTask(readTasks(''), 0)).toBe(false);
  });
});

describe('an array handed over to Slurm', () => {
  it.each(versions)('is one call in version 0.0.%i', async (version) => {
    const fake = await startFake(version);
    const handles = await submit(fake, orderTasks([0, 1, 3], 2));
    expect([...handles]).toEqual([
      ['JOB-0', '1_0'],
      ['JOB-1', '1_1'],
      ['JOB-3', '1_3'],
    ]);
    expect(fake.submitted()).toMatchObject([
      {
        job: {
          name: 'BATCH-0',
          array: '0-1,3%2',
          tasks: 16,
          standard_output: '/dev/null',
          standard_error: '/dev/null',
        },
      },
    ]);
    const text = JSON.stringify(fake.submitted());
    for (const part of ["'echo 3'", '/scratch/JOB-3']) expect(text).toContain(part);
  });

  it('has no limit if none is asked for', async () => {
    const fake = await startFake(43);
    await submit(fake, orderTasks([0, 1]));
    expect(fake.submitted()).toMatchObject([{ job: { array: '0-1' } }]);
  });

  it('of one task is a single job', async () => {
    const fake = await startFake(38);
    expect([...(await submit(fake, orderTasks([7], 2)))]).toEqual([['JOB-7', '1']]);
    const [body] = fake.submitted();
    expect(body).toMatchObject({ job: { name: 'JOB-7', standard_output: '/scratch/JOB-7.log' } });
    expect(body).not.toHaveProperty('job.array');
  });

  it('is several arrays if its script would be too long, one after the other', async () => {
    const fake = await startFake(38);
    const program = `echo ${'x'.repeat(4000)}`;
    const orders = Array.from({ length: 600 }, (_, task) => orderTask(task, { program }, 4));
    const handles = await submit(fake, orders);
    expect(handles.size).toBe(600);
    const bodies = fake.submitted() as { script: string; job: { dependency?: string } }[];
    expect(bodies.length).toBe(3);
    for (const { script } of bodies) expect(script.length).toBeLessThan(1_100_000);
    expect(bodies.map(({ job }) => job.dependency)).toEqual([
      undefined,
      'afterany:1',
      'afterany:2',
    ]);
  });

  it('may run beside the array before it if there is no limit', async () => {
    const fake = await startFake(38);
    const program = `echo ${'x'.repeat(4000)}`;
    await submit(
      fake,
      Array.from({ length: 300 }, (_, task) => orderTask(task, { program })),
    );
    expect(JSON.stringify(fake.submitted())).not.toContain('dependency');
  });

  it('is refused beyond the size that the site allows', async () => {
    const fake = await startFake(38);
    fake.maxArraySize = 100;
    await expect(submit(fake, orderTasks([98, 99, 100]))).rejects.toThrow(
      'The system does not take arrays of this size. Slurm says: Invalid job array specification (2081).',
    );
    await expect(submit(fake, orderTasks([98, 100]))).rejects.toThrow(JobRefusedError);
  });

  it('keeps what was handed over if a later part is refused', async () => {
    const fake = await startFake(38);
    const program = `echo ${'x'.repeat(4000)}`;
    const orders = Array.from({ length: 300 }, (_, task) => orderTask(task, { program }));
    fake.maxArraySize = 250;
    const handles = await submit(fake, orders);
    expect(handles.size).toBeGreaterThan(200);
    expect(handles.size).toBeLessThan(300);
    const rest = orders.filter((each) => !handles.has(each.jobId));
    await expect(submit(fake, rest, true)).rejects.toThrow(JobRefusedError);
  });

  it('says that Slurm is busy', async () => {
    const fake = await startFake(38);
    const errors = [{ error_code: 11, error: 'Resource temporarily unavailable' }];
    fake.replies.push({ to: 'submit', reply: { status: 500, body: { errors } } });
    await expect(submit(fake, orderTasks([0, 1]))).rejects.toThrow(SystemBusyError);
  });

  it('runs as the account of its owner, which is checked once', async () => {
    const fake = await startFake(38);
    const connector = connect(fake, { workDirectory: '/scratch/{account}' });
    const orders = [0, 1].map((task) => orderTask(task, { login: 'ada' }));
    expect((await connector.submitArray!(orders, false)).get(jobId('JOB-1'))).toBe('1_1');
    expect(JSON.stringify(fake.submitted())).toContain('/scratch/ada/JOB-1');
    expect(fake.count('/job/1')).toBe(1);
  });

  it('is withdrawn as a whole if Slurm does not know the account', async () => {
    const fake = await startFake(38);
    fake.unknownUsers = ['ada'];
    const orders = [0, 1].map((task) => orderTask(task, { login: 'ada' }));
    await expect(submit(fake, orders)).rejects.toThrow("does not know the account 'ada'");
    expect(fake.queue.map(({ states }) => states)).toEqual([['CANCELLED']]);
  });
});

describe('a single job of an array', () => {
  it.each(versions)('waits for another one in version 0.0.%i', async (version) => {
    const fake = await startFake(version);
    await connect(fake).submit(orderTask(9, { after: '5_7' }));
    expect(fake.submitted()).toMatchObject([{ job: { dependency: 'afterany:5' } }]);
  });
});

describe('a task of an array', () => {
  it.each(versions)('is seen while it waits, runs and has ended in 0.0.%i', async (version) => {
    const fake = await startFake(version);
    const jobs = await submitJobs(fake, [0, 1, 2, 3]);
    fake.startTask(1, 0, { states: ['COMPLETED'], start: 100, end: 160 });
    fake.startTask(1, 1, { states: ['FAILED'], code: 3, start: 100, end: 130 });
    fake.startTask(1, 2, { start: 100 });
    const asked = fake.questions.length;
    const seen = await connect(fake).lookUp(jobs);
    expect(
      fake.questions.slice(asked).map(({ path }) => path.split('/').slice(3).join('/')),
    ).toEqual([expect.any(String), 'job/1']);
    expect([...seen.values()]).toMatchObject([
      { state: 'ended', stage: 'SUCCESSFUL', usedSeconds: 60 },
      { state: 'ended', failed: true, reason: 'The command ended with exit code 3.' },
      { state: 'living', stage: 'RUNNING' },
      { state: 'living', stage: 'QUEUED' },
    ]);
  });

  it('is seen as the last one, which has the number of the array', async () => {
    const fake = await startFake(38);
    const jobs = await submitJobs(fake, [0, 1]);
    fake.startTask(1, 0);
    fake.startTask(1, 1, { states: ['COMPLETED'], start: 100, end: 160 });
    const seen = await connect(fake).lookUp(jobs);
    expect([...seen.values()].map(({ state }) => state)).toEqual(['living', 'ended']);
  });

  it('counts as waiting if the list of its array is shortened', async () => {
    const fake = await startFake(38);
    const tasks = Array.from({ length: 40 }, (_, index) => index * 2);
    const seen = await connect(fake).lookUp(await submitJobs(fake, tasks));
    expect([...seen.values()].every(({ state }) => state === 'living')).toBe(true);
    expect(seen.size).toBe(40);
  });

  it('is unknown if it left the queue and there is no accounting', async () => {
    const fake = await startFake(38);
    const jobs = await submitJobs(fake, [0, 1]);
    await connect(fake).cancel(jobs[1]!);
    const seen = await connect(fake).lookUp(jobs);
    expect([...seen.values()].map(({ state }) => state)).toEqual(['living', 'unknown']);
  });

  it('of another cluster under the same number is not taken for it', async () => {
    const fake = await startFake(38);
    const [job] = await submitJobs(fake, [0, 1]);
    const stranger = { ...job!, array: { name: 'OTHER-0', task: 0 } };
    expect([...(await connect(fake).lookUp([stranger])).values()]).toEqual([{ state: 'unknown' }]);
  });

  it('is found in the accounting, all of an array by one call', async () => {
    const fake = await startFake(43);
    fake.hasAccounting = true;
    const jobs = await submitJobs(fake, [0, 1, 2]);
    fake.queue.length = 0;
    for (const task of [0, 1]) {
      const array = { number: 1, task };
      const times = { start: 100, end: 130 + task };
      fake.accounted.push({
        id: 50 + task,
        name: 'BATCH-0',
        array,
        states: ['COMPLETED'],
        ...times,
      });
    }
    const seen = await connect(fake).lookUp(jobs);
    expect([...seen.values()]).toMatchObject([
      { state: 'ended', usedSeconds: 30 },
      { state: 'ended', usedSeconds: 31 },
      { state: 'unknown' },
    ]);
    expect(fake.count('/slurmdb/v0.0.43/job/1')).toBe(1);
  });

  it('is measured by its own number, not with all of its array', async () => {
    const fake = await startFake(43);
    fake.hasAccounting = true;
    const jobs = await submitJobs(fake, [0, 1, 2]);
    const times = { start: 100, end: 130 };
    fake.startTask(1, 0, { states: ['COMPLETED'], ...times });
    const started = fake.queue.find(({ array }) => array?.task === 0)!;
    fake.accounted.push({ ...started, used: { cpu: 20, memory: 1e6 } });
    const seen = await connect(fake).lookUp(jobs);
    expect([...seen.values()][0]).toMatchObject({ measured: { cpuSeconds: 20 } });
    expect(fake.count(`/slurmdb/v0.0.43/job/${started.id}`)).toBe(1);
    expect(fake.count('/slurmdb/')).toBe(1);
  });

  it.each([
    { count: 4, calls: 4 },
    { count: 5, calls: 1 },
    { count: 40, calls: 1 },
  ])('is measured with $calls calls if $count tasks have ended', async ({ count, calls }) => {
    const fake = await startFake(43);
    fake.hasAccounting = true;
    const tasks = Array.from({ length: count }, (_, task) => task);
    const jobs = await submitJobs(fake, tasks);
    for (const task of tasks) fake.startTask(1, task, { states: ['COMPLETED'], start: 1, end: 9 });
    for (const started of fake.queue) {
      fake.accounted.push({ ...started, used: { cpu: started.array?.task ?? 0, memory: 1e6 } });
    }
    const seen = await connect(fake).lookUp(jobs);
    expect(tasks.map((task) => seen.get(jobId(`JOB-${task}`)))).toMatchObject(
      tasks.map((task) => ({ state: 'ended', measured: { cpuSeconds: task } })),
    );
    expect(fake.count('/slurmdb/')).toBe(calls);
  });

  it('is cancelled alone', async () => {
    const fake = await startFake(38);
    const jobs = await submitJobs(fake, [0, 1, 2]);
    fake.startTask(1, 0);
    for (const job of jobs.slice(0, 2)) await connect(fake).cancel(job);
    await connect(fake).cancel(jobs[1]!);
    expect(fake.queue).toMatchObject([
      { states: ['PENDING'], array: { waiting: [2] } },
      { states: ['CANCELLED'], array: { task: 0 } },
    ]);
  });

  it('is listed by the accounting with its own handle', async () => {
    const fake = await startFake(38);
    fake.hasAccounting = true;
    const array = { number: 7, task: 3 };
    const times = { start: 1_794_848_000, end: 1_794_848_060 };
    fake.accounted.push({ id: 9, name: 'BATCH-0', array, states: ['COMPLETED'], ...times });
    expect(await connect(fake).readAccounting!(new Date(0))).toMatchObject([
      { name: 'BATCH-0', task: 3, handle: '7_3', runs: [{ number: 1, seconds: 60 }] },
    ]);
  });
});

describe('an array whose answer was lost', () => {
  it('is found task by task, whether they wait or run', async () => {
    const fake = await startFake(38);
    await submitJobs(fake, [0, 1, 3]);
    fake.startTask(1, 0);
    const found = await Promise.all(
      [0, 1, 2, 3].map((task) => connect(fake).findByTag(orderTask(task))),
    );
    expect(found).toEqual(['1_0', '1_1', undefined, '1_3']);
  });

  it('is found in the accounting by its name', async () => {
    const fake = await startFake(38);
    fake.hasAccounting = true;
    const array = { number: 7, task: 1 };
    fake.accounted.push({ id: 9, name: 'BATCH-0', array, states: ['COMPLETED'] });
    expect(await connect(fake).findByTag(orderTask(0))).toBeUndefined();
    expect(await connect(fake).findByTag(orderTask(1))).toBe('7_1');
  });

  it('is found as single jobs if they were handed over so', async () => {
    const fake = await startFake(38);
    await connect(fake).submit(orderTask(4));
    expect(await connect(fake).findByTag(orderTask(4))).toBe('1');
  });

  it('of somebody else with the same name is not ours', async () => {
    const fake = await startFake(38);
    await submitJobs(fake, [0, 1]);
    expect(await connect(fake).findByTag(orderTask(0, { login: 'ada' }))).toBeUndefined();
  });

  it('is handed over again without what Slurm has, by two calls', async () => {
    const fake = await startFake(38);
    await submitJobs(fake, [0, 1, 2]);
    const asked = fake.questions.length;
    const handles = await submit(fake, orderTasks([0, 1, 2, 3, 4], 2), true);
    expect([...handles.values()]).toEqual(['1_0', '1_1', '1_2', '2_3', '2_4']);
    expect(fake.questions.length - asked).toBe(3); // The first one asks for the versions.
    expect(fake.submitted()[1]).toMatchObject({
      job: { array: '3-4%2', dependency: 'afterany:1' },
    });
  });

  it('leaves it open while the list of waiting tasks is shortened', async () => {
    const fake = await startFake(38);
    const tasks = Array.from({ length: 40 }, (_, index) => index * 2);
    await submitJobs(fake, tasks);
    expect(await connect(fake).findByTag(orderTask(4))).toBe('1_4');
    await expect(connect(fake).findByTag(orderTask(60))).rejects.toThrow(SystemUnavailableError);
  });
});
