import { describe, expect, it } from 'vitest';
import { requestCancel } from '#lib/hpc/machine/job-folder.ts';
import { onMachine, readOutput } from './job-on-machine.ts';

describe('a job on this machine', () => {
  it('ends with its own exit code and output', async () => {
    const job = await onMachine('echo hello; echo trouble >&2; exit 3');
    const exit = await job.ended();
    expect(exit).toMatchObject({ cause: 'ended', code: 3, signal: null });
    expect(readOutput(job)).toEqual({ stdout: 'hello\n', stderr: 'trouble\n' });
  });

  it('is ended at its time, together with grandchildren that left its session', async () => {
    const command =
      '(setsid sleep 600 &) ; setsid sh -c "setsid sleep 600 & sleep 600" & sleep 600';
    const job = await onMachine(command, { seconds: 1, graceSeconds: 1 });
    const exit = await job.ended();
    expect(exit).toMatchObject({ cause: 'time', signal: 'SIGTERM' });
    expect(exit.seconds).toBeGreaterThanOrEqual(1);
  });

  it('is killed after its grace period if it ignores the request', async () => {
    const job = await onMachine('trap "" TERM; sleep 600 & wait; wait', {
      seconds: 1,
      graceSeconds: 1,
    });
    expect(await job.ended()).toMatchObject({ cause: 'time', signal: 'SIGKILL' });
  });

  it('ends on request', async () => {
    const job = await onMachine('sleep 600');
    await job.running();
    requestCancel(job.folder);
    expect(await job.ended()).toMatchObject({ cause: 'cancelled', signal: 'SIGTERM' });
  });
});
