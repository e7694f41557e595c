import type { Charging } from '../../format/write-node-time.ts';
import type { Slipway } from '../../index.ts';

/** What a second of a quota is a second of, by the system as bodies name it. */
export async function readCharging(client: Slipway): Promise<(projectHpc: string) => Charging> {
  const systems = await client.listSystems();
  const known = new Map(systems.map((system) => [system.project_hpc, system.charging]));
  return (projectHpc) => known.get(projectHpc) ?? 'node';
}
