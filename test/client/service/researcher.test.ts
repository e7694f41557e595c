import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import '../../fixtures/captured-log.ts';
import { type Home, openCommandHome } from '../fixtures/command-host.ts';
import { type RunningService, startRunningService } from '../fixtures/running-service.ts';

let running: RunningService;

beforeAll(async () => {
  running = await startRunningService(0.5);
});

afterAll(() => running.close());

async function signIn(user: string): Promise<Home> {
  const home = openCommandHome();
  const { url } = running.service;
  const { code, out } = await home.run([...running.login, '--user', user]);
  expect([code, out]).toEqual([0, `Signed in at ${url} as ${user}.\n`]);
  return home;
}

function writeStudy(home: Home): string {
  const folder = join(home.path, 'study');
  mkdirSync(join(folder, 'data'), { recursive: true });
  writeFileSync(join(folder, 'main.py'), 'print(1)\n');
  writeFileSync(join(folder, 'data', 'größe.txt'), 'x'.repeat(1000));
  return folder;
}

describe('a researcher', () => {
  it('signs in, and nobody else can read the stored token', async () => {
    const home = await signIn('306328');
    expect(statSync(join(home.path, 'slipway', 'config.json')).mode & 0o777).toBe(0o600);
    expect((await home.run(['logout'])).out).toBe('Signed out.\n');
    expect(await home.run(['jobs'])).toMatchObject({
      code: 3,
      err: expect.stringContaining('slipway login'),
    });
  });

  it('submits a folder, waits, and sees files, quota and ledger', async () => {
    const home = await signIn('306401');
    const folder = writeStudy(home);
    const words = ['submit', 'hpc_one', folder, '--command', 'python3 main.py', '--nodes', '2'];
    const saved = join(home.path, 'results');
    const done = await home.run([...words, '--title', 'первый', '--download', saved]);
    expect(done.err).toMatch(/waiting {2}[0-9A-F]{8} {2}первый\n/);
    expect(done.out.split('\n')).toEqual([
      expect.stringMatching(/^Submitted {2}[0-9A-F]{8} {2}первый +hpc_one \/ proj_hpc_one_01$/),
      expect.stringMatching(/^Reserved {3}1 node-hour +4,999 of 5,000 left$/),
      expect.stringMatching(
        /^✔ done {2}[0-9A-F]{8} {2}первый {2}used 0.8 node-hours, returned 0.2 node-hours$/,
      ),
      expect.stringMatching(/^Saved 3 files \(.*\) to .*results\/$/),
      '',
    ]);
    expect(done.code).toBe(0);
    expect(readFileSync(join(saved, 'listing.txt'), 'utf8')).toContain('data/größe.txt');
    expect((await home.run(['quotas', 'hpc_one'])).out).toContain(
      '4,999.2 of 5,000 node-hours left',
    );
    const ledger = (await home.run(['ledger'])).out;
    expect(ledger.split('\n').map((line) => /\b(settle|hold|grant)\b/.exec(line)?.[0])).toEqual([
      undefined,
      'settle',
      'hold',
      'grant',
      undefined,
    ]);
    expect((await home.run(['logs'])).out).toContain('command: python3 main.py');
  });

  it('finds a job by the beginning of its id, and is told if it is ambiguous', async () => {
    const home = await signIn('306402');
    const submit = ['submit', 'hpc_two', '--tool', 'x', '--json'];
    const first = JSON.parse((await home.run(submit)).out);
    const second = JSON.parse((await home.run(submit)).out);
    const begin = first.job_id.slice(-32, -24).toLowerCase();
    expect((await home.run(['job', begin])).out).toContain(first.job_id);
    expect((await home.run(['job', first.job_id])).out).toContain(first.job_id);
    expect((await home.run(['job'])).out).toContain(second.job_id);
    expect(await home.run(['job', 'a b'])).toMatchObject({ code: 3, out: '' });
    const both = await home.run(['job', 'ngbw']);
    expect(both).toMatchObject({ code: 2, err: expect.stringContaining('matches 2 jobs') });
  });

  it('collects a batch by the beginning of its id, without the jobs that failed', async () => {
    const home = await signIn('306410');
    const one = ['submit', 'hpc_one', '--command', 'ls', '--runtime', '30m', '--json'];
    const sweep = [...one, '--title', 'sim:fail', '--count', '2', '--yes'];
    const { batch_id: id } = JSON.parse((await home.run(sweep)).out);
    await home.run(['wait', id]);
    const begin = id.slice(-12, -4);
    const late = await home.run([...one, '--input-from', begin]);
    expect(late).toMatchObject({ code: 3, err: expect.stringContaining('leave_out') });
    const other = await home.run([...one, '--input-from', begin, '--input-failed', 'skip']);
    expect(other.code).toBe(2);
    const asked = [...one, '--input-from', begin, '--input-failed', 'leave_out'];
    const { job_id: last } = JSON.parse((await home.run(asked)).out);
    const shown = (await home.run(['job', last])).out;
    expect(shown).toContain(`input from ${begin} on hpc_one`);
    expect(shown).toContain('(failed; failed jobs left out)');
  });

  it('submits one job after another, and sees the chain', async () => {
    const home = await signIn('306409');
    const first = ['submit', 'hpc_one', '--command', 'ls', '--runtime', '30m', '--json'];
    const { job_id: id } = JSON.parse((await home.run(first)).out);
    const begin = id.slice(0, 8);
    const second = ['submit', 'hpc_two', '--tool', 'x', '--input-from', begin, '--json', '--wait'];
    const ended = JSON.parse((await home.run([...second, '--input-folder', 'before'])).out);
    expect(ended).toMatchObject({ stage: 'COMPLETED', failed: false });
    expect((await home.run(['job', ended.job_id])).out).toContain(
      `input from ${begin} on hpc_one  (succeeded)`,
    );
    expect((await home.run(['job', id])).out).toMatch(/then \w+ on hpc_two {2}\(COMPLETED\)/);
    const third = ['submit', 'hpc_one', '--command', 'ls', '--after', `${begin},nobody`];
    expect(await home.run(third)).toMatchObject({
      code: 3,
      err: expect.stringContaining("You have no job or batch 'nobody'."),
    });
    await home.run(['rm', id]);
    const late = ['submit', 'hpc_one', '--command', 'ls', '--after', id, '--yes'];
    expect(await home.run(late)).toMatchObject({
      code: 3,
      err: expect.stringContaining('was deleted, so a job that runs after it would never run'),
    });
  });

  it('cancels active jobs, deletes ended ones, and never one instead of the other', async () => {
    const home = await signIn('306403');
    const submit = ['submit', 'hpc_one', '--command', 'ls', '--runtime', '1d', '--json'];
    const { job_id: id } = JSON.parse((await home.run(submit)).out);
    expect(await home.run(['rm', id])).toMatchObject({
      code: 3,
      err: expect.stringContaining('slipway cancel'),
    });
    expect((await home.run(['cancel', id])).out).toContain('cancelled');
    expect((await home.run(['cancel', id])).out).toContain('had ended already: CANCELED');
    expect(JSON.parse((await home.run(['jobs', '--json'])).out)[0]).toMatchObject({
      job_id: id,
      stage: 'CANCELED',
    });
    expect((await home.run(['rm', id])).out).toContain('deleted');
    expect((await home.run(['jobs', '--json'])).out).toContain('"DELETED"');
  });

  it('gets exit code 1 for a failed job, and a hint where to look', async () => {
    const home = await signIn('306404');
    const words = ['submit', 'hpc_one', '--command', 'ls', '--title', 'sim:fail', '--wait'];
    const failed = await home.run(words);
    expect(failed.code).toBe(1);
    expect(failed.out).toMatch(/✘ failed {2}[0-9A-F]{8} {2}sim:fail/);
    expect(failed.err).toContain('slipway logs');
    expect((await home.run(['jobs', '--failed'])).out).toContain('sim:fail');
  });

  it('is asked before a job takes most of the remaining quota', async () => {
    const home = await signIn('306405');
    const large = ['submit', 'hpc_one', '--command', 'ls', '--nodes', '200', '--runtime', '1d'];
    const refused = await home.run(large, { columns: 80, answer: 'n' });
    expect(refused.err).toContain('reserves 4,800 node-hours of your remaining 5,000 node-hours');
    expect(JSON.parse((await home.run(['jobs', '--json'])).out)).toEqual([]);
    const taken = await home.run(large, { columns: 80, answer: 'y' });
    expect(taken.out).toContain('200 of 5,000 left');
  });

  it('sees the price before anything is sent', async () => {
    const home = await signIn('306406');
    const words = ['submit', 'hpc_two', writeStudy(home), '--tool', 'x', '--runtime', '30m'];
    const { out } = await home.run([...words, '--dry-run']);
    expect(out).toContain('It would reserve 0.5 node-hours');
    expect(JSON.parse((await home.run(['jobs', '--json'])).out)).toEqual([]);
  });

  it('hears of a time limit before the time is cut, and is asked', async () => {
    const home = await signIn('306420');
    const words = ['submit', 'hpc_one', '--command', 'ls', '--runtime', '9d'];
    const cut = 'You asked for 9 d, but hpc_one gives at most 1 d.';
    expect((await home.run([...words, '--dry-run'])).out).toContain(cut);
    expect((await home.run([...words, '--count', '2', '--dry-run'])).out).toContain(cut);
    for (const batch of [[], ['--count', '2']]) {
      const refused = await home.run([...words, ...batch], { columns: 80, answer: 'n' });
      expect(refused.err).toContain(cut);
    }
    expect(JSON.parse((await home.run(['jobs', '--json'])).out)).toEqual([]);
    expect((await home.run(words)).err).toContain(cut);
    const exact = await home.run([...words.slice(0, -1), '1d']);
    expect(exact.err).not.toContain('You asked for');
  });

  it('stops waiting with Ctrl-C, and the job goes on', async () => {
    const home = await signIn('306407');
    const submit = ['submit', 'hpc_one', '--command', 'ls', '--runtime', '1d', '--json'];
    const { job_id: id } = JSON.parse((await home.run(submit)).out);
    const left = await home.run(['wait', id], { interruptAt: /waiting|running/ });
    expect(left.code).toBe(130);
    expect(left.err).toContain(`Keep waiting: slipway wait ${id.slice(0, 8)}`);
    await home.run(['cancel', id]);
  });

  it('requests more quota', async () => {
    const home = await signIn('306408');
    const asked = await home.run([
      'ask',
      'hpc_one',
      '--time',
      '500 node-hours',
      '--reason',
      'more',
    ]);
    expect(asked.out).toContain('Asked for 500 node-hours in proj_hpc_one_01');
    expect((await home.run(['requests'])).out).toMatch(/open +proj_hpc_one_01 +500/);
  });
});

