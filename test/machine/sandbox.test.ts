import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { homedir, userInfo } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { findLogin } from '#lib/hpc/machine/find-login.ts';
import {
  explainMissingSandbox,
  listReadable,
  refuseShown,
} from '#lib/hpc/machine/processes/sandbox.ts';
import { requestCancel } from '#lib/hpc/machine/record/job-folder.ts';
import { startShepherd } from '#local/shepherd/start-shepherd.ts';
import { catalog } from '#test/fixtures/catalog.ts';
import { projectName } from '#test/fixtures/names.ts';
import { giveTo, prepareJob, readOutput } from './job-on-machine.ts';

/** Without bubblewrap there is nothing to test: a job that asks for a sandbox does not start. */
const hasSandbox = (await explainMissingSandbox()) === undefined;

function inSandbox(command: string, { network = false, readable = [] as string[] } = {}) {
  return prepareJob(command, { graceSeconds: 2 }, { sandbox: { network, readable } });
}

function makeFolder(): string {
  const folder = mkdtempSync(join(homedir(), '.slipway-sandbox-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

describe.runIf(hasSandbox)('a job in a sandbox', () => {
  it('finds the programs of the system, Node, names and certificates', async () => {
    const job = inSandbox(
      `PATH="$PATH:${dirname(process.execPath)}"
      echo 3 | awk '{ print $1 * 14 }'; node -p '6 * 7'; id -un; nproc | grep -c .
      perl -e 'print 42, "\n"'; getent hosts localhost | wc -l; cat /etc/os-release | wc -c`,
    );
    await startShepherd(job.folder);
    expect(await job.ended()).toMatchObject({ cause: 'ended', code: 0 });
    const lines = readOutput(job).stdout.trim().split('\n');
    expect(lines.slice(0, 6)).toEqual(['42', '42', userInfo().username, '1', '42', '1']);
    expect(Number(lines[6])).toBeGreaterThan(0);
  });

  it('has an empty home of its own, and reads what the catalog adds', async () => {
    const shared = makeFolder();
    writeFileSync(join(shared, 'data.csv'), 'a,b\n');
    const command = `ls -A ~ | wc -l; cat ${shared}/data.csv; touch ${shared}/x; touch ~/mine && ls ~`;
    const job = inSandbox(command, { readable: [shared] });
    await startShepherd(job.folder);
    expect(await job.ended()).toMatchObject({ code: 0 });
    expect(readOutput(job)).toMatchObject({
      stdout: '0\na,b\nmine\n',
      stderr: expect.stringContaining('Read-only file system'),
    });
    expect(existsSync(join(job.folder, 'tmp/home/mine'))).toBe(true);
  });

  it('runs if links lead to its folder', async () => {
    const place = makeFolder();
    const job = inSandbox('pwd; echo fine > result');
    const link = join(place, 'link');
    symlinkSync(dirname(job.folder), link);
    await startShepherd(join(link, basename(job.folder)));
    expect(await job.ended()).toMatchObject({ code: 0 });
    expect(existsSync(join(job.folder, 'work/result'))).toBe(true);
  });

  it.each(['ours', 'theirs'])('sees the data set of %s alone', async (name) => {
    const shared = makeFolder();
    const datasets = ['ours', 'theirs'].map((each) => {
      const path = join(shared, each);
      writeFileSync(path, each);
      return { name: each, path, description: 'Data.', projects: [projectName(each)] };
    });
    const [base] = catalog.systems;
    if (!base) throw new Error('The catalog of the tests is empty.');
    const readable = listReadable({ ...base, datasets }, projectName(name));
    const job = inSandbox(`cat ${shared}/*`, { readable });
    await startShepherd(job.folder);
    await job.ended();
    expect(readOutput(job).stdout).toBe(name);
  });

  it('says which of the added folders is missing', async () => {
    expect(await explainMissingSandbox(['/no/such/folder'])).toContain('/no/such/folder');
  });

  it.each([
    ['it holds the data', (place: string) => ({ kept: join(place, 'data'), readable: place })],
    ['the data holds it', (place: string) => ({ kept: place, readable: join(place, 'data') })],
    [
      'a link leads to the data',
      (place: string) => {
        symlinkSync(join(place, 'data'), join(place, 'link'));
        return { kept: join(place, 'link'), readable: join(place, 'data') };
      },
    ],
    ['the system holds the data', () => ({ kept: '/usr/share', readable: '/etc' })],
  ])('is refused a folder to read if %s', (_, arrange) => {
    const place = realpathSync(makeFolder());
    mkdirSync(join(place, 'data'));
    const { kept, readable } = arrange(place);
    expect(() => refuseShown([kept], [readable])).toThrow('so they would read');
    mkdirSync(join(place, 'data2'));
    expect(() => refuseShown([join(place, 'data')], [join(place, 'data2')])).not.toThrow();
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

  it('has half of its memory in /dev/shm, which counts even without control groups', async () => {
    const limits = { level: 'watched', memoryBytes: 100 * 1024 * 1024, graceSeconds: 1 } as const;
    const command = `head -c 300M /dev/zero > /dev/shm/large; stat -c %s /dev/shm/large
      perl -e '$_ = "x" x (70 * 1024 * 1024); select(undef, undef, undef, 600)'`;
    const job = prepareJob(command, limits, { sandbox: { network: false, readable: [] } });
    await startShepherd(job.folder);
    expect(await job.ended()).toMatchObject({ cause: 'memory' });
    expect(readOutput(job).stdout).toBe(`${50 * 1024 * 1024}\n`);
  });

  it.runIf(process.getuid?.() === 0)('runs under an account of its own, too', async () => {
    const job = inSandbox(
      'id -u; echo fine > result; (echo x > /tmp/x) && ls /run; cat ../order.json',
    );
    giveTo('nobody', job);
    job.changeOrder((order) => ({ ...order, login: 'nobody' }));
    await startShepherd(job.folder);
    expect(await job.ended()).toMatchObject({ cause: 'ended', code: 1 });
    expect(readOutput(job).stdout).toBe(`${findLogin('nobody')?.uid}\n`);
    expect(existsSync(join(job.folder, 'work/result'))).toBe(true);
  });
});
