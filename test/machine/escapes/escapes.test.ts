import { execFileSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { requestCancel } from '#lib/hpc/machine/record/job-folder.ts';
import { attempts, forgetVictim, type Victim, victimCommand } from './attempts.ts';
import {
  levels,
  missing,
  readPrinted,
  Scene,
  waitForEnd,
  waitForFile,
  waitForRunning,
} from './scene.ts';

describe.each(levels)('a hostile job, %s', (level) => {
  const fault = missing[level];
  if (fault !== undefined) process.stdout.write(`${level} is not tried: ${fault}\n`);
  const worked = new Map<string, boolean>();
  beforeAll(async () => {
    if (fault !== undefined) return;
    const scene = new Scene(level);
    await scene.open();
    const job = await scene.start(victimCommand(scene), { isVictim: true });
    try {
      await waitForFile(job, 'up');
      const started = await waitForRunning(job);
      const victim: Victim = { ...job, pid: started.job.pid, shepherd: started.shepherd.pid };
      const lines = attempts.map(
        ({ line }, index) => `(${line(scene, victim)}) >&2 && echo ${index}`,
      );
      const attacker = await scene.start(`${lines.join('\n')}\ntrue`);
      expect(await waitForEnd(attacker)).toMatchObject({ cause: 'ended', code: 0 });
      const printed = new Set(readPrinted(attacker).trim().split('\n'));
      for (const [index, attempt] of attempts.entries()) {
        const looked = attempt.worked?.(scene, victim);
        worked.set(attempt.what, looked ?? printed.has(String(index)));
      }
      expect((await waitForRunning(job)).at).toBe(started.at);
    } finally {
      requestCancel(job.folder);
      await waitForEnd(job);
      execFileSync('/bin/sh', ['-c', forgetVictim(scene)]);
      await scene.close();
    }
  });

  it.runIf(fault === undefined).each(attempts)('$what', ({ what, stoppedAt }) => {
    expect(worked.get(what) ? 'worked' : 'was stopped').toBe(
      stoppedAt.includes(level) ? 'was stopped' : 'worked',
    );
  });
  afterAll(() => worked.clear());
});
