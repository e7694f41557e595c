import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
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
  await home.run([...running.login, '--user', user]);
  return home;
}

/** A study with a table of three jobs, the second of which fails. */
function writeStudy(home: Home): string {
  const folder = join(home.path, 'study');
  mkdirSync(folder);
  writeFileSync(join(folder, 'main.py'), 'print(1)\n');
  writeFileSync(join(folder, 'params.csv'), 'alpha,how\n0.1,good\n0.2,sim:fail\n0.3,"good, too"\n');
  return folder;
}

const run = ['--command', 'python3 main.py {alpha}', '--title', '{how} {index}'];
const threeLong = [
  'submit',
  'hpc_one',
  '--command',
  'ls {index}',
  '--runtime',
  '1d',
  '--count',
  '3',
];

describe('a batch by number', () => {
  it('shows its price and its first commands, and is listed while it runs', async () => {
    const home = await signIn('306701');
    expect(await home.run(['batches'])).toMatchObject({
      code: 0,
      out: '',
      err: 'You have no batches. Submit many jobs as one: slipway submit --help\n',
    });
    const words = ['submit', 'hpc_one', '--command', 'run --seed {index}', '--count', '100'];
    const dry = await home.run([...words, '--dry-run']);
    expect(dry.out.split('\n')).toEqual([
      '100 jobs would reserve 50 node-hours (0.5 node-hours each) and 0 bytes.',
      'Remaining after that: 4,950 node-hours and 10 GB.',
      '  0: run --seed 0',
      '  1: run --seed 1',
      '  2: run --seed 2',
      '  and 97 more',
      expect.stringMatching(
        /^You would have 100 of at most [\d,]+ active jobs\. Nothing was submitted\.$/,
      ),
      '',
    ]);
    expect(JSON.parse((await home.run(['batches', '--json'])).out)).toEqual([]);
    const made = await home.run([...words, '--title', 'seed {index}', '--max-running', '4']);
    expect(made.out).toMatch(
      /^Submitted {2}[0-9A-F]{8} {2}seed \{index\} +100 jobs on hpc_one \/ proj_hpc_one_01\nReserved {3}50 node-hours +4,950 of 5,000 left\n {2}0: run --seed 0\n/,
    );
    const [batch] = JSON.parse((await home.run(['batches', '--json'])).out);
    expect(batch).toMatchObject({ count: 100, max_running: 4, title: 'seed {index}' });
    const id = batch.batch_id.slice(-12, -4);
    expect((await home.run(['batches'], { columns: 100 })).out).toContain(id);
    expect((await home.run(['batch', id])).out).toContain('each may run 30 min, at most 4 at once');
    expect(await home.run(['job', id])).toMatchObject({
      code: 2,
      err: `${id} is a batch, not a job.\nList its jobs: slipway jobs --batch ${id}\n`,
    });
    expect((await home.run(['cancel', batch.batch_id])).out).toContain('is being cancelled');
    expect(await home.run(['wait', id])).toMatchObject({ code: 1 });
  });

  it('is asked about before it takes most of the remaining quota', async () => {
    const home = await signIn('306702');
    const large = [...threeLong, '--nodes', '50'];
    const refused = await home.run(large, { columns: 80, answer: 'n' });
    expect(refused.err).toContain(
      'These 3 jobs reserve 3,600 node-hours of your remaining 5,000 node-hours.\n  0: ls 0\n',
    );
    expect(refused.err).toContain('Nothing was submitted.');
    expect(JSON.parse((await home.run(['batches', '--json'])).out)).toEqual([]);
  });

  it('goes on after Ctrl-C, can be cancelled, and returns everything', async () => {
    const home = await signIn('306703');
    const { batch_id: id } = JSON.parse((await home.run([...threeLong, '--json'])).out);
    const short = id.slice(-12, -4);
    const left = await home.run(['wait', short], { columns: 100, interruptAt: /of 3/ });
    expect(left.code).toBe(130);
    expect(left.err).toContain(`${short} continues without you.`);
    expect(left.err).toContain(`Keep waiting: slipway wait ${short}`);
    expect((await home.run(['rm', short])).code).toBe(3);
    expect((await home.run(['cancel', short])).code).toBe(0);
    const ended = await home.run(['wait', short]);
    expect(ended.out).toMatch(
      /^⊘ cancelled {2}[0-9A-F]{8} {2}\(no title\) {2}3 cancelled {2}used /,
    );
    expect(ended.code).toBe(1);
    expect((await home.run(['cancel', short])).out).toContain('had ended already: 3 cancelled');
    expect((await home.run(['rm', short])).out).toContain('deleted with its jobs');
  });
});

