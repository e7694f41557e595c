import { describe, expect, it } from 'vitest';
import { CredentialsRefusedError, JobRefusedError } from '#lib/hpc/errors.ts';
import { proveUser, readSlurmCredentials } from '#lib/hpc/slurm/prove-user.ts';
import { jobId } from '#test/fixtures/names.ts';
import { type FakeSlurmrestd, startFake } from '#test/slurm/fake-slurmrestd.ts';
import { connect, order } from './connect.ts';

const workDirectory = '/scratch/{account}/jobs';
const adas = { ...order, login: 'ada' };

/** Who asked what. */
function listQuestions({ questions }: FakeSlurmrestd): string[] {
  return questions
    .filter(({ path }) => !path.startsWith('/openapi'))
    .map(({ method, path, user }) => `${user}: ${method} ${path.replace('/slurm/v0.0.38', '')}`);
}

describe('a job that runs as its owner', () => {
  it('is handed over, found, looked at and cancelled for its account', async () => {
    const fake = await startFake(38);
    const connector = connect(fake, { workDirectory });
    const handle = await connector.submit(adas);
    const job = { ...adas, handle };
    expect(await connector.findByTag(adas)).toBe('1');
    expect((await connector.lookUp([job])).get(job.jobId)).toMatchObject({ state: 'living' });
    await connector.cancel(job);
    expect(listQuestions(fake)).toEqual([
      'ada: POST /job/submit',
      'ada: GET /job/1',
      'ada: GET /jobs',
      'ada: GET /job/1',
      'ada: DELETE /job/1',
    ]);
    expect(fake.submitted()).toMatchObject([
      {
        script: expect.stringContaining("directory='/scratch/ada/jobs/JOB-1'"),
        job: {
          current_working_directory: '/scratch/ada/jobs',
          standard_output: '/scratch/ada/jobs/JOB-1.log',
        },
      },
    ]);
  });

  it('has the directory of the service where it was submitted as the service', async () => {
    const fake = await startFake(38);
    await connect(fake, { workDirectory }).submit(order);
    expect(listQuestions(fake)).toEqual(['hpcuser1: POST /job/submit']);
    expect(fake.submitted()).toMatchObject([
      { job: { current_working_directory: '/scratch/hpcuser1/jobs' } },
    ]);
  });

  it('is looked at with many others by one list, and alone only where the list hides it', async () => {
    const fake = await startFake(38);
    const jobs = Array.from({ length: 6 }, (_, index) => {
      const job = { ...order, jobId: jobId(`JOB-${index}`), handle: String(index + 1) };
      return { ...job, login: `user${index}` };
    });
    const queue = jobs.map(({ jobId: name, handle, login: user }) => {
      return { id: Number(handle), name, user, states: ['RUNNING'] };
    });
    fake.queue.push(...queue.slice(0, 5));
    const connector = connect(fake);
    const states = async () => {
      const seen = await connector.lookUp(jobs);
      return jobs.map((job) => seen.get(job.jobId)?.state);
    };
    const shown = ['living', 'living', 'living', 'living', 'living', 'unknown'];
    expect(await states()).toEqual(shown);
    expect(listQuestions(fake)).toEqual(['hpcuser1: GET /jobs', 'user5: GET /job/6']);
    fake.hidesJobs = true;
    expect(await states()).toEqual(shown);
    expect(listQuestions(fake)).toHaveLength(2 + 7);
  });

  it('is refused, and taken back, where Slurm does not know the account', async () => {
    const fake = await startFake(38);
    fake.unknownUsers = ['ada'];
    const refused = connect(fake).submit(adas);
    await expect(refused).rejects.toThrow(
      "The HPC system does not know the account 'ada'. Ask an administrator to correct it, and submit the job again.",
    );
    expect(fake.queue).toMatchObject([{ states: ['CANCELLED'] }]);
    expect(await connect(fake).findByTag(adas)).toBeUndefined();
  });

  it("is refused as the service's own user, which may command the cluster", async () => {
    const fake = await startFake(38);
    const refused = connect(fake).submit({ ...order, login: 'hpcuser1' });
    await expect(refused).rejects.toThrow(JobRefusedError);
    expect(fake.queue).toEqual([]);
  });
});

describe('the proof of a user', () => {
  it('is the token that there is, for whomever it is shown', () => {
    expect(proveUser({ user: 'slurm', token: 'good' }, 'ada')).toEqual({
      user: 'ada',
      token: 'good',
    });
  });

  it('is made with the key for that user alone, and for five minutes', () => {
    const key = Buffer.from('the key of the cluster').toString('base64');
    // By another program, with the claims exp 1700000300, iat 1700000000 and sun ada.
    const token =
      'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.' +
      'eyJleHAiOjE3MDAwMDAzMDAsImlhdCI6MTcwMDAwMDAwMCwic3VuIjoiYWRhIn0.' +
      'FMQzckBsfGyajHiPmTmKXcbkHQ0p1sbdgybsoFKIqI8';
    const made = proveUser({ user: 'slipway', key }, 'ada', 1_700_000_000_900);
    expect(made).toEqual({ user: 'ada', token });
  });

  it.each([
    {},
    { user: 'a' },
    { token: 'b' },
    { user: 'a', key: 'no base64!' },
    { user: 'a', key: '' },
  ])('cannot be made with %j', (secret) => {
    expect(() => readSlurmCredentials(secret)).toThrow(CredentialsRefusedError);
  });
});
