import type { Charging } from '#lib/catalog/hpc-system.ts';
import type { Offer, Resources } from '#lib/catalog/resources.ts';
import { roundUp } from '#lib/time/round-up.ts';
import { priceJob } from './price-job.ts';

/** The most that a job is charged. */
export interface Charge {
  /** Seconds of its quota. */
  readonly seconds: number;
  /** Millionths of a US dollar, on systems whose jobs cost the operator money. */
  readonly cost?: number | undefined;
}

/**
 * Computes the most that a job can be charged for the granted hours. Estimates, holds and batches
 * all use this figure, and a settlement is a share of it.
 */
export function chargeJob(
  offer: Pick<Offer, 'charging' | 'chargingFactor' | 'connector' | 'price'>,
  resources: Resources,
  hours: number,
): Charge {
  const { charging, chargingFactor } = offer;
  const seconds = countUnits(charging, resources) * chargingFactor * hours * 3600;
  return { seconds: Math.max(1, roundUp(seconds)), cost: priceJob(offer, resources, hours) };
}

/** Counts the hours that an hour of the job is charged as. */
export function countUnits(charging: Charging, resources: Resources): number {
  const { nodes, coresPerNode, memoryMegabytes = 0, gpusPerNode = 0 } = resources;
  switch (charging) {
    case 'wall-clock':
      return 1;
    case 'node':
      return nodes;
    case 'core':
      return nodes * coresPerNode;
    default: {
      const { core = 0, gpu = 0, memoryGb = 0 } = charging.per;
      const parts = [core * coresPerNode, gpu * gpusPerNode, (memoryGb * memoryMegabytes) / 1000];
      const onNode =
        charging.rule === 'max' ? Math.max(...parts) : parts.reduce((sum, part) => sum + part, 0);
      return nodes * onNode;
    }
  }
}

/** How held seconds are split when a job ends: used + returned = held, always. */
export interface Settlement {
  readonly used: number;
  readonly returned: number;
}

/**
 * Charges the share of the granted time that the job ran. The hold is the charge for the whole
 * granted time, so it already includes the charging rule and is the most that is charged.
 */
export function computeSettlement(
  hold: { readonly seconds: number },
  grantedHours: number,
  ranSeconds: number,
): Settlement {
  const share = Math.max(0, ranSeconds) / (grantedHours * 3600);
  const used = Math.min(hold.seconds, roundUp(hold.seconds * share));
  return { used, returned: hold.seconds - used };
}
