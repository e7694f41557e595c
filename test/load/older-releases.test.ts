import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { dataSteps } from '#lib/table/data-steps.ts';
import {
  type Edition,
  end,
  type Home,
  openHome,
  projectRoot,
  readToEnd,
} from '../fixtures/edition.ts';
import { checkOut } from '../releases/check-out.ts';
import { type Answers, listJobs, readAnswers } from '../releases/read-answers.ts';
import { releases } from '../releases/releases.ts';
import { pollUntil } from '../slurm/poll-until.ts';

/** Simulated jobs, which all releases know. */
const simulated = { SYSTEMS: 'simulated' };

/** Puts a part of a release's fixture in place. */
function unpack({ path }: Home, release: string, part: 'stopped' | 'killed'): void {
  const archive = join(projectRoot, 'test/releases', `${release}.tgz`);
  execFileSync('tar', ['-xzf', archive, '-C', path, '--strip-components=2', `./${part}`]);
}

const readJson = ({ path }: Home, file: string) =>
  JSON.parse(readFileSync(join(path, file), 'utf8'));

function openCall({ url, token }: Edition) {
  return async (path: string): Promise<unknown> => {
    const answer = await fetch(`${url}${path}`, { headers: { authorization: `Bearer ${token}` } });
    return JSON.parse(await answer.text());
  };
}

/** Later releases may add fields, and lines to a ledger. */
function expectKept(answers: Answers, before: Answers): void {
  for (const [path, answer] of Object.entries(before)) {
    expect([path, answers[path]]).toEqual([
      path,
      Array.isArray(answer)
        ? expect.arrayContaining(answer.map((each) => expect.objectContaining(each)))
        : expect.objectContaining(answer),
    ]);
  }
}

function isLater(one: string, other: string): boolean {
  return one.localeCompare(other, 'en', { numeric: true }) > 0;
}

function waitForEnds(call: (path: string) => Promise<unknown>): Promise<true> {
  return pollUntil(
    'all jobs have ended',
    120,
    async () => (await listJobs(call)).every(({ terminal_stage: isEnded }) => isEnded) || undefined,
  );
}

function runTool({ path }: Home, file: string, ...options: string[]): string {
  const tool = [join(projectRoot, 'tools', file), ...options];
  return execFileSync(process.execPath, tool, { cwd: path, encoding: 'utf8' });
}

describe.each(releases)('data of release $release', ({ release, commit }) => {
  it('goes on under this one, and that release refuses it if it would damage it', async () => {
    const home = openHome();
    unpack(home, release, 'stopped');
    const before: Answers = readJson(home, 'answers.json');
    expect(Object.keys(before).length).toBeGreaterThan(10);

    const edition = await home.start(simulated);
    const call = openCall(edition);
    expectKept(await readAnswers(call), before);
    const ended = Object.keys(before).filter((path) => path.endsWith('/timeline/')).length;
    // What ran or waited is followed to its end, and nothing is lost on the way.
    await waitForEnds(call);
    const after = await readAnswers(call);
    expectKept(after, before);
    expect((await listJobs(call)).length).toBeGreaterThan(ended);
    expect(runTool(home, 'reconcile/reconcile.ts')).toContain('0 wrong');
    await end(edition.child, 'SIGTERM');

    const old = checkOut(commit);
    const isRefused = dataSteps.some(({ since }) => isLater(since, release));
    if (old !== undefined && isRefused) {
      const { code, text } = await readToEnd(home.run({ PORT: '0', ...simulated }, old));
      expect(code).toBe(1);
      // The first release knows no steps.
      expect(text).toMatch(/its layout is version 2, not 1|It does not know step \d/);
    } else if (old !== undefined) {
      const earlier = await home.start(simulated, old);
      expectKept(await readAnswers(openCall(earlier)), after);
      await end(earlier.child, 'SIGTERM');
    }
    // It has changed nothing, so this release starts again. Its default may be another one.
    const again = await home.start({ SYSTEMS: 'machine' });
    expect(again.welcome).toContain('Jobs of hpc_one, hpc_two in this data were simulated.');
    await end(again.child, 'SIGTERM');
  }, 240_000);

  it('goes on if it was killed while jobs were submitted', async () => {
    const home = openHome();
    unpack(home, release, 'killed');
    const accepted: string[] = readJson(home, 'accepted.json');
    expect(accepted.length).toBeGreaterThan(30);
    const call = openCall(await home.start(simulated));
    const listed = (await listJobs(call)).map(({ job_id: id }) => id);
    expect(listed).toEqual(expect.arrayContaining(accepted));
    await waitForEnds(call);
    expect(runTool(home, 'reconcile/reconcile.ts')).toContain('0 wrong');
  }, 240_000);

  it('can be imported from its export', async () => {
    const home = openHome();
    unpack(home, release, 'stopped');
    const before: Answers = readJson(home, 'answers.json');
    const edition = await home.start({ ...simulated, DATA_DIR: join(home.path, 'fresh') });
    const file = join(home.path, 'export.jsonl');
    const lines = readFileSync(file, 'utf8').trim().split('\n').length;
    expect(runTool(home, 'transfer/import.ts', file)).toContain(`${lines} created, 0 present`);
    expect(runTool(home, 'transfer/import.ts', file)).toContain(`0 created, ${lines} present`);
    const answers = await readAnswers(openCall(edition));
    const jobs = Object.keys(before).filter((path) => /^\/jobs\/[^/]+\/[^/]+\/[^/]+\/$/.test(path));
    expect(jobs.length).toBeGreaterThan(2);
    for (const path of jobs) expect(answers[path]).toMatchObject(Object(before[path]));
  }, 240_000);
});
