import { describe, expect, it } from 'vitest';
import { JobRefusedError, SystemBusyError, SystemUnavailableError } from '#lib/hpc/errors.ts';
import { projectName } from '#test/fixtures/names.ts';
import type { FakeJob } from '#test/slurm/fake-jobs.ts';
import { startFake } from '#test/slurm/fake-slurmrestd.ts';
import { connect, order } from './connect.ts';

const script = expect.stringMatching(/^#!\/bin\/bash\n.*'true'.*exit "\$code"\n$/s);
const everywhere = {
  name: 'JOB-1',
  partition: 'hpc_one',
  nodes: '2',
  tasks: 16,
  tasks_per_node: 8,
  current_working_directory: '/scratch',
  standard_output: '/scratch/JOB-1.log',
  standard_error: '/scratch/JOB-1.log',
};
const old = {
  ...everywhere,
  environment: { PATH: '/usr/local/bin:/usr/bin:/bin' },
  time_limit: 66,
};
const later = {
  ...everywhere,
  minimum_nodes: 2,
  environment: ['PATH=/usr/local/bin:/usr/bin:/bin', 'SLIPWAY_WARNS=yes'],
  time_limit: { set: true, infinite: false, number: 66 },
  kill_warning_flags: ['BATCH_JOB'],
  kill_warning_signal: 'USR1',
  kill_warning_delay: { set: true, infinite: false, number: 60 },
};

describe('a job handed over to Slurm', () => {
  it.each([
    { version: 37, body: { script, job: old } },
    { version: 38, body: { script, job: old } },
    { version: 39, body: { script, job: later } },
    { version: 40, body: { script, job: later } },
    { version: 41, body: { job: { ...later, script } } },
    { version: 42, body: { job: { ...later, script } } },
    { version: 43, body: { job: { ...later, script } } },
  ])('has the shape of version 0.0.$version', async ({ version, body }) => {
    const fake = await startFake(version);
    expect(await connect(fake).submit(order)).toBe('1');
    expect(fake.submitted()).toEqual([body]);
  });

  it('has its cores as threads of a task on each node, if the system or its class says so', async () => {
    const fake = await startFake(40);
    await connect(fake, { coresAs: 'threads' }).submit(order);
    const classes = [{ name: 'mpi', coresAs: 'tasks' as const }];
    await connect(fake, { coresAs: 'threads', classes }).submit({ ...order, className: 'mpi' });
    expect(fake.submitted()).toMatchObject([
      {
        job: {
          tasks: 2,
          tasks_per_node: 1,
          cpus_per_task: 8,
          environment: expect.arrayContaining([
            'SLURM_CPUS_PER_TASK=8',
            'SRUN_CPUS_PER_TASK=8',
            'OMP_NUM_THREADS=8',
          ]),
        },
      },
      { job: { tasks: 16, tasks_per_node: 8 } },
    ]);
  });

  it.each([
    { tasksPerNode: 2, tasks: 4, cores: '4' },
    { tasksPerNode: 8, tasks: 16, cores: '1' },
  ])('has the $tasksPerNode tasks on each node that it chose', async (each) => {
    const fake = await startFake(38);
    const { tasksPerNode, tasks, cores } = each;
    await connect(fake, { coresAs: 'choice' }).submit({ ...order, tasksPerNode });
    expect(fake.submitted()).toMatchObject([
      {
        job: {
          tasks,
          tasks_per_node: tasksPerNode,
          cpus_per_task: Number(cores),
          environment: { SLURM_CPUS_PER_TASK: cores, OMP_NUM_THREADS: cores },
        },
      },
    ]);
  });

  it.each([
    { hours: 0.5, minutes: 30 },
    { hours: 0.001, minutes: 1 },
    { hours: 0.51, minutes: 31 },
    { hours: 8.3, minutes: 498 },
    { hours: 24, minutes: 1440 },
  ])('of $hours h may run for $minutes minutes', async ({ hours, minutes }) => {
    const fake = await startFake(38);
    await connect(fake).submit({ ...order, hours });
    expect(fake.submitted()).toMatchObject([{ job: { time_limit: minutes } }]);
  });

  it.each([
    { hours: 1 / 60, seconds: 6 },
    { hours: 0.1, seconds: 36 },
    { hours: 24, seconds: 60 },
  ])('of $hours h is warned $seconds s before its limit', async ({ hours, seconds }) => {
    const fake = await startFake(43);
    await connect(fake).submit({ ...order, hours });
    expect(fake.submitted()).toMatchObject([{ job: { kill_warning_delay: { number: seconds } } }]);
  });

  it('sends its output while it runs, unless the catalog says otherwise', async () => {
    const outputAddress = 'https://slipway.example/output?pass=a';
    const scripts = await Promise.all(
      [{}, { liveOutput: true }, { liveOutput: false }].map(async (options) => {
        const fake = await startFake(38);
        await connect(fake, options).submit({ ...order, outputAddress });
        return JSON.stringify(fake.submitted());
      }),
    );
    expect(scripts.map((script) => script.includes(outputAddress))).toEqual([true, true, false]);
  });

  it('is charged to the account that is set, if any', async () => {
    const fake = await startFake(38);
    await connect(fake, { account: 'proj' }).submit(order);
    expect(fake.submitted()).toMatchObject([{ job: { account: 'proj' } }]);
  });

  const large = {
    ...order,
    project: projectName('proj'),
    className: 'gpu',
    memoryMegabytes: 16_000,
  };
  const classes = [{ name: 'gpu', partition: 'gpus', qos: 'high', account: 'lab_{project}' }];

  it.each([
    { version: 38, asked: { memory_per_node: 15_258, gpus_per_node: 'a100:2' } },
    {
      version: 41,
      asked: {
        memory_per_node: { set: true, infinite: false, number: 15_258 },
        tres_per_node: 'gres/gpu:a100:2',
      },
    },
  ])(
    'has the place of its class, memory and GPUs in version 0.0.$version',
    async ({ version, asked }) => {
      const fake = await startFake(version);
      const connector = connect(fake, { account: 'proj', classes });
      await connector.submit({ ...large, gpusPerNode: 2, gpuKind: 'a100' });
      const place = { partition: 'gpus', qos: 'high', account: 'lab_proj' };
      expect(fake.submitted()).toMatchObject([{ job: { ...place, ...asked } }]);
    },
  );

  it.each([
    { gpusPerNode: 1, gpus: '1' },
    { gpusPerNode: 0, gpus: undefined },
  ])('has $gpus GPUs of any kind for $gpusPerNode', async ({ gpusPerNode, gpus }) => {
    const fake = await startFake(38);
    await connect(fake, { classes }).submit({ ...large, gpusPerNode });
    const [body] = fake.submitted();
    expect(Object(Object(body).job).gpus_per_node).toBe(gpus);
  });

  it('is refused if its class was removed from the catalog', async () => {
    const fake = await startFake(38);
    await expect(connect(fake).submit(large)).rejects.toThrow(JobRefusedError);
    expect(fake.submitted()).toEqual([]);
  });

  it('never asks for all the memory of a node by asking for less than a mebibyte', async () => {
    const fake = await startFake(38);
    await connect(fake).submit({ ...order, memoryMegabytes: 1 });
    expect(fake.submitted()).toMatchObject([{ job: { memory_per_node: 1 } }]);
  });

  it.each([200, 422, 500])(
    'exists where it has an id, whatever comes with it: %i',
    async (status) => {
      const fake = await startFake(38);
      const errors = [{ error_code: 2042, error: 'Job is in held state' }];
      fake.replies.push({ to: 'submit', reply: { status, body: { errors, job_id: 7 } } });
      expect(await connect(fake).submit(order)).toBe('7');
    },
  );

  it('never is a command with a NUL in it, which would end the script unnoticed', async () => {
    const fake = await startFake(38);
    const submitted = connect(fake).submit({ ...order, program: 'a\0b' });
    await expect(submitted).rejects.toThrow(JobRefusedError);
    expect(fake.submitted()).toEqual([]);
  });
});

describe('a refusal of Slurm', () => {
  const unknownKey = { description: 'Unknown key "x"', source: 'hsearch_r' };
  it.each([
    { status: 500, error: { error_code: 2000, error: 'Invalid partition' }, as: JobRefusedError },
    { status: 500, error: { error_code: 2009, error: 'No script' }, as: JobRefusedError },
    { status: 500, error: { error_number: 2006, error: 'Nodes' }, as: JobRefusedError },
    { status: 500, error: { error_code: 2051, error: 'Time limit' }, as: JobRefusedError },
    { status: 200, error: { errno: 2045, error: 'Account' }, as: JobRefusedError },
    { status: 400, error: unknownKey, as: JobRefusedError },
    { status: 500, error: { error_code: 11, error: 'Resource' }, as: SystemBusyError },
    { status: 500, error: { error_code: 2037, error: 'Disabled' }, as: SystemBusyError },
    { status: 500, error: { error_code: 2070, error: 'Drained' }, as: SystemBusyError },
    { status: 500, error: { error_code: 2101, error: 'Down' }, as: SystemBusyError },
    { status: 500, error: { error_code: 2105, error: 'Closed' }, as: SystemBusyError },
    { status: 500, error: { error_number: 2002, error: 'Denied' }, as: JobRefusedError },
    { status: 422, error: { error_number: 2051, error: 'Time limit' }, as: JobRefusedError },
    { status: 422, error: { error_number: 2118, error: 'Maintenance' }, as: SystemBusyError },
    { status: 502, error: { error_number: 1804, error: 'Rate limit' }, as: SystemBusyError },
    { status: 502, error: { error_number: 1800, error: 'Contact' }, as: SystemUnavailableError },
    { status: 500, error: { error_code: 1800, error: 'Contact' }, as: SystemUnavailableError },
    { status: 500, error: { error_code: 31_337, error: 'New' }, as: SystemUnavailableError },
  ])('$status $error is a $as.name', async ({ status, error, as }) => {
    const fake = await startFake(38);
    fake.replies.push({ to: 'submit', reply: { status, body: { errors: [error] } } });
    await expect(connect(fake).submit(order)).rejects.toSatisfy(
      (thrown) => thrown instanceof Error && thrown.constructor === as,
    );
  });

  it.each([
    { status: 400, body: 'Unable to parse query.' },
    { status: 502, body: '<html>Bad Gateway</html>' },
    { status: 200, body: '<html>Welcome</html>' },
    { status: 200, body: { errors: [], job_id: 0 } },
    { status: 302, body: '' },
  ])('that is not its own, $status, leaves all open', async (reply) => {
    const fake = await startFake(38);
    fake.replies.push({ to: 'submit', reply });
    await expect(connect(fake).submit(order)).rejects.toThrow(SystemUnavailableError);
  });

  it.each([
    {
      code: 2070,
      text: 'Required partition not available (inactive or drain)',
      words: 'The partition of the job takes no jobs right now. ',
    },
    { code: 31_337, text: 'A new one' },
    { code: 1800, text: 'Unable to contact slurm controller (connect failure)' },
  ])('that is not for ever has the words of Slurm for the owner ($code)', async (each) => {
    const fake = await startFake(38);
    const errors = [{ error_code: each.code, error: each.text }];
    fake.replies.push({ to: 'submit', reply: { status: 500, body: { errors } } });
    await expect(connect(fake).submit(order)).rejects.toMatchObject({
      said: `${each.words ?? ''}Slurm says: ${each.text} (${each.code}).`,
    });
  });

  it('has no words for the owner where a proxy answers in its place', async () => {
    const fake = await startFake(38);
    fake.replies.push({ to: 'submit', reply: { status: 502, body: '<html>10.0.0.7:6820</html>' } });
    await expect(connect(fake).submit(order)).rejects.toMatchObject({ said: undefined });
  });

  describe('by its accounting policy', () => {
    const errors = [{ error_code: 2050, error: 'Job violates accounting/QOS policy' }];
    const submitBeside = async (others: readonly Partial<FakeJob>[], options = {}) => {
      const fake = await startFake(38);
      for (const other of others)
        fake.queue.push({ id: 7, name: 'x', states: ['RUNNING'], ...other });
      fake.replies.push({ to: 'submit', reply: { status: 500, body: { errors } } });
      return connect(fake, options).submit(order);
    };

    it.each([
      { what: 'a job of the same user', others: [{ states: ['PENDING'] }] },
      { what: 'a job of somebody else', others: [{ user: 'ada', account: 'other' }] },
    ])('lets the job wait beside $what', async ({ others }) => {
      await expect(submitBeside(others, { account: 'proj' })).rejects.toMatchObject({
        name: 'SystemBusyError',
        retryAfterSeconds: 20,
        said: expect.stringMatching(/^The system takes no more jobs .* Slurm says: .*\(2050\)\.$/),
      });
    });

    it.each([
      { what: 'no other job', others: [] },
      { what: 'an ended job', others: [{ states: ['COMPLETED'] }] },
    ])('fails the job beside $what', async ({ others }) => {
      await expect(submitBeside(others, { account: 'proj' })).rejects.toThrow(JobRefusedError);
    });
  });

  it('names the user, the partition and the account that Slurm does not accept', async () => {
    const errors = [
      { error_code: 2045, error: 'Invalid account or account/partition combination' },
    ];
    const submit = async (more: object, options = {}) => {
      const fake = await startFake(38);
      fake.replies.push({ to: 'submit', reply: { status: 500, body: { errors } } });
      return connect(fake, { workDirectory: '/scratch/{account}', ...options })
        .submit({ ...order, ...more })
        .catch((error: Error) => error.message);
    };
    expect(await submit({ login: 'ada' })).toBe(
      "'ada' has no Slurm association on the system, for the partition 'hpc_one'. Ask the " +
        "administrators of the system, or one of this service if 'ada' is not your account. " +
        'Slurm says: Invalid account or account/partition combination (2045).',
    );
    expect(await submit({}, { account: 'proj' })).toContain(
      "with the account 'proj', for the partition 'hpc_one'. Ask an administrator of this service",
    );
  });

  it('tells the owner what Slurm says', async () => {
    const fake = await startFake(38);
    const errors = [{ error_code: 2006, error: 'Node count specification invalid' }];
    fake.replies.push({ to: 'submit', reply: { status: 500, body: { errors } } });
    await expect(connect(fake).submit(order)).rejects.toThrow(
      'The partition does not give a job this many nodes. Ask for fewer nodes. Slurm says: Node count specification invalid (2006).',
    );
  });
});
