import { dropNoise, roundUp } from '#lib/time/round-up.ts';
import type { ConnectorSettings, HpcSystem } from './hpc-system.ts';

/**
 * The shortest time, in seconds, that each kind of system can be given, and of which it can only be
 * given multiples. A system that rounded a grant up itself would compute for nothing.
 *
 * - slurm: `time_limit` is in whole minutes.
 * - unicore: takes seconds, but hands them to Slurm as whole minutes, rounded down. Slurm reads the
 *   0 that becomes of less than a minute as "no limit".
 * - nsg: takes decimal hours, for batch systems that count minutes. 0.05 h is the shortest time that
 *   both can write exactly.
 */
export const runtimeUnits: Readonly<Record<ConnectorSettings['kind'], number>> = {
  simulator: 1,
  slurm: 60,
  unicore: 60,
  nsg: 180,
};

type Granting = Pick<HpcSystem, 'grantableRuntime' | 'connector'>;

/** The longest time, in hours, that any job of a system is granted. */
export function longestRuntime({ grantableRuntime, connector }: Granting): number {
  const unit = runtimeUnits[connector.kind];
  return (Math.floor(dropNoise((grantableRuntime * 3600) / unit)) * unit) / 3600;
}

/**
 * The hours that a job gets: what its system can be given, rounded up to the system's unit, and at
 * most what the system grants. A longer request is cut, not refused. The hold, the answer, the
 * order and the charge all go by this one figure.
 */
export function grantRuntime(system: Granting, requested: number): number {
  const unit = runtimeUnits[system.connector.kind];
  const rounded = (roundUp((requested * 3600) / unit) * unit) / 3600;
  return Math.min(rounded, longestRuntime(system));
}
