import { type Charging, joinCharging } from '../../format/write-node-time.ts';
import type { Slipway } from '../../index.ts';

/** What a second is a second of on a system as bodies name it; without one, on all systems together. */
export type ChargingOf = (projectHpc?: string) => Charging;

export async function readCharging(client: Slipway): Promise<ChargingOf> {
  const systems = await client.listSystems();
  const known = new Map(systems.map((system) => [system.project_hpc, system.charging]));
  return (projectHpc) =>
    projectHpc === undefined ? joinCharging(known.values()) : (known.get(projectHpc) ?? 'mixed');
}
