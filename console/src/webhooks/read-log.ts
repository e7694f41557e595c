import type { Delivery, Paged } from '#client/src/index.ts';

/** As many as a page of the service holds. */
export const deliveriesAtOnce = 100;

interface Log {
  readonly deliveries: readonly Delivery[];
  /** Whether there are older ones. */
  readonly goesOn: boolean;
}

/** Reads as much of the log as is wanted, and looks whether it goes on: some wait to be sent again. */
export async function readLog(log: Paged<Delivery>, wanted: number): Promise<Log> {
  const deliveries: Delivery[] = [];
  for await (const page of log.pages()) {
    if (deliveries.length >= wanted && page.length > 0) return { deliveries, goesOn: true };
    deliveries.push(...page);
  }
  return { deliveries, goesOn: false };
}
