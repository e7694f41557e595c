import { mapInParallel } from '#lib/concurrency/map-in-parallel.ts';
import { awaitShutdown } from '#lib/outbound/shutdown.ts';
import { type DueKey, moveDue } from '#lib/table/due-index.ts';
import type { Table } from '#lib/table/table.ts';
import type { SendPush } from '../send-push.ts';
import { signPush } from '../sign-push.ts';
import { noteTry, readWebhook } from '../webhook-store.ts';
import { type Delivery, type DeliveryTry, type DeliveryUpdate, testType } from './delivery.ts';
import {
  type ClaimedDelivery,
  claimDelivery,
  findDueDeliveries,
  saveTry,
} from './delivery-store.ts';

type DeliverOptions = Pick<TryOptions, 'send'> & Partial<TryOptions>;

/** One sweep, with the time spent waiting for each receiver. */
interface Sweep extends TryOptions {
  readonly table: Table;
  readonly stopAt: number;
  readonly waitedMs: Map<string, number>;
}

/** How many deliveries of each shard are read at a time. */
const roundSize = 50;
const maxRounds = 10;

/** How many receivers are called in parallel. */
const width = 10;

/** The lease of a claimed delivery: several times as long as one try can take. */
const leaseMs = 60_000;

/** A sweep starts no try after this, so it ends before the function's timeout. */
const sweepMs = 40_000;

/**
 * The time that one receiver may take of a sweep. The rest of its deliveries are postponed for a
 * minute, so a slow receiver neither delays the others nor fills the head of the queue.
 */
const shareMs = 5_000;

/** Tries all due deliveries. If a sweep dies, a later one continues when its leases expire. */
export async function deliverDue(table: Table, options: DeliverOptions): Promise<void> {
  const sweep = beginSweep(table, options);
  for (let round = 0; round < maxRounds && !isOver(sweep); round += 1) {
    const due = await findDueDeliveries(table, sweep.now(), roundSize);
    if (due.length === 0) return;
    await deliverAll(sweep, due);
  }
}

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
 * Calls several receivers in parallel, with the deliveries of each in sequence. A delivery that
 * fails unexpectedly is due again when its lease expires.
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
  if (waited > shareMs) {
    await moveDue(table, due, until);
    return;
  }
  const claimed = await claimDelivery(table, due, until);
  if (!claimed) return;
  await tryDelivery(table, claimed, sweep);
  waitedMs.set(due.PK, waited + now().getTime() - startedAt);
}

interface TryOptions {
  readonly send: SendPush;
  readonly now: () => Date;
  readonly random: () => number;
}

/** Makes one try of a claimed delivery and records the result. */
async function tryDelivery(
  table: Table,
  claimed: ClaimedDelivery,
  { send, now, random }: TryOptions,
): Promise<void> {
  const { delivery } = claimed;
  const at = now();
  const giveUp = (reason: string) =>
    saveTry(table, claimed, { at, reason, ms: 0 }, { state: 'given-up' });
  // Tries that killed their process left no plan. A first try is made however late it comes.
  if (delivery.tryCount > 1 && isTooLate(delivery, at))
    return giveUp('the event is more than a day old');
  const webhook = await readWebhook(table, delivery.owner, delivery.webhookId);
  if (!webhook) return giveUp('the webhook was deleted');

  const { eventId: id, body } = delivery;
  const headers = signPush(webhook.secret, { id, at, body });
  const answer = await send({ url: webhook.url, headers, body });
  // The delivery comes back when its lease expires.
  if (answer.abandoned) return;
  const tried = { at, ...answer, ms: now().getTime() - at.getTime() };
  const update = judgeTry(delivery, tried, now(), random);
  await saveTry(table, claimed, tried, update);
  await noteTry(table, webhook, { prompt: isPrompt(update, tried), at });
}

/** Seconds between tries. The last pause is repeated. */
const pauses = [5, 30, 120, 600, 1800, 3600, 7200] as const;
const lastPause = 7200;

const giveUpMs = 24 * 60 * 60 * 1000;

/** Lengthens pauses by up to this share, so deliveries that failed together spread out. */
const jitter = 0.2;

/** The status by which a receiver says that it wants no more pushes. */
const gone = 410;

export function judgeTry(
  delivery: Pick<Delivery, 'eventType' | 'eventAt' | 'againAt' | 'tryCount'>,
  { status = 0 }: Pick<DeliveryTry, 'status'>,
  now: Date,
  random: () => number,
): DeliveryUpdate {
  if (status >= 200 && status < 300) return { state: 'delivered' };
  // A test shows whether the receiver works now, so it is not retried.
  if (status === gone || delivery.eventType === testType) return { state: 'given-up' };
  const nextTry = planNextTry(delivery.tryCount, now, random);
  return isTooLate(delivery, nextTry) ? { state: 'given-up' } : { state: 'waiting', nextTry };
}

/**
 * Returns true if the next event may be pushed at once, by a function that waits for the response.
 */
function isPrompt({ state }: DeliveryUpdate, { ms }: Pick<DeliveryTry, 'ms'>): boolean {
  return state === 'delivered' && ms <= shareMs;
}

export function planNextTry(tryCount: number, now: Date, random: () => number): Date {
  const pause = pauses[tryCount - 1] ?? lastPause;
  return new Date(now.getTime() + Math.round(pause * 1000 * (1 + random() * jitter)));
}

export function isTooLate(
  { eventAt, againAt = eventAt }: Pick<Delivery, 'eventAt' | 'againAt'>,
  at: Date,
): boolean {
  return at.getTime() > againAt.getTime() + giveUpMs;
}
