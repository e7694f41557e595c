import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { findLogin } from '#lib/hpc/machine/find-login.ts';
import { runInImage } from '#lib/hpc/machine/processes/in-image.ts';
import { type FolderOrder, requestCancel } from '#lib/hpc/machine/record/job-folder.ts';
import type { ImageTerms } from '#lib/hpc/script/choose-image.ts';
import { startShepherd } from '#local/shepherd/start-shepherd.ts';
import { type Edition, openHome } from '#test/fixtures/edition.ts';
import { forgetPodman, onlyThere, preparePodman, testImage } from '#test/fixtures/podman.ts';
import { pollUntil } from '../slurm/poll-until.ts';
import { type BatchBody, Researcher } from '../slurm/researcher.ts';
import { giveTo, type JobOnMachine, prepareJob, readOutput } from './job-on-machine.ts';

const deadlineSeconds = 120;
const thisMachine = new URL('../../lib/catalog/this-machine.json', import.meta.url);

const missing = await preparePodman();
afterAll(forgetPodman);
if (missing !== undefined) console.warn(`Jobs in images are not tested: ${missing}`);

function inImage(
  command: string,
  terms: Partial<ImageTerms> = {},
  limits: Partial<FolderOrder['limits']> = {},
  more: Partial<FolderOrder> = {},
): JobOnMachine {
  const job = prepareJob('true', limits, more);
  const all = { runtime: 'podman', image: testImage, gpus: false, mounts: [], ...terms } as const;
  job.changeOrder((order) => {
    const environment = { ...order.environment, SLIPWAY_ROW: "a 'row' $HOME" };
    const path = '/usr/local/bin:/usr/bin:/bin';
    return {
      ...order,
      ...runInImage(all, { ...order, environment, command, network: false, path }),
    };
  });
  return job;
}

async function runIn(...parameters: Parameters<typeof inImage>) {
  const job = inImage(...parameters);
  await startShepherd(job.folder);
  return { ...job, exit: await job.ended() };
}

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'slipway-data-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

describe.runIf(missing === undefined)('a job in an image', () => {
  it('runs a command that only the image has, in its own folder', async () => {
    const job = await runIn(`${onlyThere} "$SLIPWAY_ROW" > result; pwd; exit 3`);
    expect(job.exit).toMatchObject({ cause: 'ended', code: 3 });
    expect(readFileSync(join(job.folder, 'work/result'), 'utf8')).toBe(
      "only here: a 'row' $HOME\n",
    );
    expect(readOutput(job)).toEqual({ stdout: `${join(job.folder, 'work')}\n`, stderr: '' });
  });

  it('sees data and nothing else of the machine, and writes only what it may', async () => {
    const [data, scratch] = [makeFolder(), makeFolder()];
    writeFileSync(join(data, 'letters'), 'abc\n');
    const mounts = [{ path: data }, { path: scratch, writable: true }];
    const job = await runIn(
      `cat ${data}/letters; touch ${data}/more; touch ${scratch}/more; ls /etc/passwd /root; cat /proc/1/comm`,
      { mounts },
    );
    const { stdout, stderr } = readOutput(job);
    expect(stdout).toBe('abc\nsh\n');
    expect(stderr).toContain('Read-only file system');
    expect(existsSync(join(data, 'more'))).toBe(false);
    expect(existsSync(join(scratch, 'more'))).toBe(true);
  });

  it('has a home and a TMPDIR of its own, and no network', async () => {
    const job = await runIn(
      'touch "$HOME/a" "$TMPDIR/b" && ip link | grep -c UP; ip link | grep -c eth',
    );
    expect(readOutput(job).stdout).toBe('1\n0\n');
    expect(existsSync(join(job.folder, 'tmp/home/a'))).toBe(true);
    expect(existsSync(join(job.folder, 'tmp/b'))).toBe(true);
  });

  it('does not begin without its image, says why, and used no time', async () => {
    const job = await runIn(onlyThere, { image: 'localhost/slipway-tests/missing:1' });
    expect(job.exit).toMatchObject({ cause: 'unfetched', seconds: 0 });
    expect(job.exit.reason).toContain('localhost/slipway-tests/missing:1');
    expect(existsSync(join(job.folder, 'stdout'))).toBe(false);
  });

  it('is ended by a cancel with all that it started', async () => {
    const job = inImage(
      'trap "echo asked; exit 0" TERM; touch begun; sleep 600 & while :; do wait; done',
    );
    await startShepherd(job.folder);
    await job.wrote('begun');
    requestCancel(job.folder);
    expect(await job.ended()).toMatchObject({ cause: 'cancelled' });
    expect(readOutput(job).stdout).toBe('asked\n');
  });

  it('runs as an account of its own, whose files those of the container are', async () => {
    const login = `slipway${process.pid}`;
    execFileSync('useradd', ['--create-home', login]);
    onTestFinished(() => {
      // Podman keeps a process for the account, which holds its name.
      spawnSync('runuser', ['-u', login, '--', 'podman', 'system', 'migrate'], { cwd: '/' });
      execFileSync('userdel', ['--remove', login]);
    });
    const { uid = 0 } = findLogin(login) ?? {};
    const as = ['runuser', '-u', login, '--', 'env', `HOME=/home/${login}`];
    expect(await preparePodman(as)).toBeUndefined();
    const job = inImage('id -u; touch result; cat /etc/shadow', {}, {}, { login });
    giveTo(login, job);
    await startShepherd(job.folder);
    expect(await job.ended()).toMatchObject({ cause: 'ended', code: 1 });
    expect(readOutput(job).stdout).toBe(`${uid}\n`);
    expect(statSync(join(job.folder, 'work/result')).uid).toBe(uid);
  });

  it('is ended at its time, though it ignores requests', async () => {
    const limits = { seconds: 5, graceSeconds: 1 };
    const job = await runIn('trap "" TERM; while :; do sleep 1; done', {}, limits);
    expect(job.exit).toMatchObject({ cause: 'time' });
  });
});

