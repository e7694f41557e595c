import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { end, openHome, projectRoot, readToEnd } from '../fixtures/edition.ts';
import { checkOut, releases } from '../releases/check-out.ts';
import { type Answers, listJobs, readAnswers } from '../releases/read-answers.ts';
import { pollUntil } from '../slurm/poll-until.ts';

/** Simulated jobs, which all releases know. */
const simulated = { SYSTEMS: 'simulated' };

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

describe.each(releases)('data of release $release', ({ release, commit }) => {
  it('goes on under this one, and that release refuses it from then on', async () => {
    const home = openHome();
    const archive = join(projectRoot, 'test/releases', `${release}.tgz`);
    execFileSync('tar', ['-xzf', archive, '-C', home.path]);
    const before: Answers = JSON.parse(readFileSync(join(home.path, 'answers.json'), 'utf8'));
    expect(Object.keys(before).length).toBeGreaterThan(10);

    const { child, url, token } = await home.start(simulated);
    const call = async (path: string): Promise<unknown> => {
      const answer = await fetch(`${url}${path}`, {
        headers: { authorization: `Bearer ${token}` },
      });
      return JSON.parse(await answer.text());
    };
    expectKept(await readAnswers(call), before);
    // The job that was running is followed to its end, and nothing is lost on the way.
    await pollUntil(
      'all jobs have ended',
      90,
      async () =>
        (await listJobs(call)).every(({ terminal_stage: isEnded }) => isEnded) || undefined,
    );
    const after = await readAnswers(call);
    expectKept(after, before);
    expect(Object.keys(after)).toHaveLength(Object.keys(before).length + 3);
    const reconcile = join(projectRoot, 'tools/reconcile/reconcile.ts');
    const checked = execFileSync(process.execPath, [reconcile], {
      cwd: home.path,
      encoding: 'utf8',
    });
    expect(checked).toContain('0 wrong');
    await end(child, 'SIGTERM');

    const old = checkOut(commit);
    if (old === undefined) return;
    const refused = home.run({ PORT: '0', ...simulated }, old);
    const { code, text } = await readToEnd(refused);
    expect(code).toBe(1);
    expect(text).toContain('its layout is version 2, not 1');
    // It has changed nothing, so this release starts again. Its default is another one by now.
    const again = await home.start({ SYSTEMS: 'machine' });
    expect(again.welcome).toContain('Jobs of hpc_one, hpc_two in this data were simulated.');
    await end(again.child, 'SIGTERM');
  }, 240_000);
});
