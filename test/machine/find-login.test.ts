import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { findLogin } from '#lib/hpc/machine/find-login.ts';
import type { FolderOrder } from '#lib/hpc/machine/record/job-folder.ts';
import { startShepherd } from '#local/shepherd/start-shepherd.ts';
import { startDataServer } from '#test/connectors/fetching/data-server.ts';
import { giveTo, type JobOnMachine, prepareJob, readOutput } from './job-on-machine.ts';

/** Only root can start jobs under other accounts. */
const isRoot = process.getuid?.() === 0;

async function runAs(
  login: string,
  command: string,
  limits = {},
  more: Partial<FolderOrder> = {},
): Promise<JobOnMachine> {
  const job = prepareJob(command, limits, { login, ...more });
  giveTo(login, job);
  await startShepherd(job.folder);
  return job;
}

describe('an account', () => {
  it('is found by its name', () => {
    expect(findLogin('nobody')?.uid).toBeGreaterThan(0);
  });

  it.each(['root', 'no-such-account', '', '--help', 'nobody:x'])(
    'is not found as "%s"',
    (login) => {
      expect(findLogin(login)).toBeUndefined();
    },
  );
});

describe.runIf(isRoot)('a job under an account of its own', () => {
  it('has the rights of the account and no others', async () => {
    const job = await runAs(
      'nobody',
      'id -u; id -g; id -G; grep Cap /proc/self/status; cat /etc/shadow',
    );
    expect(await job.ended()).toMatchObject({ code: 1 });
    const [uid, gid, groups, ...capabilities] = readOutput(job).stdout.trim().split('\n');
    const account = findLogin('nobody');
    expect([uid, gid, groups]).toEqual([`${account?.uid}`, `${account?.gid}`, `${account?.gid}`]);
    expect(capabilities.filter((line) => /CapInh|CapPrm|CapEff|CapAmb/.test(line))).toEqual(
      ['Inh', 'Prm', 'Eff', 'Amb'].map((name) => `Cap${name}:\t0000000000000000`),
    );
  });

  it('writes its own folders and its output, also by name', async () => {
    const job = await runAs('nobody', 'touch here "$TMPDIR/there"; echo printed > /dev/stdout');
    expect(await job.ended()).toMatchObject({ code: 0 });
    expect(readOutput(job).stdout).toBe('printed\n');
    expect(statSync(join(job.folder, 'work/here')).uid).toBe(findLogin('nobody')?.uid);
    expect(statSync(join(job.folder, 'work')).mode & 0o777).toBe(0o700);
  });

  it('fetches its inputs with its rights alone', async () => {
    const server = await startDataServer();
    onTestFinished(server.close);
    const fetch = (to: string) => ({
      files: [{ from: `${server.host}/data`, to }],
      hosts: [server.host],
      paidBy: 'site' as const,
      maxBytes: 1_000_000,
    });
    const job = await runAs('nobody', 'touch ran', {}, { fetching: fetch('deep/data') });
    expect(await job.ended()).toMatchObject({ code: 0 });
    expect(statSync(join(job.folder, 'work/deep/data')).uid).toBe(findLogin('nobody')?.uid);
    // A link in the folder, where only the service may write.
    const forbidden = mkdtempSync(join(tmpdir(), 'slipway-forbidden-'));
    onTestFinished(() => rmSync(forbidden, { recursive: true }));
    const linked = prepareJob('true', {}, { login: 'nobody', fetching: fetch('out/data') });
    symlinkSync(forbidden, join(linked.folder, 'work/out'));
    giveTo('nobody', linked);
    await startShepherd(linked.folder);
    expect((await linked.ended()).reason).toContain('it could not be put there');
    expect(readdirSync(forbidden)).toEqual([]);
  });

  it('starts no more processes than it may, also without a control group', async () => {
    const start = 'for i in $(seq 60); do sleep 600 & done; echo all of them';
    const limits = { level: 'watched', processes: 5, graceSeconds: 1 } as const;
    const job = await runAs('nobody', start, limits);
    expect((await job.ended()).code).not.toBe(0);
    expect(readOutput(job)).toMatchObject({ stdout: '', stderr: expect.stringMatching(/fork/i) });
  });

  it('can neither forge its end, nor read its order, nor kill its shepherd', async () => {
    const command = `echo '{}' > ../exit.json || echo refused
      cat ../order.json || echo refused
      rm -f ../claim || echo refused
      touch ../cancel || echo refused
      touch up; sleep 600`;
    const job = await runAs('nobody', command);
    await job.wrote('up');
    const { started } = await job.running();
    const other = await runAs('nobody', `kill -9 ${started.shepherd.pid} || echo refused`);
    await other.ended();
    expect(readOutput(other).stdout).toBe('refused\n');
    expect(readOutput(job).stdout).toBe('refused\n'.repeat(4));
    expect((await job.running()).state).toBe('running');
    process.kill(started.job.pid, 'SIGTERM');
    await job.ended();
  });

  it('sees nothing of a job of another account', async () => {
    const theirs = await runAs('daemon', 'echo secret > result; touch up; exec sleep 600');
    await theirs.wrote('up');
    const { started } = await theirs.running();
    const paths = ['work', 'work/result', 'stdout', 'order.json'].map((n) =>
      join(theirs.folder, n),
    );
    const reads = [...paths, `/proc/${started.job.pid}/environ`].map(
      (path) => `cat '${path}' || ls '${path}/' || echo refused`,
    );
    const job = await runAs('nobody', `${reads.join('\n')}\nls '${theirs.folder}' || echo refused`);
    await job.ended();
    expect(readOutput(job).stdout).toBe('refused\n'.repeat(6));
    process.kill(started.job.pid, 'SIGKILL');
    expect(await theirs.ended()).toMatchObject({ signal: 'SIGKILL' });
    expect(readFileSync(join(theirs.folder, 'work/result'), 'utf8')).toBe('secret\n');
  });
});
