import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { detectLimits } from '#lib/hpc/machine/processes/control-group.ts';
import { claimJob, requestCancel } from '#lib/hpc/machine/record/job-folder.ts';
import { startShepherd } from '#local/shepherd/start-shepherd.ts';
import {
  listProcessesOf,
  onMachine,
  prepareJob,
  programPath,
  readOutput,
} from './job-on-machine.ts';

const megabyte = 1024 * 1024;
const { level } = await detectLimits();

describe('a job on this machine', () => {
  it('ends with its own exit code and output', async () => {
    const job = await onMachine('echo hello; echo trouble >&2; exit 3');
    expect(await job.ended()).toMatchObject({ cause: 'ended', code: 3, signal: null });
    expect(readOutput(job)).toEqual({ stdout: 'hello\n', stderr: 'trouble\n' });
  });

  it('computes in its working directory', async () => {
    const script = `let found = 0, n = 1;
      while (found < 10000) { n += 1; let d = 2; while (d * d <= n && n % d) d += 1; if (d * d > n) found += 1; }
      require('node:fs').writeFileSync('prime.txt', String(n));`;
    const job = prepareJob('"$NODE" prime.js');
    writeFileSync(join(job.folder, 'work/prime.js'), script);
    job.changeOrder((order) => ({
      ...order,
      environment: { ...order.environment, NODE: process.execPath },
    }));
    await startShepherd(job.folder);
    expect(await job.ended()).toMatchObject({ code: 0 });
    expect(readFileSync(join(job.folder, 'work/prime.txt'), 'utf8')).toBe('104729');
  });

  it('tells of its signal', async () => {
    const job = await onMachine('kill -SEGV $$');
    expect(await job.ended()).toMatchObject({ cause: 'ended', code: null, signal: 'SIGSEGV' });
  });

  it.each([
    { command: 'no-such-command', code: 127 },
    { command: '/etc/passwd', code: 126 },
  ])('has the exit code of the shell for $command', async ({ command, code }) => {
    const job = await onMachine(command);
    expect(await job.ended()).toMatchObject({ cause: 'ended', code });
    expect(readOutput(job).stderr).toContain(command);
  });

  it('runs once, however often it is started', async () => {
    const job = prepareJob('echo ran >> ran.txt; sleep 1');
    await Promise.all([1, 2, 3, 4].map(() => startShepherd(job.folder)));
    await job.ended();
    await (await startShepherd(job.folder)).ended;
    expect(readFileSync(join(job.folder, 'work/ran.txt'), 'utf8')).toBe('ran\n');
  });

  it('never runs if somebody else has claimed it', async () => {
    const job = prepareJob('echo ran > ran.txt');
    expect(claimJob(job.folder)).toBe(true);
    await (await startShepherd(job.folder)).ended;
    expect(existsSync(join(job.folder, 'work/ran.txt'))).toBe(false);
  });

  it.each([level, 'watched' as const])(
    'has its processor time and its memory measured (%s)',
    async (level) => {
      const script = `const block = Buffer.alloc(150 * 1024 * 1024, 1);
        while (process.cpuUsage().user < 1e6) block[1] += 1;`;
      // Three processes, of which one works for as long as the others wait.
      const command = `sh -c '"$NODE" work.js'; sleep 0.2`;
      const job = prepareJob(command, { level });
      writeFileSync(join(job.folder, 'work/work.js'), script);
      job.changeOrder((order) => ({
        ...order,
        environment: { ...order.environment, NODE: process.execPath },
      }));
      await startShepherd(job.folder);
      const { cpuSeconds = 0, memoryBytes = 0, seconds } = await job.ended();
      expect(cpuSeconds).toBeGreaterThan(0.9);
      expect(cpuSeconds).toBeLessThan(2 * seconds);
      expect(memoryBytes / megabyte).toBeGreaterThan(150);
      expect(memoryBytes / megabyte).toBeLessThan(300);
    },
  );

  it('has the processor time measured of processes that are stopped', async () => {
    // Each says when it has spent a second, however long the machine takes to give it one.
    const script = `while (process.cpuUsage().user < 1e6);
      require('node:fs').writeFileSync(process.argv[2], '');
      for (;;);`;
    const job = prepareJob('"$NODE" work.js one & "$NODE" work.js two; wait', {
      level: 'watched',
      graceSeconds: 1,
    });
    writeFileSync(join(job.folder, 'work/work.js'), script);
    job.changeOrder((order) => ({
      ...order,
      environment: { ...order.environment, NODE: process.execPath },
    }));
    await startShepherd(job.folder);
    await job.wrote('one');
    await job.wrote('two');
    requestCancel(job.folder);
    const exit = await job.ended();
    expect(exit.cause).toBe('cancelled');
    expect(exit.cpuSeconds).toBeGreaterThan(1.9);
  });

  it('counts its time by a clock that nobody sets', async () => {
    const job = prepareJob('sleep 1; touch begun; sleep 1');
    const begun = JSON.stringify(join(job.folder, 'work/begun'));
    const setBack = `import { existsSync } from 'node:fs';
      const Real = Date;
      const now = () => Real.now() - (existsSync(${begun}) ? 3600000 : 0);
      globalThis.Date = class extends Real {
        constructor(...given) { super(...(given.length > 0 ? given : [now()])); }
        static now() { return now(); }
      };`;
    const clock = ['--import', `data:text/javascript,${encodeURIComponent(setBack)}`];
    const shepherd = spawn(process.execPath, [...clock, programPath, job.folder], {
      stdio: 'ignore',
    });
    await once(shepherd, 'exit');
    const { seconds, startedAt, endedAt } = await job.ended();
    expect(Date.parse(endedAt)).toBeLessThan(Date.parse(startedAt ?? ''));
    expect(seconds).toBeGreaterThanOrEqual(2);
    expect(seconds).toBeLessThan(60);
  });
});

