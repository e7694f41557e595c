import { describe, expect, it } from 'vitest';
import { ask } from '../ask.ts';
import type { LearnedSystem } from '../learn-catalog.ts';
import { expectProblem } from '../shapes.ts';
import { submit } from '../submit.ts';
import type { Target } from '../target.ts';

/** What holds on every system that an address says it has: these cases need no known catalog. */
export function anyCatalogSuite(target: Target): void {
  const account = target.account();
  const { token } = account;
  const { systems } = target;

  describe.each([...systems])('any catalog: $name', (system) => {
    const { name, project_hpc, limits } = system;
    const path = `/jobs/${name}/`;
    const send = (fields: object, query = '') =>
      submit(target, account, {
        path: `${path}${query}`,
        payload: JSON.stringify({ ...examplePayload(system), ...fields }),
      });

    it('2.1 has the projects that it names, the default among them', async () => {
      const { json } = await ask(target, { path: `/projects/${name}/`, token });
      const named = Array.isArray(json) ? json : [];
      expect(named.map((project) => project.project_name)).toEqual(system.projects);
      expect(named.every((project) => project.project_hpc === project_hpc)).toBe(true);
      const defaults = named.filter((project) => project.default);
      expect(defaults.map((project) => project.project_name)).toEqual([system.default_project]);
    });

    it('2.1 is known by its name in lower case alone, with projects of its own', async () => {
      const others = systems
        .filter((other) => other !== system)
        .flatMap(({ projects }) => projects);
      const foreign = others.filter((project) => !system.projects.includes(project));
      const missing = [`/jobs/${project_hpc}/`, ...foreign.map((project) => `${path}${project}/`)];
      for (const each of missing) expectProblem(await ask(target, { path: each, token }), 404);
    });

    it('4.2 takes a job, shows it in its lists, and cancels it', async () => {
      const { status, json, text } = await send({ title: 'of any catalog' });
      expect({ status, text }).toEqual({ status: 201, text: expect.any(String) });
      const job = { ...Object(json) };
      expect(job).toMatchObject({
        owner: account.user,
        project_hpc,
        project_name: system.default_project,
        title: 'of any catalog',
        runtime: 0.01,
        terminal_stage: false,
      });
      expect(system.stages).toContain(job.stage);
      const { json: list } = await ask(target, { path: `${path}?order=desc&limit=100`, token });
      expect(list).toContainEqual(expect.objectContaining({ job_id: job.job_id, id: job.id }));
      const own = `${path}${system.default_project}/${job.job_id}/`;
      const { json: ended } = await ask(target, { method: 'DELETE', path: own, token });
      expect(ended).toMatchObject({ job_id: job.job_id, stage: 'CANCELED' });
    });

    it('4.2 refuses what is beyond its limits, and fields that it does not know', async () => {
      for (const [fields, named] of [
        [{ node_number: limits.node_number + 1 }, 'payload node_number'],
        [{ core_number: limits.core_number + 1 }, 'payload core_number'],
        [{ no_such_field: '1' }, 'payload no_such_field'],
      ] as const) {
        expectProblem(await send(fields, '?dry_run=true'), 400, [named]);
      }
      for (const field of system.payload.required) {
        expectProblem(await send({ [field]: undefined }, '?dry_run=true'), 400, [
          `payload ${field}`,
        ]);
      }
    });

    it('4.2 holds the time that it charges', async () => {
      const { json } = await send({}, '?dry_run=true');
      expect(json).toMatchObject({ accepted: true, runtime: 0.01, held: { time: 36 } });
    });
  });
}

/** A job that costs next to nothing: one core of one node. */
function examplePayload({ payload }: LearnedSystem): Record<string, unknown> {
  const examples: Readonly<Record<string, string>> = {
    command: 'true',
    tool: 'TOOL',
    node_number: '1',
    core_number: '1',
    runtime: '0.01',
  };
  return Object.fromEntries(payload.required.map((field) => [field, examples[field] ?? '1']));
}
