import { describe, expect, it } from 'vitest';
import { catalog, defaultProject, findProject, findSystem } from '#lib/catalog/catalog.ts';
import { ProjectNotFoundError, SystemNotFoundError } from '#lib/catalog/errors.ts';

describe('findSystem', () => {
  it.each(['hpc_one', 'hpc_two'])('finds %s', (name) => {
    expect(findSystem(catalog, name).name).toBe(name);
  });

  it.each(['', 'HPC_ONE', 'hpc_one ', 'hpc_three', 'constructor'])('does not find %j', (name) => {
    expect(() => findSystem(catalog, name)).toThrow(SystemNotFoundError);
  });
});

describe('findProject', () => {
  const two = findSystem(catalog, 'hpc_two');

  it('finds the projects of the system, and takes the first as its default', () => {
    expect(findProject(two, 'proj_hpc_two_02').number).toBe(3);
    expect(defaultProject(two).name).toBe('proj_hpc_two_01');
  });

  it.each(['', 'proj_hpc_one_01', 'proj_hpc_two_03', 'PROJ_HPC_TWO_01'])(
    'does not find %j',
    (name) => {
      expect(() => findProject(two, name)).toThrow(ProjectNotFoundError);
    },
  );
});
