import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createClient, type Slipway } from '../../../client/src/index.ts';
import '../../fixtures/captured-log.ts';
import { type Home, openCommandHome } from '../fixtures/command-host.ts';
import { type RunningService, startRunningService } from '../fixtures/running-service.ts';
import { readTranscript, type Shown } from '../fixtures/transcript.ts';

const page = readFileSync(new URL('../../../docs/administration.md', import.meta.url), 'utf8');
const [everyday = ''] = /^## Ten everyday tasks$.*?^## /ms.exec(page) ?? [];
const tasks = readTranscript(everyday);

let running: RunningService;
/** An administrator's, to see what became of it. */
let service: Slipway;

beforeAll(async () => {
  running = await startRunningService(60);
  const { url, issuer } = running.service;
  const token = issuer.issueToken({ user: '100001', administrator: true });
  service = createClient({ baseUrl: url, token });
});

afterAll(() => running.close());

async function signIn(...more: string[]): Promise<Home> {
  const home = openCommandHome();
  const { code } = await home.run([...running.login, ...more]);
  expect(code).toBe(0);
  return home;
}

async function submitLongJob(user: string): Promise<string> {
  const home = await signIn('--user', user);
  const submit = ['submit', 'hpc_one', '--command', 'python3 main.py', '--runtime', '1d'];
  const { out } = await home.run([...submit, '--nodes', '2', '--title', 'a long study', '--json']);
  return JSON.parse(out).job_id;
}

function quotaOf(user: string, hpc: string, project: string) {
  return service.getQuotaOfUser({ user_id: user, hpc, project_name: project, expand: 'usage' });
}

const hour = 3600;

describe('the ten everyday tasks of docs/administration.md', () => {
  it('are ten plain commands', () => {
    const done = tasks.map(({ words }) => words.slice(0, 3).join(' '));
    expect(done).toEqual(
      [
        'grant',
        'correct',
        'extend',
        'remove',
        'ban',
        'unban',
        'jobs',
        'cancel',
        'audit',
        'report',
      ].map((task) => `slipway admin ${task}`),
    );
    for (const { line } of tasks) expect(line).not.toMatch(/[{}%]|\d{4,}\b(?<!306328)|seconds/);
  });

  it('work in order and print what the page shows', async () => {
    const user = '306328';
    const jobId = await submitLongJob(user);
    const place = { hpc: 'hpc_one', project_name: 'proj_hpc_one_01', job_id: jobId };
    await expect.poll(() => service.getAnyJob(place)).toMatchObject({ stage: 'RUNNING' });
    const home = await signIn('--admin');
    const next = async () => {
      const task = left.shift();
      if (!task) throw new Error('The page has no more commands.');
      return runTask(home, task, jobId);
    };
    const left = [...tasks];

    await next();
    const granted = await quotaOf(user, 'hpc_one', 'proj_hpc_one_01');
    expect(granted.usage).toMatchObject({
      time: { granted: 5500 * hour },
      valid_until: expect.stringMatching(/-03-31T23:59:59/),
    });
    await next();
    const corrected = await quotaOf(user, 'hpc_one', 'proj_hpc_one_01');
    expect(corrected.usage?.time.granted).toBe(5480 * hour);
    await next();
    const extended = await quotaOf(user, 'hpc_one', 'proj_hpc_one_01');
    expect(extended.usage?.valid_until).toMatch(/-06-30T23:59:59/);
    await next();
    await expect(quotaOf(user, 'hpc_two', 'proj_hpc_two_01')).rejects.toMatchObject({
      status: 404,
    });
    await next();
    expect(await service.getUser({ user_id: user })).toMatchObject({
      banned: 'jobs that fill the disks',
    });
    await next();
    expect(await service.getUser({ user_id: user })).toMatchObject({ banned: null });
    await next();
    await next();
    expect(await service.getAnyJob(place)).toMatchObject({ stage: 'CANCELED' });
    await next();
    // A report is a moment behind.
    await expect.poll(() => service.reportUsage({ user })).toHaveLength(1);
    await next();
    expect(left).toEqual([]);
    const [used] = await service.reportUsage({ user });
    const { out } = await home.run(['admin', 'report', '--user', user, '--csv']);
    const hours = Number(out.trim().split(',').at(-1));
    expect(Math.abs(hours * hour - (used?.time_used ?? 0))).toBeLessThan(1);
  });
});