describe('a job that cannot start', () => {
  it.each([
    { what: 'program', argv: ['/no/such/program'] },
    { what: 'program in its PATH', argv: ['no-such-program', 'x'] },
    { what: 'file that can be executed', argv: ['/etc/passwd'] },
  ])('has no $what, and leaves no process', async ({ argv }) => {
    const job = await onMachine('', {}, { argv });
    const exit = await job.ended();
    expect(exit).toMatchObject({ cause: 'missing', code: null });
    expect(exit.reason).toContain(argv[0]);
    expect(listProcessesOf(job.jobId)).toEqual([]);
  });

  it('has no working directory', async () => {
    const job = prepareJob('echo hello');
    rmSync(join(job.folder, 'work'), { recursive: true });
    await startShepherd(job.folder);
    expect(await job.ended()).toMatchObject({ cause: 'missing', code: null });
  });

  it('has an account that does not exist, or that is root', async () => {
    // Nothing is fetched for them either.
    const host = 'http://127.0.0.1:9';
    const files = [{ from: `${host}/a`, to: 'a' }];
    const fetching = { files, hosts: [host], paidBy: 'site', maxBytes: 1 } as const;
    for (const login of ['no-such-account', 'root']) {
      const job = await onMachine('echo hello', {}, { login, fetching });
      const exit = await job.ended();
      expect(exit).toMatchObject({ cause: 'missing', code: null });
      expect(exit.reason).toContain(`'${login}'`);
    }
  });
});

