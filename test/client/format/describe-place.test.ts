import { describe, expect, it } from 'vitest';
import { describePlace, describeSystem } from '#client/src/format/systems/describe-place.ts';
import type { System } from '#client/src/index.ts';

const system: System = {
  name: 'hpc_one',
  project_hpc: 'HPC_ONE',
  description: 'A cluster.',
  projects: ['p'],
  default_project: 'p',
  payload: { required: ['command'], optional: ['title'] },
  limits: { node_number: 1, core_number: 1, runtime: 24 },
  charging: 'node',
  simulated: false,
  live_output: true,
  cancel_keeps_output: true,
  stage_meanings: {},
  stages: [],
  maintenance: [],
};
const machine = { cores: 1, memory_megabytes: 8000, limits: 'Limits.', sandboxed: false };

describe('describePlace', () => {
  it('says nothing about an HPC system', () => {
    expect(describePlace(system)).toBeUndefined();
    expect(describeSystem(system)).toBe('A cluster.');
  });

  it('says what commands find', () => {
    const plain = { shell: 'plain' as const, setup: [] };
    expect(describePlace({ ...system, environment: plain })).toBeUndefined();
    const setup = ['module use /opt', 'module load gcc'];
    expect(describePlace({ ...system, environment: { shell: 'login', setup } })).toBe(
      'Commands run in a login shell. Before each: module use /opt; module load gcc.',
    );
  });

  it('says what commands of a class find', () => {
    const limits = { node_number: 1, core_number: 1, runtime: 1 };
    const classes = [
      { name: 'mpi', limits, charging_factor: 1, cores_as: 'tasks' as const },
      { name: 'omp', limits, charging_factor: 1, cores_as: 'threads' as const, setup: ['ml gcc'] },
    ];
    const environment = { shell: 'plain' as const, setup: ['module use /opt'] };
    expect(describePlace({ ...system, environment, cores_as: 'tasks', classes })).toBe(
      'Before each: module use /opt. Class omp: Cores are threads of one task on each node. Before each: ml gcc.',
    );
  });

  it('says that nothing is computed', () => {
    expect(describePlace({ ...system, simulated: true })).toBe(
      'Simulated: jobs keep time and compute nothing.',
    );
  });

  it('says what the machine of the service offers', () => {
    expect(describeSystem({ ...system, machine })).toBe(
      'A cluster. Runs on the machine of the service, with 1 core.',
    );
    const tools = [
      { name: 'SHELL', available: true },
      { name: 'NODE', available: true },
      { name: 'PYTHON', available: false },
    ];
    expect(
      describePlace({ ...system, machine: { ...machine, cores: 8, sandboxed: true, tools } }),
    ).toBe(
      'Runs on the machine of the service, with 8 cores, in a sandbox. Tools: SHELL, NODE. Not installed: PYTHON.',
    );
  });

  it('says so if no tool is there', () => {
    const tools = [{ name: 'PYTHON', available: false }];
    expect(describePlace({ ...system, machine: { ...machine, tools } })).toContain(
      'Tools: none. Not installed: PYTHON.',
    );
  });
});
