import { createDeliveryQueue, type DeliveryQueue } from './delivery-queue.ts';

export interface LaneOptions<T> {
  /** Who is delivered to. */
  readonly name: string;
  readonly laneCount: number;
  ownerOf(item: T): string;
  deliver(item: T): Promise<unknown>;
}

/**
 * Queues beside each other: items of one owner keep their order, and those of different owners do
 * not wait for each other as long as there is a free lane. Beyond that owners share lanes.
 */
export function createDeliveryLanes<T>(options: LaneOptions<T>): DeliveryQueue<T> {
  const { name, laneCount, ownerOf, deliver } = options;
  const lanes = Array.from({ length: laneCount }, () =>
    createDeliveryQueue<T>({
      name,
      batchSize: 1,
      deliver: async ([item]) => item !== undefined && deliver(item),
    }),
  );
  /** Where the items of an owner are, or were last. */
  const lanesOfOwners = new Map<string, DeliveryQueue<T>>();
  let shared = 0;

  const takeFreeLane = (): DeliveryQueue<T> | undefined => {
    const free = lanes.find(({ isEmpty }) => isEmpty);
    // Whoever had it has nothing left in it.
    for (const [owner, lane] of lanesOfOwners) if (lane === free) lanesOfOwners.delete(owner);
    return free;
  };
  const shareLane = (): DeliveryQueue<T> | undefined => {
    shared += 1;
    return lanes[shared % laneCount];
  };
  const chooseLane = (owner: string): DeliveryQueue<T> | undefined => {
    const lane = lanesOfOwners.get(owner) ?? takeFreeLane() ?? shareLane();
    if (lane) lanesOfOwners.set(owner, lane);
    return lane;
  };
  return {
    async put(items) {
      const byOwner = [...Map.groupBy(items, ownerOf)];
      await Promise.all(byOwner.map(([owner, own]) => chooseLane(owner)?.put(own)));
    },
    get isEmpty() {
      return lanes.every(({ isEmpty }) => isEmpty);
    },
    async drain(giveUp) {
      await Promise.all(lanes.map((lane) => lane.drain(giveUp)));
    },
  };
}
