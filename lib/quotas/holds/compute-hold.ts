import type { ChargingRule } from '#lib/catalog/hpc-system.ts';
import { roundUp } from '#lib/time/round-up.ts';
import type { Hold } from '../quota.ts';

export interface Demand {
  readonly nodes: number;
  readonly coresPerNode: number;
  readonly hours: number;
  readonly inputBytes: number;
}

const chargedUnits: Record<ChargingRule, (demand: Demand) => number> = {
  'wall-clock': () => 1,
  node: ({ nodes }) => nodes,
  core: ({ nodes, coresPerNode }) => nodes * coresPerNode,
};

/** The most that a job can use: nobody is charged more than what was held. */
export function computeHold(rule: ChargingRule, demand: Demand): Hold {
  const seconds = chargedUnits[rule](demand) * demand.hours * 3600;
  return {
    seconds: Math.max(1, roundUp(seconds)),
    kilobytes: kilobytesOf(demand.inputBytes),
  };
}

/** A begun kilobyte counts as a whole one. */
export function kilobytesOf(bytes: number): number {
  return Math.ceil(bytes / 1000);
}
