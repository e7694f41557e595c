import type { HpcSystem } from '#lib/catalog/hpc-system.ts';
import { chooseSize, defaultPrice } from '#lib/catalog/kinds/fargate.ts';
import type { Offer, Resources } from '#lib/catalog/resources.ts';
import { roundUp } from '#lib/time/round-up.ts';

/** Costs are whole millionths of a US dollar, so that sums stay exact. */
export const microsPerDollar = 1_000_000;

/** US dollars an hour for the public IPv4 address of a container, as AWS announced it for 2024. */
export const addressHour = 0.005;

/** Fargate charges for at least a minute of every container. */
const leastSeconds = 60;

/** Returns whether the operator pays AWS for the jobs of a system. */
export function hasPrice({ connector }: Pick<HpcSystem, 'connector'>): boolean {
  return connector.kind === 'batch';
}

/**
 * Computes the most that a job can cost, or returns undefined on a system that has no price. Only
 * containers in the network of the deployment have an address of their own.
 */
export function priceJob(
  { connector, price: ofClass }: Pick<Offer, 'connector' | 'price'>,
  { coresPerNode, memoryMegabytes }: Omit<Resources, 'nodes'>,
  hours: number,
): number | undefined {
  if (connector.kind !== 'batch') return undefined;
  const { memoryPerCore, queue } = connector;
  const price = ofClass ?? connector.price ?? defaultPrice;
  const size = chooseSize(coresPerNode, memoryPerCore, memoryMegabytes);
  if (!size) throw new Error(`Fargate has no size with ${coresPerNode} cores.`);
  const { cores, memoryGigabytes } = size;
  const hourly =
    cores * price.coreHour +
    memoryGigabytes * price.gbHour +
    (queue === undefined ? addressHour : 0);
  return roundUp(hours * hourly * microsPerDollar);
}

/** Computes what an ended job cost: its share of the granted time, but at least one minute. */
export function priceEnd(cost: number, grantedHours: number, ranSeconds: number): number {
  if (ranSeconds <= 0) return 0;
  const share = Math.max(leastSeconds, ranSeconds) / (grantedHours * 3600);
  return Math.min(cost, roundUp(cost * share));
}
