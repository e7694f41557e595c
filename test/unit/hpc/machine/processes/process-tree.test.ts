import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { openTree } from '#lib/hpc/machine/processes/process-tree.ts';
import { readProcess } from '#lib/hpc/machine/record/process-mark.ts';

function startSleep() {
  const child = spawn('sleep', ['600']);
  onTestFinished(() => void child.kill('SIGKILL'));
  const facts = readProcess(child.pid ?? 0);
  if (!facts) throw new Error('sleep does not run.');
  return { child, facts };
}

it.runIf(process.platform === 'linux')(
  'ends the command of a job that has not entered its control group yet, and no other process',
  async () => {
    const group = mkdtempSync(join(tmpdir(), 'slipway-group-'));
    onTestFinished(() => rmSync(group, { recursive: true }));
    writeFileSync(join(group, 'cgroup.procs'), '');
    const command = startSleep();
    const stranger = startSleep();
    const tree = openTree({ uid: process.getuid?.(), groups: [group] });
    tree.add(command.facts);
    // The id of an ended process, which another one has by now.
    tree.add({ ...stranger.facts, startTime: '1' });
    expect(tree.list()).toMatchObject([{ pid: command.child.pid }]);
    const ended = once(command.child, 'exit');
    expect(await tree.end({ graceMs: 0 })).toEqual([]);
    expect((await ended)[1]).toBe('SIGKILL');
    expect(stranger.child.signalCode).toBeNull();
    expect(stranger.child.exitCode).toBeNull();
  },
);