async function runTask(home: Home, { words, written }: Shown, jobId: string): Promise<void> {
  const own = words.slice(1).map((word) => (/^[0-9A-F]{8}$/.test(word) ? jobId.slice(0, 8) : word));
  const { code, out, err } = await home.run(own);
  expect([code, hideChance(`${err}${out}`)]).toEqual([0, hideChance(written)]);
}

/** Ids, moments, ages and measured times are by chance, and so are the widths of their columns. */
function hideChance(text: string): string {
  return text
    .replaceAll(/\b[0-9A-F]{8}\b/g, 'ID')
    .replaceAll(/\d{4}-\d{2}-\d{2} \d{2}:\d{2}/g, 'MOMENT')
    .replaceAll(/\b(\d+) (s|min)\b/g, 'AGE')
    .replaceAll(/(March|June) \d{4}/g, '$1 YEAR')
    .replaceAll(/^(306328),\d{4}-\d{2},[\d,.]+$/gm, '$1,NUMBERS')
    .replaceAll(/\r/g, '')
    .replaceAll(/ +/g, ' ');
}

describe('an administrator', () => {
  it('is told how to sign in as one', async () => {
    const home = await signIn('--user', '306501');
    const { code, out, err } = await home.run(['admin', 'users']);
    expect([code, out]).toEqual([3, '']);
    expect(err).toContain('slipway login --profile admin');
  });

  it('is asked for a reason on a terminal, and elsewhere told that one is needed', async () => {
    const home = await signIn('--admin');
    const ban = ['admin', 'ban', '306502'];
    const silent = await home.run(ban);
    expect([silent.code, silent.err]).toEqual([
      2,
      'The reason is missing.\nAdd it: --reason "..."\n',
    ]);
    await expect(service.getUser({ user_id: '306502' })).rejects.toMatchObject({ status: 404 });
    expect((await home.run(ban, { columns: 80, answer: 'asked to stop' })).code).toBe(0);
    expect(await service.getUser({ user_id: '306502' })).toMatchObject({ banned: 'asked to stop' });
  });

  it.each([
    [['grant', '306503', 'nowhere', '5', '--reason', 'x'], 3, 'Projects: proj_hpc_one_01'],
    [['grant', 'hpc_one', '306503', '5', '--reason', 'x'], 2, 'Write the number of the user'],
    [['grant', '306503', 'hpc_one', 'much', '--reason', 'x'], 2, 'Write a number of hours'],
    [['grant', '306503', 'hpc_one', '2,5', '--reason', 'x'], 2, 'such as 500, 2.5 or'],
    [['grant', '306503', 'hpc_one', '10.000', '--reason', 'x'], 2, 'could be 10000 or 10.'],
    [['correct', '306503', 'hpc_one', '-1.500h', '--reason', 'x'], 2, 'could be 1500 or 1.5.'],
    [['grant', '306503', 'hpc_one', '5', '--on', '1', '--reason', 'x'], 2, 'Add --every monthly'],
    [['grant', '306503', '--reason', 'x'], 2, 'slipway admin grant USER PROJECT AMOUNT'],
    [['correct', '306503', 'hpc_one', '-5h', '--reson', 'x'], 2, 'Did you mean --reason?'],
    [['correct', '306503', 'hpc_one', '--reason', 'x'], 2, 'The amount is missing'],
    [['extend', '306503', 'hpc_one', 'soon', '--reason', 'x'], 2, 'Write a day'],
    [['remove', '306503', 'hpc_two/proj_hpc_two_02', '--reason', 'x'], 3, 'proj_hpc_two_02'],
    [['cancel', 'AF17', '--reason', 'x'], 3, 'add its owner: --user'],
    [['users', '306503'], 3, '306503'],
    [['requests', 'approve', '306503', 'hpc_one', '--reason', 'x'], 3, 'has no open request'],
    [['audit', '--kind', 'stolen'], 2, 'granted, removed, corrected'],
  ])('who writes %j is told what to do', async (words, outcome, help) => {
    const home = await signIn('--admin');
    const { code, out, err } = await home.run(['admin', ...words]);
    expect(err).toContain(help);
    expect([code, out]).toEqual([outcome, '']);
  });

  it('cannot take time that jobs hold, and is told in node-hours how much can be taken', async () => {
    const user = '306504';
    const id = await submitLongJob(user);
    const home = await signIn('--admin');
    const living = await home.run(['admin', 'rm', id, '--reason', 'x']);
    expect(living.err).toContain(`Cancel it first: slipway admin cancel ${id}`);
    expect(living.code).toBe(3);
    const to = ['admin', 'correct', user, 'hpc_one', '--to', '10', '--reason', 'x'];
    const refused = await home.run(to);
    expect(refused.err).toContain('At most 4,952 node-hours and 10 GB of space can be taken');
    expect(refused.err).toContain('reserve 48 node-hours.');
    expect(refused.code).toBe(3);
    const remove = ['admin', 'remove', user, 'hpc_one', '--reason', 'she has left'];
    const inUse = await home.run(remove);
    expect(inUse.err).toContain('1 active and 0 ended jobs');
    expect([inUse.code, inUse.out]).toEqual([3, '']);
    const denied = await home.run([...remove, '--with-jobs'], { columns: 200, answer: 'n' });
    expect([denied.code, denied.out]).toEqual([0, '']);
    expect(denied.err).toContain('1 active job will be cancelled');
    expect((await home.run([...remove, '--with-jobs'])).out).toContain('Removed');
    await expect(quotaOf(user, 'hpc_one', 'proj_hpc_one_01')).rejects.toMatchObject({
      status: 404,
    });
  });

  it('never deletes an ended job instead of cancelling an active one', async () => {
    const user = '306508';
    const owner = await signIn('--user', user);
    const submit = ['submit', 'hpc_one', '--command', 'ls', '--runtime', '1s', '--json'];
    const { job_id: id } = JSON.parse((await owner.run(submit)).out);
    const place = { hpc: 'hpc_one', project_name: 'proj_hpc_one_01', job_id: id };
    const home = await signIn('--admin');
    const about = [id.slice(0, 8), '--user', user, '--reason', 'x'];
    await expect.poll(() => service.getAnyJob(place)).toMatchObject({ stage: 'SUCCESSFUL' });
    const ended = await home.run(['admin', 'cancel', ...about]);
    expect([ended.code, ended.out]).toEqual([0, expect.stringContaining('has ended: SUCCESSFUL')]);
    expect(await service.getAnyJob(place)).toMatchObject({ stage: 'SUCCESSFUL' });
    expect((await home.run(['admin', 'job', id])).out).toContain(`A job of ${user}`);
    await home.run(['admin', 'rm', ...about]);
    expect(await service.getAnyJob(place)).toMatchObject({ stage: 'DELETED' });
  });

  it('opens a project, grants there, bans from it alone, and closes it', async () => {
    const home = await signIn('--admin');
    const admin = (...words: string[]) => home.run(['admin', ...words, '--reason', 'a course']);
    const opened = await admin('projects', 'open', 'hpc_one/spring_course', '--active-jobs', '20');
    expect(opened.out).toContain('spring_course on hpc_one, for at most 20 active jobs');
    expect((await admin('grant', '306509', 'spring_course', '5')).err).toContain('--space 10GB');
    expect((await admin('ban', '306509', 'spring_course')).out).toContain('to spring_course');
    const other = await admin('unban', '306509');
    expect(other.out).toBe('Unchanged  306509 had no such ban\n');
    expect(other.err).toContain('Other bans stay');
    expect((await home.run(['admin', 'users', '306509'])).out).toContain('spring_course: a course');
    await admin('unban', '306509', 'spring_course');
    expect(await service.getUser({ user_id: '306509' })).toMatchObject({ bans: [] });
    await admin('projects', 'close', 'spring_course');
    expect((await home.run(['admin', 'projects'])).out).toMatch(/spring_course +hpc_one .* closed/);
  });

  it('finds people by name, and has names in tables only if asked to', async () => {
    await (await signIn('--user', '306328')).run(['quotas']);
    const home = await signIn('--admin');
    const run = async (...words: string[]) => (await home.run(['admin', ...words])).out;
    const search = ['users', '--search', 'LOVEL'];
    const quotas = ['quotas', '--project', 'proj_hpc_one_01'];
    for (const list of [search, quotas]) {
      expect(await run(...list)).toMatch(/^306328 +Ada Lovelace /m);
      expect(await run(...list, '--csv')).toMatch(/\b306328\b/);
      expect(await run(...list, '--csv')).not.toMatch(/name\b(?<!_name)|Ada/);
      expect(await run(...list, '--csv', '--names')).toMatch(
        /\b306328\b.*Ada Lovelace|Ada.*306328/,
      );
    }
    expect(await run('users', '306328')).toContain('306328 (Ada Lovelace), first seen');
    expect(await run('users', '--search', 'lace')).toBe('');
  });

  it('sees who was erased', async () => {
    await (await signIn('--user', '306599')).run(['quotas']);
    const home = await signIn('--admin');
    const run = async (...words: string[]) => (await home.run(['admin', ...words])).out;
    expect(await run('users', '306599')).not.toContain('erased on');
    await run('erase', '306599', '--reason', 'she has left');
    expect(await run('users', '306599')).toMatch(/^306599, first seen on .*\nerased on \d/);
  });

  it('sees empty lists if there is nothing', async () => {
    const home = await signIn('--admin');
    const nothing = { code: 0, out: '' };
    expect(await home.run(['admin', 'quotas', '306505'])).toMatchObject(nothing);
    expect(await home.run(['admin', 'jobs', '--user', '306505'])).toMatchObject(nothing);
    expect(await home.run(['admin', 'report', '--user', '306505'])).toMatchObject(nothing);
  });

  it('sets up a grant that renews', async () => {
    const home = await signIn('--admin');
    const words = ['admin', 'grant', '306506', 'hpc_two', '100', '--every', 'quarterly'];
    const more = ['--on', '1 October', '--carry-over', '20h', '--reason', 'her share'];
    const { out } = await home.run([...words, ...more]);
    expect(out).toContain('carrying over up to 20 node-hours and all space');
    const { usage } = await quotaOf('306506', 'hpc_two', 'proj_hpc_two_01');
    expect(usage).toMatchObject({
      time: { granted: 5100 * hour },
      renews: {
        every: 'quarterly',
        on: 1,
        month: 10,
        to: { time: 100 * hour, space: 0 },
        carry_over: { time: 20 * hour, space: 1_000_000_000_000_000 },
      },
    });
    await home.run(['admin', 'correct', '306506', 'hpc_two', '--stop-renewal', '--reason', 'x']);
    expect((await quotaOf('306506', 'hpc_two', 'proj_hpc_two_01')).usage?.renews).toBeNull();
  });

  it('decides requests of users without giving an id', async () => {
    const asker = await signIn('--user', '306507');
    await asker.run(['ask', 'hpc_one', '--time', '200', '--space', '1GB', '--reason', 'a thesis']);
    const home = await signIn('--admin');
    await expect
      .poll(async () => (await home.run(['admin', 'requests'])).out)
      .toContain('200 node-hours and 1 GB');
    const approve = ['admin', 'requests', 'approve', '306507', 'hpc_one', '100'];
    const { out } = await home.run([...approve, '--reason', '100 for now']);
    expect(out).toBe('Approved   306507 gets 100 node-hours and 1 GB in proj_hpc_one_01\n');
    expect((await quotaOf('306507', 'hpc_one', 'proj_hpc_one_01')).usage).toMatchObject({
      time: { granted: 5100 * hour },
      space: { granted: 11_000_000 },
    });
  });
});