describe('a batch by table', () => {
  it('partly fails, is saved by index, and its failed job runs again', async () => {
    const home = await signIn('306704');
    const folder = writeStudy(home);
    const words = ['submit', 'hpc_one', folder, ...run, '--table', 'params.csv'];
    const { code, out, err } = await home.run([...words, '--wait']);
    expect(out).toMatch(
      /✘ failed {2}[0-9A-F]{8} {2}\{how\} \{index\} {2}1 failed, 2 done {2}used /,
    );
    expect(out).toContain('  2: python3 main.py 0.3\n');
    expect(err).toMatch(/What failed: slipway batch (\w+) {6}Run it again: slipway again \1\n/);
    expect(code).toBe(1);

    const shown = await home.run(['batch']);
    expect(shown.out).toMatch(/✘ failed {2}━+ 3 of 3 {2}1 failed, 2 done/);
    expect(shown.out).toMatch(/INDEX +FAILED +TITLE +WHY\n +1 +[0-9A-F]{8} +sim:fail 1/);
    const [batch] = JSON.parse((await home.run(['batches', '--json'])).out);
    const failed = JSON.parse(
      (await home.run(['jobs', '--batch', batch.batch_id, '--failed', '--json'])).out,
    );
    expect(failed).toMatchObject([{ index: 1, title: 'sim:fail 1', batch: batch.batch_id }]);
    const short = batch.batch_id.slice(-12, -4);
    expect((await home.run(['job', failed[0].job_id])).out).toContain(
      `job 1 of the batch ${short}\n`,
    );

    const printed = await home.run(['results', short]);
    expect(printed.out).toMatch(/^==> 0 {2}\w{8} <==\n/);
    expect(printed.out.match(/^(?:==> \d|SLIPWAY_ALPHA=.*)/gm)).toEqual([
      '==> 0',
      'SLIPWAY_ALPHA=0.1',
      '==> 1',
      'SLIPWAY_ALPHA=0.2',
      '==> 2',
      'SLIPWAY_ALPHA=0.3',
    ]);
    const none = await home.run(['results', short, 'none']);
    expect(none.out.match(/The job has no file 'none'\./g)).toHaveLength(3);
    const contents = JSON.parse((await home.run(['results', short, 'listing.txt', '--json'])).out);
    expect(contents[2]).toMatchObject({ index: 2, state: 'included', filename: 'listing.txt' });
    expect(contents[2].content).toContain('main.py');

    const into = join(home.path, 'results');
    const saved = await home.run(['download', short, 'listing.txt', '--to', into]);
    expect(saved.out).toMatch(/^Saved \d files \(.*\) of \d jobs to .*results\/\n$/);
    expect(readdirSync(into)).toEqual(expect.arrayContaining(['0', '2']));
    expect(readFileSync(join(into, '2', 'listing.txt'), 'utf8')).toContain('main.py');

    const again = await home.run(['again', short, '--json']);
    const second = JSON.parse(again.out);
    expect(second).toMatchObject({ count: 1, title: '{how} {index}' });
    await home.run(['wait']);
    const jobs = JSON.parse((await home.run(['jobs', '--batch', second.batch_id, '--json'])).out);
    const { out: listed } = await home.run(['jobs', '--batch', second.batch_id]);
    expect(listed).toMatch(/^INDEX +STAGE/);
    expect((await home.run(['jobs'])).out).toMatch(/^STAGE/);
    expect(jobs).toMatchObject([{ index: 1, title: 'sim:fail 1' }]);
  });

  it('is added to the zip if it is elsewhere', async () => {
    const home = await signIn('306705');
    const folder = writeStudy(home);
    const table = join(home.path, 'other.csv');
    const rows = Array.from({ length: 11 }, (_, index) => `${index},fine`);
    writeFileSync(table, ['alpha,how', ...rows].join('\n'));
    const into = join(home.path, 'results');
    const words = ['submit', 'hpc_one', folder, ...run, '--table', table, '--download', into];
    const done = await home.run([...words, '--runtime', '6m']);
    expect(done.code).toBe(0);
    expect(done.err).toMatch(/─ 0 of 11 {2}11 waiting {2}[0-9A-F]{8} {2}\{how\} \{index\}\n/);
    expect(readdirSync(into)).toEqual(rows.map((_, index) => String(index).padStart(2, '0')));
    expect(readFileSync(join(into, '10', 'listing.txt'), 'utf8')).toContain('other.csv');
    expect(existsSync(join(folder, 'other.csv'))).toBe(false);
    const alone = await home.run(['submit', 'hpc_one', ...run, '--table', table, '--dry-run']);
    expect(alone.out).toContain('11 jobs would reserve 5.5 node-hours');
  });

  it('is refused with every mistake by its line', async () => {
    const home = await signIn('306706');
    const folder = writeStudy(home);
    writeFileSync(join(folder, 'params.csv'), 'alpha,how\n0.1\n0.2,fine\n0.3,a,b\n');
    const words = ['submit', 'hpc_one', folder, ...run, '--table', 'params.csv'];
    const { code, err } = await home.run(words);
    expect(code).toBe(3);
    expect(err).toContain('  params.csv:2: It has 1 cells, but the first line names 2 columns.\n');
    expect(err).toContain('  params.csv:4: It has 3 cells, but the first line names 2 columns.\n');
    expect(JSON.parse((await home.run(['batches', '--json'])).out)).toEqual([]);
  });

  it.each([
    [['--table', 'none.csv'], "There is no table 'none.csv'."],
    [['--table', 'params.csv', '--count', '3'], 'Give either --count or --table.'],
    [['--max-running', '3'], '--max-running is for batches.'],
    [['--count', '0'], 'Write a whole number from 1.'],
  ])('says what is wrong with %j', async (options, words) => {
    const home = await signIn('306707');
    const { code, err } = await home.run([
      'submit',
      'hpc_one',
      writeStudy(home),
      ...run,
      ...options,
    ]);
    expect(err).toContain(words);
    expect(code).toBe(2);
  });
});
