import { describe, expect, it } from 'vitest';
import { catalog, defaultProject, findProject, findSystem } from '#lib/catalog/catalog.ts';
import { ProjectNotFoundError, SystemNotFoundError } from '#lib/catalog/errors.ts';
import { listStages } from '#lib/catalog/hpc-system.ts';

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

describe('the catalog', () => {
  const projects = catalog.systems.flatMap((system) => system.projects);

  it('gives every project a number and a name of its own', () => {
    expect(new Set(projects.map(({ number }) => number)).size).toBe(projects.length);
    expect(new Set(projects.map(({ name }) => name)).size).toBe(projects.length);
  });

  it('holds the numbers that the contract shows', () => {
    expect(Object.fromEntries(projects.map(({ name, number }) => [name, number]))).toEqual({
      proj_hpc_one_01: 1,
      proj_hpc_two_01: 2,
      proj_hpc_two_02: 3,
    });
  });

  it.each(catalog.systems)('is right in itself for $name', (system) => {
    // Users are numbers: a path tells the two apart by the first character (docs/decisions/0022).
    expect(system.name).toMatch(/^[a-z][a-z0-9_]*$/);
    expect(system.projects.map(({ hpc }) => hpc)).toEqual(system.projects.map(() => system.name));
    for (const { name } of system.projects) expect(name).toMatch(/^[a-z0-9_]+$/);
    expect(system.stages.living).toContain(system.stages.first);
    expect(new Set(listStages(system)).size).toBe(listStages(system).length);
    expect(system.grantableRuntime).toBeGreaterThan(0);
    expect(system.welcomeQuota).toEqual({ seconds: 18_000_000, kilobytes: 10_000_000 });
  });

  it.each(catalog.systems)('gives $name no extra field that a submission has already', (system) => {
    const own = ['command', 'tool', 'node_number', 'core_number', 'runtime', 'title'];
    const extras = system.extraFields.map(({ name }) => name);
    expect(extras.filter((name) => own.includes(name))).toEqual([]);
  });
});