describe('a file of grants', () => {
  const write = (home: Home, ...lines: string[]) => {
    const path = join(home.path, 'grants.csv');
    writeFileSync(path, `${lines.join('\r\n')}\r\n`);
    return ['admin', 'grant', '--from', path];
  };

  it('is shown, asked about, granted, and not granted twice', async () => {
    const home = await signIn('--admin');
    const words = write(
      home,
      'user,project,node_hours,space,until,reason',
      '306511,proj_hpc_one_01,"1,000",,31 March,"a ""course"", in spring"',
      '',
      '306512,hpc_two/proj_hpc_two_02,12.5h,10GB,never,',
    );
    const dry = await home.run([...words, '--dry-run']);
    expect(dry.out).toMatch(/2 +306511 .* granted +5,000 → 6,000 node-hours, no end → 31 March/);
    expect(dry.out).toMatch(/4 +306512 .* granted +0 → 12.5 node-hours, 0 bytes → 10 GB space\n/);
    const reasoned = [...words, '--reason', 'by the board'];
    await home.run(reasoned, { columns: 120, answer: 'n' });
    await expect(quotaOf('306511', 'hpc_one', 'proj_hpc_one_01')).rejects.toMatchObject({
      status: 404,
    });
    const done = await home.run(reasoned, { columns: 120, answer: 'y' });
    // The bar is gone when the sum is there.
    expect([done.code, done.err.replaceAll('\r\u001b[K', '\n').split('\n').slice(-2)]).toEqual([
      0,
      ['2 granted.', ''],
    ]);
    const again = await home.run(reasoned);
    expect(again.err).toContain('2 unchanged.');
    expect((await quotaOf('306511', 'hpc_one', 'proj_hpc_one_01')).usage?.time.granted).toBe(
      6000 * hour,
    );
    const [act] = await service.readAudit({ user: '306511' });
    expect(act?.reason).toBe('a "course", in spring');
  });

  it('may have the columns of the service; refused rows can be granted later with the key', async () => {
    const home = await signIn('--admin');
    const head = 'user_id,hpc,project_name,add.time,reason';
    const first = '306513,hpc_one,proj_hpc_one_01,36000,x';
    const tooMuch = '306514,hpc_one,proj_hpc_one_01,-36000000,x';
    const refused = await home.run(write(home, head, first, tooMuch));
    expect([refused.code, refused.out]).toEqual([3, expect.stringMatching(/306514 .* refused/)]);
    const key = /--key (\w+)/.exec(refused.err)?.[1] ?? '';
    const corrected = write(home, head, first, tooMuch.replace('-36000000', '-36000'));
    expect((await home.run([...corrected, '--key', key])).err).toBe('1 unchanged, 1 corrected.\n');
    expect((await quotaOf('306513', 'hpc_one', 'proj_hpc_one_01')).usage?.time.granted).toBe(
      5010 * hour,
    );
  });

  it('is not sent in part; all mistakes are reported at once', async () => {
    const home = await signIn('--admin');
    const words = write(home, 'user,project,node_hours', '306515,nowhere,5', '306516,hpc_one,many');
    const { code, err } = await home.run([...words, '--reason', 'x']);
    expect(code).toBe(2);
    expect(err).toMatch(/line 2: Unknown project 'nowhere'.*line 3: node_hours: Write/s);
    const unknown = await home.run(write(home, 'user,project,hours', '306515,hpc_one,5'));
    expect(unknown.err).toContain('Unknown columns: hours.');
  });
});
