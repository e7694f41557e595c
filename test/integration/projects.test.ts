import { expect, it } from 'vitest';
import { watchAccounts } from '#lib/accounts/watch-accounts.ts';
import { readAudit } from '#lib/audit/read-audit.ts';
import { catalog, findSystem } from '#lib/catalog/catalog.ts';
import type { HpcSystem, Project } from '#lib/catalog/hpc-system.ts';
import { deleteJob } from '#lib/jobs/cancel/delete-job.ts';
import { accountOf } from '#lib/jobs/job.ts';
import { findJob } from '#lib/jobs/job-store.ts';
import { readAllJobs } from '#lib/jobs/read/read-all-jobs.ts';
import type { Submission } from '#lib/jobs/submit/submission.ts';
import { submitJob } from '#lib/jobs/submit/submit-job.ts';
import { findProjectsNow } from '#lib/projects/find-project.ts';
import { listProjects } from '#lib/projects/list-projects.ts';
import { closeProject, openProject } from '#lib/projects/open-project.ts';
import { ProjectClosedError } from '#lib/quotas/errors.ts';
import { grantQuota } from '#lib/quotas/grants/grant-quota.ts';
import { listQuotas } from '#lib/quotas/grants/list-quotas.ts';
import { findQuota } from '#lib/quotas/quota-store.ts';
import { quotaKey } from '#lib/table/keys.ts';
import { changeItem } from '#lib/table/writes.ts';
import { projectName, systemName, userId } from '#test/fixtures/names.ts';
import { onEveryEngine, tableForAll } from '../engines/use-table.ts';
import { createWorld, expectAccountAddsUp, readLedger } from '../fixtures/life.ts';

const hpc = systemName('hpc_two');
const system: HpcSystem = findSystem(catalog, hpc);
const by = '100001';
const reason = 'a course';
const wide = { seconds: 100_000, kilobytes: 1000 };

onEveryEngine('projects that are opened at run time, on $name', (engine) => {
  const table = tableForAll(engine);

  const order = (name: string) => ({ system, name: projectName(name), by, reason });
  const find = (name: string): Promise<Project> => findProjectsNow(table)(system, name);
  const grant = (user: string, project: Project) =>
    grantQuota(table, catalog, {
      user: userId(user),
      project,
      by,
      reason,
      change: { amounts: { mode: 'add', ...wide } },
    });

  it('get one number, however many open the same one at once, and no number twice', async () => {
    const same = await Promise.all(
      Array.from({ length: 10 }, () => openProject(table, order('at_once'))),
    );
    expect(new Set(same.map(({ project }) => project.number)).size).toBe(1);
    expect(same.filter(({ created }) => created)).toHaveLength(1);
    const others = await Promise.all(
      ['one', 'two', 'three'].map((name) => openProject(table, order(name))),
    );
    const numbers = [...same.slice(0, 1), ...others].map(({ project }) => project.number);
    expect(new Set(numbers).size).toBe(4);
    expect(Math.min(...numbers)).toBeGreaterThanOrEqual(1_000_000);
    const openings = await readAudit(table, { filter: { kind: 'project-opened' } }, 100);
    expect(openings.entries).toHaveLength(4);
  });

  it.each([
    ['description', { description: 'other' }],
    ['jobs', { maxLivingJobs: 7 }],
    ['sharing', { shared: true }],
    ['group', { members: { group: 'ice' } }],
  ])('are changed in one thing, written once: their %s', async (name, change) => {
    await openProject(table, order(`changed_${name}`));
    const changed = { ...order(`changed_${name}`), ...change };
    const { project } = await openProject(table, changed);
    expect(project).toMatchObject({ ...change, revision: 2 });
    expect((await openProject(table, changed)).project).toEqual(project);
    expect(await find(`changed_${name}`)).toMatchObject(change);
  });

  it('keep their number when they are closed and opened again, even simultaneously', async () => {
    const { project } = await openProject(table, order('again'));
    await Promise.all([
      closeProject(table, order('again')),
      openProject(table, { ...order('again'), maxLivingJobs: 7 }),
      openProject(table, { ...order('again'), description: 'other' }),
    ]);
    await closeProject(table, order('again'));
    expect(await find('again')).toMatchObject({ number: project.number, closed: true });
    expect((await openProject(table, order('again'))).project).toMatchObject({
      number: project.number,
      description: 'other',
      maxLivingJobs: 7,
      closed: false,
    });
  });

  it('have jobs that are granted for, submitted, run, settled, listed and deleted', async () => {
    const world = createWorld(table, hpc);
    await openProject(table, { ...order('whole_life'), maxLivingJobs: 2 });
    const project = await find('whole_life');
    await grant('11', project);
    const job = await world.submit(userId('11'), { project });
    expect(job.project).toMatchObject({ number: project.number, name: 'whole_life' });
    await closeProject(table, order('whole_life'));
    expect((await world.runToEnd(job)).at(-1)).toBe('COMPLETED');
    await expectAccountAddsUp(table, job);
    const kinds = (await readLedger(table, job)).map(({ kind }) => kind);
    expect(kinds.sort()).toEqual(['grant', 'hold', 'settle']);
    const everybody = await readAllJobs(table, catalog, { hpc, order: 'asc', filter: {} });
    expect(everybody.jobs.map(({ jobId }) => jobId)).toContain(job.jobId);
    const projects = await listProjects(table, catalog.systems);
    const { entries: quotas } = await listQuotas(table, projects, 100);
    expect(quotas.map((quota) => quota.project.number)).toContain(project.number);
    expect((await deleteJob(table, accountOf(job), job.jobId)).stage).toBe('DELETED');
    expect(await findQuota(table, accountOf(job))).toMatchObject({ space: { held: 0 } });
    await changeItem(table, quotaKey(accountOf(job)), { set: { time_used: 1 } });
    const wrong: string[] = [];
    await watchAccounts(table, catalog, ({ account }) => wrong.push(account.project));
    expect(wrong).toEqual(['whole_life']);
  });

  it('accept nothing once they are closed, except a repeated key', async () => {
    const world = createWorld(table, hpc);
    await openProject(table, order('closing'));
    const open = await find('closing');
    await grant('12', open);
    const submission: Submission = {
      owner: userId('12'),
      system,
      project: open,
      program: 'NEURON',
      nodes: 1,
      coresPerNode: 1,
      requestedRuntime: 0.1,
      title: '',
      extras: {},
      input: { fileName: 'a.zip', source: { kind: 'none' } },
    };
    const context = { table, catalog, inputs: world.files.inputs };
    const { job } = await submitJob(context, submission, 'a-key');
    await closeProject(table, order('closing'));
    const late = { ...submission, project: await find('closing') };
    await expect(submitJob(context, late)).rejects.toThrow(ProjectClosedError);
    const repeated = await submitJob(context, late, 'a-key');
    expect(repeated).toMatchObject({ repeated: true, job: { jobId: job.jobId } });
    expect(await findJob(table, accountOf(job), job.jobId)).toMatchObject({ terminal: false });
    expect(await findQuota(table, accountOf(job))).toMatchObject({ activeJobs: 1 });
    await openProject(table, order('closing'));
    const again = { ...submission, project: await find('closing') };
    expect((await submitJob(context, again)).repeated).toBe(false);
  });
});