function writeCatalog(path: string): string {
  const { systems } = JSON.parse(readFileSync(thisMachine, 'utf8'));
  const [first, ...others] = systems;
  const containers = { runtime: 'podman', images: ['localhost/slipway-tests/*'] };
  const file = join(path, 'images.json');
  writeFileSync(file, JSON.stringify({ systems: [{ ...first, containers }, ...others] }));
  return file;
}

describe.runIf(missing === undefined)('images on a machine', () => {
  const home = openHome(afterAll);
  let edition: Edition;
  beforeAll(async () => {
    edition = await home.start({ CATALOG: writeCatalog(home.path) });
  });
  const signIn = () => new Researcher({ ...edition, user: '306328' });

  it('run a command that only the image has', async () => {
    const ada = signIn();
    const fields = { image: testImage };
    const { path } = await ada.submit(`${onlyThere} "$SLIPWAY_CORES"`, { runtime: 0.01, fields });
    expect(await ada.waitForEnd(path, deadlineSeconds)).toMatchObject({ failed: false });
    expect(String(await ada.fetchFile(path, 'stdout'))).toBe('only here: 1\n');
    const { request } = await ada.read<{ request: object }>(`${path}?expand=request`);
    expect(request).toMatchObject({ image: testImage });
  });

  it('that are missing are named, and cost nothing', async () => {
    const ada = signIn();
    const before = await ada.readTimeLeft();
    const fields = { image: 'localhost/slipway-tests/missing:1' };
    const { path } = await ada.submit('true', { runtime: 0.01, fields });
    expect(await ada.waitForEnd(path, deadlineSeconds)).toMatchObject({ failed: true });
    const { reason } = await ada.readTimeline(path);
    expect(reason).toMatch(/^The image localhost\/slipway-tests\/missing:1 could not be fetched/);
    expect(await ada.readTimeLeft()).toBe(before);
  });

  it('that are not allowed are refused with those that are', async () => {
    const fields = { image: 'docker.io/library/python:3.13' };
    await expect(signIn().submit('true', { fields })).rejects.toThrow(
      'Allowed are: localhost/slipway-tests/*.',
    );
  });

  it('run all jobs of a batch', async () => {
    const ada = signIn();
    const fields = { image: testImage };
    const { path } = await ada.submitBatch(
      `${onlyThere} {index}`,
      { count: '3' },
      { runtime: 0.01, fields },
    );
    const batch = await pollUntil('the batch ends', deadlineSeconds, async () => {
      const found = await ada.read<BatchBody>(path);
      return found.counts.waiting + found.counts.running === 0 ? found : undefined;
    });
    expect(batch.counts).toMatchObject({ done: 3, failed: 0 });
  });
});
