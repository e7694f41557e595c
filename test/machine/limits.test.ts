import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { detectLimits } from '#lib/hpc/machine/processes/control-group.ts';
import type { FolderOrder } from '#lib/hpc/machine/record/job-folder.ts';
import { readStarted } from '#lib/hpc/machine/record/read-folder.ts';
import { startShepherd } from '#local/shepherd/start-shepherd.ts';
import {
  type JobOnMachine,
  listProcessesOf,
  onMachine,
  prepareJob,
  readOutput,
} from './job-on-machine.ts';

const megabyte = 1024 * 1024;
const { level, sentence } = await detectLimits();
const hasGroups = level !== 'watched';

/** Runs a program in Node, because every machine of the project has it. */
async function onNode(script: string, limits: Partial<FolderOrder['limits']>) {
  const job = prepareJob('"$NODE" script.js', limits);
  writeFileSync(join(job.folder, 'work/script.js'), script);
  job.changeOrder((order) => ({
    ...order,
    environment: { ...order.environment, NODE: process.execPath },
  }));
  await startShepherd(job.folder);
  return job;
}

/** A group can be removed only if it has no processes. The shepherd removes it before it ends. */
function expectNoGroups({ folder }: JobOnMachine) {
  const groups = readStarted(folder)?.groups ?? [];
  expect(groups).not.toEqual([]);
  expect(groups.filter((group) => existsSync(group))).toEqual([]);
}

const allocate = `
  const blocks = [];
  setInterval(() => blocks.push(Buffer.alloc(16 * 1024 * 1024, 1)), 20);`;
/** Each of four processes has less than the job may have, all of them together more. */
const allocateInFour = `
  const { spawn } = require('node:child_process');
  const script = 'const block = Buffer.alloc(120 * 1024 * 1024, 1); setInterval(() => block[0]++, 1000)';
  for (let i = 0; i < 4; i += 1) {
    spawn(process.execPath, ['-e', script], { detached: true, stdio: 'ignore' });
  }
  setInterval(() => {}, 1000);`;

it('says in a sentence which limits hold on this machine', () => {
  expect(sentence).toMatch(/memory of|Memory and processes of each job/);
});

describe.runIf(hasGroups)('a job in a control group', () => {
  it('fails for its memory if it takes too much', async () => {
    const job = await onNode(allocate, { level, memoryBytes: 256 * megabyte });
    const exit = await job.ended();
    expect(exit).toMatchObject({ cause: 'memory' });
    expect(exit.reason).toBe('The job used more than its 268 MB of memory.');
  });

  it('fails for its memory if its processes together take too much', async () => {
    const job = await onNode(allocateInFour, { level, memoryBytes: 400 * megabyte });
    expect(await job.ended()).toMatchObject({ cause: 'memory' });
    expect(listProcessesOf(job.jobId)).toEqual([]);
  });

  it('may use almost all of it', async () => {
    const script = 'const block = Buffer.alloc(100 * 1024 * 1024, 1); console.log(block.length)';
    const job = await onNode(script, { level, memoryBytes: 256 * megabyte });
    expect(await job.ended()).toMatchObject({ cause: 'ended', code: 0 });
  });

  it('starts no more processes than it may', async () => {
    const command = 'for i in 1 2 3 4 5 6 7 8; do sleep 600 & done; echo all of them';
    const job = await onMachine(command, { level, processes: 5, graceSeconds: 1 });
    const exit = await job.ended();
    expect(exit.cause).toBe('ended');
    expect(exit.code).not.toBe(0);
    expect(readOutput(job)).toMatchObject({ stdout: '', stderr: expect.stringMatching(/fork/i) });
  });

  it('is ended with processes that dropped its mark, its session and their parents', async () => {
    const command = "env -i setsid sh -c 'env -i setsid sleep 599 & exit' & wait";
    const job = await onMachine(`${command}; sleep 600`, { level, seconds: 3, graceSeconds: 1 });
    expect(await job.ended()).toMatchObject({ cause: 'time' });
    expectNoGroups(job);
  });

  it('is ended although it starts processes without end', async () => {
    const command = 'chain() { (chain &) ; }; chain & chain & chain & sleep 600';
    const limits = { level, seconds: 1, graceSeconds: 1, processes: 40 };
    const job = await onMachine(command, limits);
    expect(await job.ended()).toMatchObject({ cause: 'time' });
    expectNoGroups(job);
  });
});

describe('a job on a machine without control groups', () => {
  it('fails for its memory if its processes together take too much', async () => {
    const job = await onNode(allocateInFour, { level: 'watched', memoryBytes: 400 * megabyte });
    expect(await job.ended()).toMatchObject({ cause: 'memory' });
    expect(listProcessesOf(job.jobId)).toEqual([]);
  });

  it.runIf(process.platform === 'linux')(
    'gets little more data for one process than the job may have memory',
    async () => {
      const limits = { level: 'watched', memoryBytes: 400 * megabyte } as const;
      const job = await onMachine('ulimit -d; ulimit -c; ulimit -v', limits);
      await job.ended();
      expect(readOutput(job).stdout).toBe(`${(400 + 1024) * 1024}\n0\nunlimited\n`);
    },
  );

  it.runIf(process.platform === 'linux')('runs Node within 200 megabytes', async () => {
    const job = await onNode('console.log("here")', { level: 'watched', memoryBytes: 2e8 });
    expect(await job.ended()).toMatchObject({ cause: 'ended', code: 0 });
  });

  it('is ended although its processes start others all the time', async () => {
    const command = 'chain() { (sleep 0.01; chain &) ; }; chain & chain & sleep 600';
    const job = await onMachine(command, { level: 'watched', seconds: 1, graceSeconds: 1 });
    expect(await job.ended()).toMatchObject({ cause: 'time' });
    expect(listProcessesOf(job.jobId)).toEqual([]);
  });
});

describe('a job that writes without end', () => {
  const limits = { outputBytes: 20 * megabyte, graceSeconds: 1 };
  const reason = 'The job wrote more than the 20 MB that its files may have.';

  it.each([
    { where: 'to its output', command: 'yes' },
    { where: 'to its error output', command: 'yes >&2' },
    { where: 'to one file', command: 'yes > large; sleep 600' },
    {
      where: 'to many files',
      command: 'i=0; while :; do i=$((i+1)); head -c 1000000 /dev/zero > file$i; done',
    },
    {
      where: 'to its temporary directory',
      command: 'mkdir "$TMPDIR/a"; while :; do head -c 1000000 /dev/zero >> "$TMPDIR/a/b"; done',
    },
    { where: 'to a file, and does not mind', command: 'yes > large; exit 0' },
  ])('$where is stopped', async ({ command }) => {
    const job = await onMachine(command, limits);
    expect(await job.ended()).toMatchObject({ cause: 'output', reason });
  });

  it('into folders without end is stopped, and can be removed', async () => {
    const name = 'x'.repeat(200);
    const command = `while mkdir ${name} && cd ${name}; do head -c 1000 /dev/zero > file; done; sleep 600`;
    const job = await onMachine(command, limits);
    const nested = 'The job put folders into folders without end.';
    expect(await job.ended()).toMatchObject({ cause: 'output', reason: nested });
  });

  it('may write almost all of it, and name it twice', async () => {
    const command = 'head -c 12000000 /dev/zero > file; ln file again; sleep 2';
    const job = await onMachine(command, limits);
    expect(await job.ended()).toMatchObject({ cause: 'ended', code: 0 });
  });
});
