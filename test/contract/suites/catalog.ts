import { describe, expect, it } from 'vitest';
import { ask } from '../ask.ts';
import { bothForms } from '../cases/reads.ts';
import type { Target } from '../target.ts';

const one = { project_hpc: 'HPC_ONE', project_name: 'proj_hpc_one_01' };
const two = { project_hpc: 'HPC_TWO', project_name: 'proj_hpc_two_01' };
const further = { project_hpc: 'HPC_TWO', project_name: 'proj_hpc_two_02' };

const projectPaths = [
  { path: '/projects/', holds: [one, two, further] },
  { path: '/projects/hpc_one/', holds: [one] },
  { path: '/projects/hpc_two/', holds: [two, further] },
  { path: '/projects/hpc_one/proj_hpc_one_01/', holds: one },
  { path: '/projects/hpc_two/proj_hpc_two_01/', holds: two },
  { path: '/projects/hpc_two/proj_hpc_two_02/', holds: further },
];

/** Interface 2.1: systems and projects; and whether the service is up. */
/** Without the systems that an address has beside those of the interface. */
function ofInterface(systems: unknown): readonly { readonly name: string }[] {
  const all = Array.isArray(systems) ? systems : [];
  return all.filter(({ name }) => name === 'hpc_one' || name === 'hpc_two');
}

export function catalogSuite(target: Target): void {
  describe('catalog and status', () => {
    const { token } = target.account();

    it.each(bothForms([{ path: '/status/' }]))('5 GET $path needs no token', async ({ path }) => {
      for (const headers of [{}, { authorization: 'Bearer token' }]) {
        const answer = await ask(target, { path, headers });
        expect(answer.status).toBe(200);
        expect(answer.headers.get('content-type')).toBe('application/json');
        const { status, systems } = Object(answer.json);
        expect({ status, systems: ofInterface(systems) }).toMatchObject({
          status: 'up',
          systems: [
            { name: 'hpc_one', project_hpc: 'HPC_ONE', status: expect.any(String) },
            { name: 'hpc_two', project_hpc: 'HPC_TWO', status: expect.any(String) },
          ],
        });
      }
    });

    it.each(bothForms([{ path: '/hpc/' }]))('2.1 GET $path lists the systems', async ({ path }) => {
      const answer = await ask(target, { path, token });
      expect(answer.status).toBe(200);
      expect(answer.headers.get('content-type')).toBe('application/json');
      expect(ofInterface(answer.json)).toMatchObject([
        {
          name: 'hpc_one',
          project_hpc: 'HPC_ONE',
          default_project: 'proj_hpc_one_01',
          projects: expect.arrayContaining(['proj_hpc_one_01']),
          payload: { required: ['command', 'node_number', 'core_number', 'runtime'] },
          stages: expect.arrayContaining(['QUEUED', 'SUCCESSFUL']),
        },
        {
          name: 'hpc_two',
          project_hpc: 'HPC_TWO',
          default_project: 'proj_hpc_two_01',
          projects: expect.arrayContaining(['proj_hpc_two_01', 'proj_hpc_two_02']),
          payload: { required: ['tool', 'node_number', 'core_number', 'runtime'] },
          limits: { runtime: 0.5 },
          stages: expect.arrayContaining(['QUEUE', 'COMPLETED']),
        },
      ]);
    });

    it.each(bothForms(projectPaths))('2.1 GET $path', async ({ path, holds }) => {
      const answer = await ask(target, { path, token });
      expect(answer.status).toBe(200);
      expect(answer.headers.get('content-type')).toBe('application/json');
      expect(answer.json).toEqual(
        Array.isArray(holds)
          ? expect.arrayContaining(holds.map((project) => expect.objectContaining(project)))
          : expect.objectContaining(holds),
      );
    });

    it('2.1 GET /projects/hpc_one/ lists no project of the other system', async () => {
      const { json } = await ask(target, { path: '/projects/hpc_one/', token });
      expect(json).not.toContainEqual(expect.objectContaining({ project_hpc: 'HPC_TWO' }));
    });

    it('2.1 the first project of a system is its default one, and no other is', async () => {
      const { json } = await ask(target, { path: '/projects/', token });
      for (const [project, isDefault] of [
        [one, true],
        [two, true],
        [further, false],
      ] as const) {
        expect(json).toContainEqual(expect.objectContaining({ ...project, default: isDefault }));
      }
    });
  });
}
