import { createDeliveryQueue, type DeliveryQueue } from './delivery-queue.ts';

export interface LaneOptions<T> {
  /** Who is delivered to. */
  readonly name: string;
  readonly laneCount: number;
  partyOf(item: T): string;
  deliver(item: T): Promise<unknown>;
}

/**
 * Queues beside each other: items of one party keep their order, and those of different parties do
 * not wait for each other as long as there is a free lane. Beyond that they share lanes.
 */
export function createDeliveryLanes<T>(options: LaneOptions<T>): DeliveryQueue<T> {
  const { name, laneCount, partyOf, deliver } = options;
  const lanes = Array.from({ length: laneCount }, () =>
    createDeliveryQueue<T>({
      name,
      batchSize: 1,
      deliver: async ([item]) => item !== undefined && deliver(item),
    }),
  );
  /** Where the items of a party are, or were last. */
  const lanesOfParties = new Map<string, DeliveryQueue<T>>();
  let shared = 0;

  const takeFreeLane = (): DeliveryQueue<T> | undefined => {
    const free = lanes.find(({ isEmpty }) => isEmpty);
    // Whoever had it has nothing left in it.
    for (const [party, lane] of lanesOfParties) if (lane === free) lanesOfParties.delete(party);
    return free;
  };
  const shareLane = (): DeliveryQueue<T> | undefined => {
    shared += 1;
    return lanes[shared % laneCount];
  };
  const chooseLane = (party: string): DeliveryQueue<T> | undefined => {
    const lane = lanesOfParties.get(party) ?? takeFreeLane() ?? shareLane();
    if (lane) lanesOfParties.set(party, lane);
    return lane;
  };
  return {
    async put(items) {
      const byParty = [...Map.groupBy(items, partyOf)];
      await Promise.all(byParty.map(([party, own]) => chooseLane(party)?.put(own)));
    },
    get isEmpty() {
      return lanes.every(({ isEmpty }) => isEmpty);
    },
    async drain(giveUp) {
      await Promise.all(lanes.map((lane) => lane.drain(giveUp)));
    },
  };
}
