import { mapInParallel } from '#lib/concurrency/map-in-parallel.ts';
import { awaitShutdown } from '#lib/outbound/shutdown.ts';
import type { DueKey } from '#lib/table/reads/due-index.ts';
import type { Table } from '#lib/table/table.ts';
import { type SendPush, signPush } from '../send-push.ts';
import { noteTry, readWebhook } from '../webhook-store.ts';
import type { Delivery, DeliveryTry, TryOutcome } from './delivery.ts';
import {
  findDueDeliveries,
  postponeDelivery,
  saveTry,
  type TakenDelivery,
  takeUpDelivery,
} from './delivery-store.ts';

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

interface TryOptions {
  readonly send: SendPush;
  readonly now: () => Date;
  readonly random: () => number;
}

/** One try of a delivery that was taken up, and what becomes of it. */
async function tryDelivery(
  table: Table,
  taken: TakenDelivery,
  { send, now, random }: TryOptions,
): Promise<void> {
  const { delivery } = taken;
  const at = now();
  const giveUp = (reason: string) =>
    saveTry(table, taken, { at, reason, ms: 0 }, { state: 'given-up' });
  // Tries that killed their process left no plan; a first one that comes late is made all the same.
  if (delivery.tryCount > 1 && isTooLate(delivery, at))
    return giveUp('the event is more than a day old');
  const webhook = await readWebhook(table, delivery.owner, delivery.webhookId);
  if (!webhook) return giveUp('the webhook was deleted');

  const { eventId: id, body } = delivery;
  const headers = signPush(webhook.secret, { id, at, body });
  const answer = await send({ url: webhook.url, headers, body });
  // The end of its lease brings it back.
  if (answer.abandoned) return;
  const attempt = { at, ...answer, ms: now().getTime() - at.getTime() };
  const outcome = judgeTry(delivery, attempt, now(), random);
  await saveTry(table, taken, attempt, outcome);
  await noteTry(table, webhook, { prompt: isPrompt(outcome, attempt), at });
}

/** Seconds between a try and the next; the last one is repeated. */
const pauses = [5, 30, 120, 600, 1800, 3600, 7200] as const;
const lastPause = 7200;

/** A receiver that is down for a day has lost what it was told in it. */
const patienceMs = 24 * 60 * 60 * 1000;

/** Up to this share longer, so that what failed together does not come back together. */
const jitter = 0.2;

/** As much of a sweep as one receiver has: whoever takes longer is left to the sweeps. */
const promptMs = 5_000;

/** A receiver that says so does not want to be asked again. */
const gone = 410;

export function judgeTry(
  delivery: Pick<Delivery, 'eventAt' | 'tryCount'>,
  { status = 0 }: Pick<DeliveryTry, 'status'>,
  now: Date,
  random: () => number,
): TryOutcome {
  if (status >= 200 && status < 300) return { state: 'delivered' };
  if (status === gone) return { state: 'given-up' };
  const nextTry = planNextTry(delivery.tryCount, now, random);
  return isTooLate(delivery, nextTry) ? { state: 'given-up' } : { state: 'waiting', nextTry };
}

/** Whether the next event may be tried at once, with a function that waits for the answer. */
function isPrompt({ state }: TryOutcome, { ms }: Pick<DeliveryTry, 'ms'>): boolean {
  return state === 'delivered' && ms <= promptMs;
}

/** When the next try is due after so many. */
export function planNextTry(tryCount: number, now: Date, random: () => number): Date {
  const pause = pauses[tryCount - 1] ?? lastPause;
  return new Date(now.getTime() + Math.round(pause * 1000 * (1 + random() * jitter)));
}

export function isTooLate({ eventAt }: Pick<Delivery, 'eventAt'>, at: Date): boolean {
  return at.getTime() > eventAt.getTime() + patienceMs;
}
