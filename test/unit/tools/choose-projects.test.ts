import { describe, expect, it } from 'vitest';
import { catalog } from '#lib/catalog/catalog.ts';
import { chooseProjects } from '#tools/reconcile/reconcile-all.ts';

const projects = catalog.systems.flatMap((system) => system.projects);
const chosen = (hpc?: string, project?: string) =>
  chooseProjects(catalog, projects, { hpc, project }).map(({ name }) => name);

describe('npm run reconcile', () => {
  it('checks all projects, those of a system, or one', () => {
    expect(chosen()).toEqual(['proj_hpc_one_01', 'proj_hpc_two_01', 'proj_hpc_two_02']);
    expect(chosen('hpc_two')).toEqual(['proj_hpc_two_01', 'proj_hpc_two_02']);
    expect(chosen('hpc_two', 'proj_hpc_two_02')).toEqual(['proj_hpc_two_02']);
    expect(chosen(undefined, 'proj_hpc_one_01')).toEqual(['proj_hpc_one_01']);
  });

  it.each([
    ['hpc_three', undefined],
    [undefined, 'proj_none'],
    ['hpc_one', 'proj_hpc_two_01'],
  ])('refuses an unknown name: %s %s', (hpc, project) => {
    expect(() => chosen(hpc, project)).toThrow(/^(Unknown|There is no) /);
  });
});
