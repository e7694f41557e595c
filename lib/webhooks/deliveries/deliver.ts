import { mapInParallel } from '#lib/concurrency/map-in-parallel.ts';
import { awaitShutdown } from '#lib/outbound/shutdown.ts';
import type { DueKey } from '#lib/table/reads/due-index.ts';
import type { Table } from '#lib/table/table.ts';
import { findDueDeliveries, postponeDelivery, takeUpDelivery } from './delivery-store.ts';
import { type TryOptions, tryDelivery } from './try-delivery.ts';

export type DeliverOptions = Pick<TryOptions, 'send'> & Partial<TryOptions>;

/** One time of delivering, and how long each receiver has been waited for in it. */
interface Sweep extends TryOptions {
  readonly table: Table;
  readonly stopAt: number;
  readonly waitedMs: Map<string, number>;
}

/** How many of each shard are read at a time, and how often. */
const roundSize = 50;
const maxRounds = 10;

/** How many receivers are talked to at a time. */
const width = 10;

/** For this long nobody else tries what was taken up: several times what one try can take. */
const leaseMs = 60_000;

/** A sweep begins no try after this, so that it has ended before its function is ended. */
const sweepMs = 40_000;

/**
 * One receiver has so much of a sweep. What else is due for it is put off for a minute: a slow one
 * must not hold the others up, nor fill the head of what is due.
 */
const shareMs = 5_000;

/** Tries what is due. A sweep that dies leaves its deliveries to a later one, when leases end. */
export async function deliverDue(table: Table, options: DeliverOptions): Promise<void> {
  const sweep = beginSweep(table, options);
  for (let round = 0; round < maxRounds && !isOver(sweep); round += 1) {
    const due = await findDueDeliveries(table, sweep.now(), roundSize);
    if (due.length === 0) return;
    await deliverAll(sweep, due);
  }
}

/** Tries these, which are due. */
export async function deliver(
  table: Table,
  due: readonly DueKey[],
  options: DeliverOptions,
): Promise<void> {
  await deliverAll(beginSweep(table, options), due);
}

function beginSweep(table: Table, options: DeliverOptions): Sweep {
  const { send, now = () => new Date(), random = Math.random } = options;
  const stopAt = now().getTime() + sweepMs;
  return { table, send, now, random, stopAt, waitedMs: new Map() };
}

function isOver({ now, stopAt }: Sweep): boolean {
  return now().getTime() > stopAt || awaitShutdown().aborted;
}

/**
 * Several receivers at a time, the deliveries of each one after another; what fails of one is due
 * again when its lease ends.
 */
async function deliverAll(sweep: Sweep, due: readonly DueKey[]): Promise<void> {
  const receivers = [...Map.groupBy(due, ({ PK }) => PK).values()];
  await mapInParallel(receivers, width, async (waiting) => {
    for (const each of waiting) {
      if (isOver(sweep)) return;
      await deliverOne(sweep, each);
    }
  });
}

async function deliverOne(sweep: Sweep, due: DueKey): Promise<void> {
  const { table, now, waitedMs } = sweep;
  const startedAt = now().getTime();
  const until = new Date(startedAt + leaseMs);
  const waited = waitedMs.get(due.PK) ?? 0;
  if (waited > shareMs) return postponeDelivery(table, due, until);
  const taken = await takeUpDelivery(table, due, until);
  if (!taken) return;
  await tryDelivery(table, taken, sweep);
  waitedMs.set(due.PK, waited + now().getTime() - startedAt);
}
