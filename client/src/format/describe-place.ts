import type { System } from '../generated/operations.ts';

/**
 * Says in a few words where the jobs of a system run, for systems that are not what they seem.
 * Returns undefined for an HPC system. A service of an earlier version says nothing about it.
 */
export function describePlace({ simulated, machine }: System): string | undefined {
  if (simulated) return 'Simulated: jobs keep time and compute nothing.';
  if (!machine) return undefined;
  const { cores, sandboxed, tools = [] } = machine;
  const named = (available: boolean) =>
    tools.filter((tool) => tool.available === available).map(({ name }) => name);
  const missing = named(false);
  return [
    `Runs on the machine of the service, with ${cores} ${cores === 1 ? 'core' : 'cores'}${sandboxed ? ', in a sandbox' : ''}.`,
    ...(tools.length > 0 ? [`Tools: ${named(true).join(', ') || 'none'}.`] : []),
    ...(missing.length > 0 ? [`Not installed: ${missing.join(', ')}.`] : []),
  ].join(' ');
}

/** Describes a system in the words of its catalog, and says where its jobs run. */
export function describeSystem(system: System): string {
  return [system.description, describePlace(system) ?? ''].join(' ').trim();
}
