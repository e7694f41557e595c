import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { observeJob } from '#lib/hpc/machine/observe-job.ts';
import { detectLimits } from '#lib/hpc/machine/processes/control-group.ts';
import { createGroups, nameOfGroup } from '#lib/hpc/machine/processes/job-groups.ts';
import {
  openTree,
  signalProcess,
  type TreeOptions,
} from '#lib/hpc/machine/processes/process-tree.ts';
import { claimJob, writeExit, writeStarted } from '#lib/hpc/machine/record/job-folder.ts';
import { isRunning, readBootId, readMark } from '#lib/hpc/machine/record/process-mark.ts';
import { readExit, readHeartbeat, readStarted } from '#lib/hpc/machine/record/read-folder.ts';
import { listProcessesOf, onMachine, prepareJob } from './job-on-machine.ts';

const { level } = await detectLimits();

const untilTold = 'until [ -e go ]; do sleep 0.1; done';

/** Starts a process that belongs to no job, and must survive. */
async function startInnocent() {
  const child = spawn('sleep', ['600'], { stdio: 'ignore' });
  await once(child, 'spawn');
  onTestFinished(() => void child.kill('SIGKILL'));
  const mark = readMark(child.pid ?? 0);
  if (mark === undefined) throw new Error('It does not run.');
  return mark;
}

/** The mark of a process that has ended. */
async function findEnded() {
  const child = spawn('sleep', ['0'], { stdio: 'ignore' });
  await once(child, 'spawn');
  const mark = { pid: child.pid ?? 0, startTime: '1' };
  await once(child, 'exit');
  return mark;
}

function changePart(folder: string, name: string, change: object) {
  const path = join(folder, name);
  const before: object = JSON.parse(readFileSync(path, 'utf8'));
  writeFileSync(path, JSON.stringify({ ...before, ...change }));
}

