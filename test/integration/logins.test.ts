import { describe, expect, it } from 'vitest';
import { readAudit } from '#lib/audit/read-audit.ts';
import { catalog, findSystem } from '#lib/catalog/catalog.ts';
import type { JobTag } from '#lib/hpc/connector.ts';
import { SystemUnavailableError } from '#lib/hpc/errors.ts';
import { deleteJob } from '#lib/jobs/cancel/delete-job.ts';
import { accountOf } from '#lib/jobs/job.ts';
import { createJobFinder } from '#lib/jobs/read/create-job-finder.ts';
import { readLogin } from '#lib/users/logins/login-store.ts';
import { mapLogin, unmapLogin } from '#lib/users/logins/map-login.ts';
import { tableForEach } from '../engines/use-table.ts';
import { createWorld } from '../fixtures/life.ts';
import { systemName, userId } from '../fixtures/names.ts';

const hpc = systemName('hpc_one');
const user = userId('1');
const system = { ...findSystem(catalog, hpc), runsAs: 'mapped' as const };
const order = (name: string) => ({ user, system, name, reason: 'A course.', by: '100001' });

const table = tableForEach();

describe('a job that runs as its owner', () => {
  it('is handed over, found, checked, read and cancelled as the account it was submitted as', async () => {
    const calls: string[] = [];
    const note = (call: string, { login }: JobTag) => calls.push(`${call} ${login}`);
    let answers = false;
    const world = createWorld(table, hpc, (connector) => ({
      ...connector,
      submit: async (job) => {
        note('submit', job);
        const handle = await connector.submit(job);
        if (!answers) throw new SystemUnavailableError('No answer.');
        return handle;
      },
      findByTag: (tag) => {
        note('find', tag);
        return connector.findByTag(tag);
      },
      lookUp: (jobs) => {
        for (const job of jobs) note('look up', job);
        return connector.lookUp(jobs);
      },
      cancel: (job) => {
        note('cancel', job);
        return connector.cancel(job);
      },
    }));
    await mapLogin(table, order('ada'));
    const job = await world.submit(user, { system, requestedRuntime: 10 });
    await mapLogin(table, order('grace'));
    for (const pause of [0, 5, 60]) {
      world.pass(pause);
      await world.sweep();
      answers = true;
    }
    expect(await createJobFinder(table)(accountOf(job), job.jobId)).toMatchObject({
      handle: job.jobId,
      login: 'ada',
    });
    await unmapLogin(table, order(''));
    await deleteJob(table, accountOf(job), job.jobId, world.now());
    world.pass(60);
    await world.sweep();
    expect(calls).toEqual(['submit ada', 'find ada', 'look up ada', 'cancel ada']);
  });

  it('shows on the simulator which account it would run as', async () => {
    const world = createWorld(table, hpc);
    await mapLogin(table, order('ada'));
    const job = await world.submit(user, { system });
    await world.sweep();
    world.pass(5);
    const tag = { jobId: job.jobId, owner: user, handle: job.jobId };
    const { stream } = await world.connector.openFile(tag, 'stdout');
    expect(await new Response(stream).text()).toContain('\naccount: ada\n');
  });
});

describe('a login', () => {
  it('that several administrators change at once is recorded change by change', async () => {
    const names = Array.from({ length: 8 }, (_, index) => `user${index}`);
    const mapped = await Promise.all(names.map((name) => mapLogin(table, order(name))));
    expect(mapped.map(({ outcome }) => outcome).sort()).toEqual([
      ...Array.from({ length: 7 }, () => 'changed'),
      'created',
    ]);
    const { entries: acts } = await readAudit(table, { filter: {} }, 100);
    const steps = acts.map(({ details: { account } }) => account);
    const afters = steps.flatMap((step) => (step instanceof Object ? [step.after] : []));
    const befores = steps.flatMap((step) => (step instanceof Object ? [step.before] : []));
    const last = afters.filter((name) => !befores.includes(name));
    expect(new Set(befores)).toEqual(new Set([null, ...afters.filter((name) => name !== last[0])]));
    expect(await readLogin(table, user, hpc)).toEqual({ user, hpc, name: last[0] });
  });
});
