import * as v from 'valibot';
import { bearer } from './ask.ts';

/** As much of an HPC system as the cases must know, from `GET /hpc/`. */
const LearnedSystem = v.object({
  name: v.string(),
  project_hpc: v.string(),
  projects: v.array(v.string()),
  default_project: v.string(),
  payload: v.object({ required: v.array(v.string()) }),
  limits: v.object({ node_number: v.number(), core_number: v.number(), runtime: v.number() }),
  charging: v.string(),
  stages: v.array(v.string()),
});

export type LearnedSystem = v.InferOutput<typeof LearnedSystem>;

/** The systems of an address, whoever's catalog it has. */
export async function learnCatalog(url: string, token: string): Promise<LearnedSystem[]> {
  const response = await fetch(`${url}/hpc/`, { headers: bearer(token) });
  const text = await response.text();
  if (!response.ok) throw new Error(`${url}/hpc/ answered ${response.status}: ${text}`);
  return v.parse(v.array(LearnedSystem), JSON.parse(text));
}

const ofInterface: Readonly<Record<string, readonly string[]>> = {
  hpc_one: ['proj_hpc_one_01'],
  hpc_two: ['proj_hpc_two_01', 'proj_hpc_two_02'],
};

/** Whether the examples of the interface can be sent there as they stand. */
export function hasInterfaceSystems(systems: readonly LearnedSystem[]): boolean {
  return Object.entries(ofInterface).every(([name, projects]) => {
    const system = systems.find((each) => each.name === name);
    return projects.every((project) => system?.projects.includes(project));
  });
}