describe('a job that is looked up', () => {
  it('waits, runs and ends as its folder says', async () => {
    const waiting = prepareJob('true');
    expect(await observeJob(waiting.folder, waiting.jobId)).toEqual({ state: 'waiting' });
    claimJob(waiting.folder);
    expect(await observeJob(waiting.folder, waiting.jobId)).toEqual({ state: 'starting' });
    const job = await onMachine(untilTold);
    const { started } = await job.running();
    expect(isRunning(started.shepherd, started.bootId)).toBe(true);
    await expect.poll(() => readHeartbeat(job.folder)?.seconds ?? -1).toBeGreaterThanOrEqual(0);
    writeFileSync(join(job.folder, 'work/go'), '');
    expect(await job.ended()).toMatchObject({ cause: 'ended', code: 0 });
  });

  it('has the same state whoever asks, and ends by the signal that it gets', async () => {
    const job = await onMachine('exec sleep 600');
    const { started } = await job.running();
    const script = `import { createGroups, nameOfGroup } from '#lib/hpc/machine/processes/job-groups.ts';
import { observeJob } from '#lib/hpc/machine/observe-job.ts';
      const { state, started } = await observeJob(process.argv[1], process.argv[2]);
      console.log(JSON.stringify({ state, started }));`;
    const other = spawn(process.execPath, [
      '--input-type=module',
      '-e',
      script,
      job.folder,
      job.jobId,
    ]);
    const [answer] = await once(other.stdout, 'data');
    expect(JSON.parse(String(answer))).toEqual({ state: 'running', started });
    process.kill(started.job.pid, 'SIGKILL');
    expect(await job.ended()).toMatchObject({ cause: 'ended', code: null, signal: 'SIGKILL' });
  });

  it('is lost, and its processes are ended, if its shepherd was killed', async () => {
    const job = await onMachine('(setsid sleep 600 &); trap "" TERM; sleep 600; sleep 600');
    const { started } = await job.running();
    await expect.poll(() => readHeartbeat(job.folder)?.seconds ?? 0).toBeGreaterThan(1);
    process.kill(started.shepherd.pid, 'SIGKILL');
    const exit = await job.ended();
    const reason = 'The process that watched the job was killed.';
    expect(exit).toMatchObject({ cause: 'lost', code: null, signal: null, reason });
    expect(exit.seconds).toBe(readHeartbeat(job.folder)?.seconds);
    expect(listProcessesOf(job.jobId)).toEqual([]);
  });

  it('is lost if the machine was started again', async () => {
    const job = await onMachine('exec sleep 600');
    const { started } = await job.running();
    process.kill(started.shepherd.pid, 'SIGKILL');
    process.kill(started.job.pid, 'SIGKILL');
    await expect.poll(() => listProcessesOf(job.jobId)).toEqual([]);
    const bootId = 'another';
    changePart(job.folder, 'claim', { bootId });
    // By now both ids belong to other processes.
    const innocent = await startInnocent();
    changePart(job.folder, 'started.json', { bootId, shepherd: innocent, job: innocent });
    const reason = 'The machine stopped while the job ran.';
    expect(await job.ended()).toMatchObject({ cause: 'lost', reason });
    expect(isRunning(innocent, readBootId())).toBe(true);
  });

  it('is lost at zero seconds if its shepherd was killed before it started the command', async () => {
    const job = prepareJob('true');
    claimJob(job.folder);
    changePart(job.folder, 'claim', { by: await findEnded() });
    expect(await job.ended()).toMatchObject({ cause: 'lost', seconds: 0, startedAt: null });
  });

  it.runIf(level !== 'watched')('leaves no control group if its shepherd was killed', async () => {
    const early = prepareJob('true', { level });
    claimJob(early.folder);
    changePart(early.folder, 'claim', { by: await findEnded() });
    const bounds = { memoryBytes: 64 * 1024 * 1024, processes: 5 };
    const made =
      level === 'systemd' ? [] : createGroups(level, nameOfGroup(early.jobId), bounds).folders;
    expect(await early.ended()).toMatchObject({ cause: 'lost' });
    const late = await onMachine('sleep 600 & sleep 600', { level });
    const { started } = await late.running();
    process.kill(started.shepherd.pid, 'SIGKILL');
    expect(await late.ended()).toMatchObject({ cause: 'lost' });
    expect([...made, ...started.groups].filter((group) => existsSync(group))).toEqual([]);
  });

  it('is lost once, and never successful, if its end vanishes', async () => {
    const job = await onMachine('exit 0');
    expect(await job.ended()).toMatchObject({ code: 0 });
    const by = readStarted(job.folder)?.shepherd ?? { pid: 0, startTime: '' };
    await expect.poll(() => isRunning(by, readBootId())).toBe(false);
    rmSync(join(job.folder, 'exit.json'));
    const [first, second] = await Promise.all([job.ended(), job.ended()]);
    expect(first).toMatchObject({ cause: 'lost', code: null });
    expect(second).toEqual(first);
    expect(await job.ended()).toEqual(first);
  });

  it('keeps its first end', async () => {
    const job = prepareJob('true');
    const end = { version: 1, signal: null, startedAt: null, endedAt: 'now', seconds: 1 } as const;
    expect(writeExit(job.folder, { ...end, cause: 'ended', code: 4 })).toBe(true);
    expect(writeExit(job.folder, { ...end, cause: 'lost', code: null })).toBe(false);
    expect(await job.ended()).toMatchObject({ cause: 'ended', code: 4 });
  });

  it('does not mind a file that was half written, nor a damaged heartbeat', async () => {
    const job = await onMachine(untilTold);
    await job.running();
    writeFileSync(join(job.folder, '.exit.json.1234'), '{"version":1,"cause":"en');
    writeFileSync(join(job.folder, 'heartbeat.json'), '');
    expect((await observeJob(job.folder, job.jobId)).state).toBe('running');
    writeFileSync(join(job.folder, 'work/go'), '');
    expect(await job.ended()).toMatchObject({ cause: 'ended', code: 0 });
  });

  it('loads a folder that an earlier version wrote', () => {
    const job = prepareJob('true');
    const mark = { pid: 4711, startTime: '1234' };
    const started = { version: 1, shepherd: mark, job: mark, bootId: 'x', at: '2026-11-16' };
    writeFileSync(join(job.folder, 'started.json'), JSON.stringify(started));
    expect(readStarted(job.folder)).toEqual({ ...started, groups: [] });
    const exit = { version: 1, cause: 'ended', code: 0, signal: null, startedAt: null };
    const more = { endedAt: '2026-11-16', seconds: 3 };
    writeFileSync(join(job.folder, 'exit.json'), JSON.stringify({ ...exit, ...more }));
    expect(readExit(job.folder)).toEqual({ ...exit, ...more });
  });
});

describe('a signal', () => {
  it('never reaches a process that has the id of an ended one', async () => {
    const innocent = await startInnocent();
    signalProcess({ ...innocent, startTime: '1' }, 'SIGKILL');
    const job = prepareJob('true');
    claimJob(job.folder);
    const reused = { ...innocent, startTime: '1' };
    const bootId = readBootId();
    changePart(job.folder, 'claim', { by: reused });
    writeStarted(job.folder, {
      version: 1,
      shepherd: reused,
      job: reused,
      bootId,
      at: new Date().toISOString(),
      groups: [],
    });
    expect(await job.ended()).toMatchObject({ cause: 'lost' });
    expect(isRunning(innocent, bootId)).toBe(true);
  });

  it('reaches only processes with exactly this mark', async () => {
    const job = prepareJob('true');
    const other = await onMachine('sleep 600');
    const { started } = await other.running();
    const { mark = '' } = other.order;
    const end = (options: Partial<TreeOptions>) =>
      openTree({ mark, uid: process.getuid?.(), groups: [], ...options }).end({ graceMs: 0 });
    await end({ mark: '' });
    await end({ mark: mark.slice(0, -1) });
    await end({ mark: other.jobId });
    await end({ uid: 65_533 });
    expect(isRunning(started.job, started.bootId)).toBe(true);
    await end({});
    expect(await other.ended()).toMatchObject({ cause: 'ended', signal: 'SIGKILL' });
    expect(existsSync(join(job.folder, 'exit.json'))).toBe(false);
  });
});
