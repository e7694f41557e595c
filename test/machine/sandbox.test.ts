import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findAccount } from '#lib/hpc/machine/account.ts';
import { requestCancel } from '#lib/hpc/machine/job-folder.ts';
import { explainMissingSandbox } from '#lib/hpc/machine/sandbox.ts';
import { startShepherd } from '#local/shepherd/start-shepherd.ts';
import { giveTo, prepareJob, readOutput } from './job-on-machine.ts';

/** Without bubblewrap there is nothing to test: a job that asks for a sandbox does not start. */
const hasSandbox = (await explainMissingSandbox()) === undefined;

function inSandbox(command: string, { network = false, hidden = [] as string[] } = {}) {
  return prepareJob(command, { graceSeconds: 2 }, { sandbox: { network, hidden } });
}

describe.runIf(hasSandbox)('a job in a sandbox', () => {
  it('writes its own folders and nothing else', async () => {
    const places = ['.', '"$TMPDIR"', '/tmp', '..', '/usr', '/etc', '/run', '/var/tmp', '"$OTHER"'];
    const tries = places.map((place) => `(echo x > ${place}/x) 2>&- && echo ${place}`);
    const job = inSandbox(`${tries.join('\n')}\ntrue`);
    const other = dirname(job.folder);
    job.changeOrder((order) => ({
      ...order,
      environment: { ...order.environment, OTHER: other },
    }));
    await startShepherd(job.folder);
    expect(await job.ended()).toMatchObject({ cause: 'ended', code: 0 });
    const { stdout } = readOutput(job);
    expect(stdout.split('\n').slice(0, 2)).toEqual(['.', job.order.environment.TMPDIR]);
    expect(stdout).not.toMatch(/^(\.\.|\/usr|\/etc|\/run|\/var\/tmp)$/m);
    expect(existsSync(join(job.folder, 'work/x'))).toBe(true);
    expect(existsSync(join(job.folder, 'x'))).toBe(false);
    expect(existsSync(join(other, 'x'))).toBe(false);
  });

  it('sees neither hidden folders and files nor the records of its own job', async () => {
    const job = inSandbox('ls "$STATE"; cat "$STATE.key"; ls -a ..; ls /run; true');
    const state = join(dirname(job.folder), 'state');
    mkdirSync(state);
    writeFileSync(join(state, 'secret-name'), 'x');
    writeFileSync(`${state}.key`, 'secret key');
    job.changeOrder((order) => ({
      ...order,
      environment: { ...order.environment, STATE: state },
      sandbox: { network: false, hidden: [state, `${state}.key`, '/no/such/folder'] },
    }));
    await startShepherd(job.folder);
    expect(await job.ended()).toMatchObject({ code: 0 });
    expect(readOutput(job).stdout.trim().split('\n')).toEqual(['.', '..', 'tmp', 'work']);
  });

  it('sees its own folders even if all jobs are hidden', async () => {
    const job = inSandbox('ls "$JOBS"; pwd; echo fine > result');
    const jobs = dirname(job.folder);
    job.changeOrder((order) => ({
      ...order,
      environment: { ...order.environment, JOBS: jobs },
      sandbox: { network: false, hidden: [jobs] },
    }));
    mkdirSync(join(jobs, 'another-job'));
    await startShepherd(job.folder);
    expect(await job.ended()).toMatchObject({ code: 0 });
    expect(readOutput(job).stdout).toBe(`${job.jobId}\n${join(job.folder, 'work')}\n`);
    expect(existsSync(join(job.folder, 'work/result'))).toBe(true);
  });

  it('sees no process but its own', async () => {
    const job = inSandbox('ls -d /proc/[0-9]* | wc -l');
    await startShepherd(job.folder);
    await job.ended();
    expect(Number(readOutput(job).stdout)).toBeLessThan(6);
  });

  it.each([
    { network: false, interfaces: 'only its own' },
    { network: true, interfaces: 'those of the machine' },
  ])('has network interfaces: $interfaces', async ({ network }) => {
    const job = inSandbox('readlink /proc/self/ns/net', { network });
    await startShepherd(job.folder);
    await job.ended();
    const here = prepareJob('readlink /proc/self/ns/net');
    await startShepherd(here.folder);
    await here.ended();
    expect(readOutput(job).stdout === readOutput(here).stdout).toBe(network);
  });

  it('keeps its exit code when it cleans up on request', async () => {
    const job = inSandbox("trap 'echo saved > saved; exit 7' TERM; touch up; sleep 600 & wait");
    await startShepherd(job.folder);
    await job.wrote('up');
    requestCancel(job.folder);
    expect(await job.ended()).toMatchObject({ cause: 'cancelled', code: 7 });
    expect(existsSync(join(job.folder, 'work/saved'))).toBe(true);
  });

  it('is ended by force if it does not react', async () => {
    const job = inSandbox("trap '' TERM; touch up; setsid sleep 600 & sleep 600; sleep 600");
    await startShepherd(job.folder);
    await job.wrote('up');
    requestCancel(job.folder);
    expect(await job.ended()).toMatchObject({ cause: 'cancelled', signal: 'SIGKILL' });
  });

  it.runIf(process.getuid?.() === 0)('runs under an account of its own, too', async () => {
    const job = inSandbox(
      'id -u; echo fine > result; (echo x > /tmp/x) && ls /run; cat ../order.json',
    );
    giveTo('nobody', job);
    job.changeOrder((order) => ({ ...order, login: 'nobody' }));
    await startShepherd(job.folder);
    expect(await job.ended()).toMatchObject({ cause: 'ended', code: 1 });
    expect(readOutput(job).stdout).toBe(`${findAccount('nobody')?.uid}\n`);
    expect(existsSync(join(job.folder, 'work/result'))).toBe(true);
  });
});
