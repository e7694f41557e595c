import * as z from 'zod';
import { writeDuration } from '../../../format/write-duration.ts';
import { nameUnit } from '../../../format/write-node-time.ts';
import type { System } from '../../../index.ts';
import { answer } from '../answers/answer.ts';
import { hints, type ToolSet } from '../call/tool-set.ts';

const SystemAnswer = z.object({
  hpc: z.string(),
  description: z.string(),
  status: z.enum(['up', 'down', 'unknown']).describe('while it is down, jobs wait'),
  projects: z.array(z.string()),
  default_project: z.string(),
  required_fields: z.array(z.string()),
  optional_fields: z.array(z.string()),
  most_nodes: z.number(),
  most_cores_per_node: z.number(),
  longest_seconds: z.number().describe('a job that asks for more is granted this'),
  unit: z.string().describe('what its quotas are counted in'),
});

type SystemAnswer = z.infer<typeof SystemAnswer>;

const Output = z.object({ systems: z.array(SystemAnswer) });

type Output = z.infer<typeof Output>;

export function addSystems({ server, connect }: ToolSet): void {
  server.registerTool(
    'systems',
    {
      title: 'HPC systems',
      description:
        'Lists the HPC systems that jobs can be submitted to: what a job on each needs (a command or a tool), its limits and its projects. Call it first.',
      outputSchema: Output,
      annotations: hints.reads,
    },
    ({ signal }) =>
      answer<Output>(async () => {
        const client = connect();
        const [listed, { systems: states }] = await Promise.all([
          client.listSystems({}, { signal }),
          client.readStatus({}, { signal }),
        ]);
        const systems = listed.map((system) =>
          presentSystem(system, states.find(({ name }) => name === system.name)?.status),
        );
        return { data: { systems }, lines: systems.map(writeSystem) };
      }),
  );
}

function presentSystem(system: System, status: SystemAnswer['status'] = 'unknown'): SystemAnswer {
  const { limits, payload } = system;
  return {
    hpc: system.name,
    description: system.description,
    status,
    projects: system.projects,
    default_project: system.default_project,
    required_fields: payload.required,
    optional_fields: payload.optional,
    most_nodes: limits.node_number,
    most_cores_per_node: limits.core_number,
    longest_seconds: Math.round(limits.runtime * 3600),
    unit: nameUnit(system.charging),
  };
}

function writeSystem(system: SystemAnswer): string {
  const what = system.required_fields.includes('tool') ? 'a tool' : 'a command';
  const longest = writeDuration(system.longest_seconds);
  return `${system.hpc} (${system.status}): ${system.description} Takes ${what}; up to ${system.most_nodes} nodes with ${system.most_cores_per_node} cores each, ${longest}. Projects: ${system.projects.join(', ')}.`;
}
