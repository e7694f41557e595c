import { defaultProject } from '#lib/catalog/catalog.ts';
import { longestRuntime } from '#lib/catalog/grant-runtime.ts';
import {
  type HpcSystem,
  hasLiveOutput,
  listStages,
  type Project,
} from '#lib/catalog/hpc-system.ts';
import { traitsOf } from '#lib/catalog/kinds/kind-traits.ts';
import { meaningsOfStages } from '#lib/catalog/stage-meanings.ts';
import { float } from './values/float.ts';

export function presentSystem(system: HpcSystem) {
  const { name, description, projects, program, extraFields, limits, charging } = system;
  return {
    name,
    project_hpc: name.toUpperCase(),
    description,
    projects: projects.map((project) => project.name),
    default_project: defaultProject(system).name,
    payload: {
      required: [program.field, 'node_number', 'core_number', 'runtime'],
      optional: ['title', ...extraFields.map((field) => field.name)],
    },
    limits: {
      node_number: limits.nodes,
      core_number: limits.coresPerNode,
      runtime: float(longestRuntime(system)),
    },
    charging,
    live_output: hasLiveOutput(system),
    cancel_keeps_output: traitsOf(system).cancelKeepsOutput,
    stages: listStages(system),
    stage_meanings: meaningsOfStages(system),
  };
}

export function presentProject(system: HpcSystem, project: Project) {
  return {
    id: project.number,
    project_hpc: system.name.toUpperCase(),
    project_name: project.name,
    default: project === defaultProject(system),
    max_living_jobs: project.maxLivingJobs,
    ...(project.description !== undefined && { description: project.description }),
    ...(project.closed !== undefined && { closed: project.closed }),
  };
}

export function projectLocation({ hpc, name }: Project): string {
  return `/projects/${hpc}/${name}/`;
}