describe('the end of a job', () => {
  const family =
    '(setsid sleep 600 &); setsid sh -c "setsid sleep 600 & (sleep 600 &) ; sleep 600" & sleep 600';

  it('comes at its time, also for grandchildren that left its session and its parents', async () => {
    const job = await onMachine(family, { seconds: 1, graceSeconds: 1 });
    const exit = await job.ended();
    expect(exit).toMatchObject({ cause: 'time', signal: 'SIGTERM' });
    expect(exit.seconds).toBeGreaterThanOrEqual(1);
    expect(listProcessesOf(job.jobId)).toEqual([]);
  });

  it('is forced after ten seconds', async () => {
    const job = await onMachine(`trap '' TERM; ${family}`, { seconds: 3 });
    const exit = await job.ended();
    expect(exit).toMatchObject({ cause: 'time', signal: 'SIGKILL' });
    expect(exit.seconds).toBeGreaterThanOrEqual(13);
    // A machine with other work to do may take longer than the second that a free one needs.
    expect(exit.seconds).toBeLessThan(60);
    expect(listProcessesOf(job.jobId)).toEqual([]);
  });

  it('keeps the exit code of a job that cleans up on request', async () => {
    const job = await onMachine(
      "trap 'echo saved > saved; exit 7' TERM; touch up; sleep 600 & wait",
    );
    await job.wrote('up');
    requestCancel(job.folder);
    expect(await job.ended()).toMatchObject({ cause: 'cancelled', code: 7, signal: null });
    expect(existsSync(join(job.folder, 'work/saved'))).toBe(true);
  });

  it.each([
    { graceSeconds: 0, signal: 'SIGKILL' },
    { graceSeconds: 10, signal: 'SIGTERM' },
  ])('comes on request, right after the start, with $graceSeconds s of grace', async (expected) => {
    const { graceSeconds, signal } = expected;
    const job = prepareJob('sleep 600 & sleep 600 & wait', { graceSeconds });
    await startShepherd(job.folder);
    requestCancel(job.folder);
    expect(await job.ended()).toMatchObject({ cause: 'cancelled', signal });
  });

  it('includes the processes that it leaves behind', async () => {
    const job = await onMachine('sleep 600 & (setsid sleep 600 &); exit 0', { graceSeconds: 1 });
    expect(await job.ended()).toMatchObject({ cause: 'ended', code: 0 });
    expect(listProcessesOf(job.jobId)).toEqual([]);
  });

  it('comes when its folder is removed', async () => {
    const job = await onMachine('sleep 600');
    const { started } = await job.running();
    rmSync(job.folder, { recursive: true });
    await expect.poll(() => listProcessesOf(job.jobId)).toEqual([]);
    await expect.poll(() => existsSync(`/proc/${started.shepherd.pid}`)).toBe(false);
  });

  it('is told when somebody stops its shepherd', async () => {
    const job = await onMachine('sleep 600');
    const { started } = await job.running();
    await job.wrote('../heartbeat.json');
    process.kill(started.shepherd.pid, 'SIGTERM');
    expect(await job.ended()).toMatchObject({ cause: 'lost', signal: 'SIGTERM' });
  });
});

describe('what a job gets', () => {
  it('is its own environment and no more', async () => {
    const job = await onMachine('env');
    await job.ended();
    const names = readOutput(job)
      .stdout.trim()
      .split('\n')
      .map((line) => line.split('=')[0]);
    // Shells add the rest themselves.
    const ofShells = ['PWD', 'OLDPWD', 'SHLVL', '_'];
    expect(names.filter((name = '') => !ofShells.includes(name)).sort()).toEqual([
      'HOME',
      'PATH',
      'SLIPWAY_JOB_ID',
      'SLIPWAY_MARK',
      'TMPDIR',
    ]);
  });

  it.runIf(process.platform === 'linux')('is no file of the service', async () => {
    const job = prepareJob('ls -l /proc/self/fd; readlink /proc/self/fd/0');
    const secret = openSync('/etc/hostname', 'r');
    const others = Array.from({ length: 17 }, () => 'ignore' as const);
    // Node itself protects only the first files of those that it inherits.
    const stdio = [
      'ignore' as const,
      'ignore' as const,
      'ignore' as const,
      secret,
      ...others,
      secret,
    ];
    const shepherd = spawn(process.execPath, [programPath, job.folder], { stdio });
    await once(shepherd, 'exit');
    closeSync(secret);
    expect(await job.ended()).toMatchObject({ code: 0 });
    const { stdout } = readOutput(job);
    const numbers = [...stdout.matchAll(/ (\d+) -> /g)].map(([, number]) => number);
    // The last one is the folder that `ls` reads.
    expect(numbers).toEqual(['0', '1', '2', '3']);
    expect(stdout).not.toContain('hostname');
    expect(stdout.trim().split('\n').at(-1)).toBe('/dev/null');
  });
});