describe('an error', () => {
  it('says that the service does not answer', async () => {
    const home = openCommandHome();
    const environment = { SLIPWAY_URL: 'http://127.0.0.1:9', SLIPWAY_TOKEN: 'a.b.c' };
    const { code, err } = await home.run(['status'], { environment });
    expect(code).toBe(4);
    expect(err).toContain('The service cannot be reached.');
  });

  it.each([
    [['submit', 'hpc_one', '--command', 'ls', '--runtime', 'soon'], 'such as 30m, 2h30m or 1d'],
    [['submit', 'hpc_one'], '--command'],
    [['sumbit'], 'Did you mean submit?'],
    [['submit', 'hpc_one', 'nowhere', '--command', 'ls'], "'nowhere' does not exist"],
  ])('says what to write instead of %j', async (words, help) => {
    const home = await signIn('306409');
    const { code, err } = await home.run(words);
    expect(err).toContain(help);
    expect(err).not.toMatch(/^ +at /m);
    expect(code).toBe(2);
  });

  it('repeats the words of the service, with the flag', async () => {
    const home = await signIn('306410');
    const { code, err } = await home.run([
      'submit',
      'hpc_one',
      '--command',
      'ls',
      '--nodes',
      '999',
    ]);
    expect(code).toBe(3);
    expect(err).toMatch(/--nodes: .*512/);
    expect(err).toMatch(/^Request \w+/m);
  });
});

describe('output for programs', () => {
  it('is JSON as the service sent it, or CSV', async () => {
    const home = await signIn('306411');
    await home.run(['submit', 'hpc_one', '--command', 'ls', '--title', '=1+1, "two"', '--yes']);
    const [job] = JSON.parse((await home.run(['jobs', '--json'])).out);
    expect(job).toMatchObject({ title: '=1+1, "two"', owner: '306411' });
    const { out } = await home.run(['jobs', '--csv']);
    expect(out).toContain(`"'=1+1, ""two"""\r\n`);
  });
});
