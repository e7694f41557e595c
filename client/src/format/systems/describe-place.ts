import type { System } from '../../generated/operations.ts';
import { phrase } from '../../words/formats.ts';

/**
 * Says in a few words where the jobs of a system run, for systems that are not what they seem, and
 * what commands find there. A service of an earlier version says nothing about it.
 */
export function describePlace(system: System): string | undefined {
  const { simulated, machine, environment } = system;
  if (simulated) return phrase('place.simulated');
  if (environment) return describeEnvironment(environment, system) || undefined;
  if (!machine) return undefined;
  const { cores, sandboxed, tools = [] } = machine;
  const named = (available: boolean) =>
    tools.filter((tool) => tool.available === available).map(({ name }) => name);
  const [installed, missing] = [named(true), named(false)].map((names) => names.join(', '));
  return [
    phrase(sandboxed ? 'place.machineInSandbox' : 'place.machine', { count: cores }),
    ...(tools.length > 0
      ? [installed ? phrase('place.tools', { names: installed }) : phrase('place.noTools')]
      : []),
    ...(missing ? [phrase('place.notInstalled', { names: missing })] : []),
  ].join(' ');
}

function describeEnvironment(
  { shell, setup }: NonNullable<System['environment']>,
  { cores_as: coresAs, classes = [] }: System,
) {
  return [
    ...(shell === 'login' ? [phrase('place.login')] : []),
    ...(coresAs === 'threads' ? [phrase('place.threads')] : []),
    ...(setup.length > 0 ? [phrase('place.setup', { lines: setup.join('; ') })] : []),
    ...classes.flatMap(({ name, setup: lines = [], cores_as: own }) => {
      const parts = [
        ...(own === 'threads' && own !== coresAs ? [phrase('place.threads')] : []),
        ...(lines.length > 0 ? [phrase('place.setup', { lines: lines.join('; ') })] : []),
      ];
      return parts.length === 0 ? [] : [phrase('place.class', { name, text: parts.join(' ') })];
    }),
  ].join(' ');
}

/** Describes a system in the words of its catalog, and says where its jobs run. */
export function describeSystem(system: System): string {
  return [system.description, describePlace(system) ?? ''].join(' ').trim();
}

/** Says from where jobs of a system may fetch files. */
export function describeInputs({ inputs }: Pick<System, 'inputs'>): string | undefined {
  return inputs && phrase('place.inputs', { hosts: listAllowed(inputs) });
}

/** Says where jobs of a system may send files. */
export function describeOutputs({ outputs }: Pick<System, 'outputs'>): string | undefined {
  return outputs && phrase('place.outputs', { hosts: listAllowed(outputs) });
}

/** Names the hosts and buckets that a system allows. */
export function listAllowed({ hosts, buckets = [] }: NonNullable<System['outputs']>): string {
  return [...hosts, ...buckets].join(', ');
}
