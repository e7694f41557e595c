import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { mapInParallel } from '#lib/concurrency/map-in-parallel.ts';
import { eventSource } from '#lib/events/publish-events.ts';
import { awaitShutdown } from '#lib/outbound/shutdown.ts';
import { moveDue, walkDue } from '#lib/table/due-index.ts';
import { listShards } from '#lib/table/keys.ts';
import type { Table } from '#lib/table/table.ts';
import { judgeTry } from '#lib/webhooks/deliveries/deliver.ts';
import type { DeliveryUpdate } from '#lib/webhooks/deliveries/delivery.ts';
import {
  type ClaimedDelivery,
  claimDelivery,
  saveTry,
} from '#lib/webhooks/deliveries/delivery-store.ts';
import { parseBusEvent, parseStoredEvent } from '#lib/webhooks/deliveries/queue-deliveries.ts';
import { openPrivateFolder } from '../credentials/private-folder.ts';
import type { LoadedListener } from '../stream/call-listeners.ts';
import { describeForHook } from './describe-for-hook.ts';
import { type HookFolder, openHookFolder } from './hook-folder.ts';
import { dueKeyOf, queueHook, readWaiting } from './hook-queue.ts';
import { type HookResult, runHook } from './run-hook.ts';

export interface HookSettings {
  /** The folder of hooks. Undefined if the operator has none. */
  readonly hooksDirectory?: string | undefined;
  /** Where their log is. */
  readonly stateDirectory: string;
}

/** What the bus calls, and what the clock calls. */
export interface Hooks {
  readonly name: string;
  readonly listener: LoadedListener;
  call(): Promise<void>;
}

/** Opens the hooks of a service on one machine. They have no place on AWS, where rules call programs. */
export function openHooks(
  table: Table,
  { hooksDirectory, stateDirectory }: HookSettings,
): Hooks | undefined {
  if (hooksDirectory === undefined) return undefined;
  const folder = openHookFolder(hooksDirectory);
  const log = openHookLog(stateDirectory);
  return {
    name: 'run-hooks',
    listener: {
      name: 'queue-hooks',
      source: eventSource,
      async handler(told) {
        const event = parseBusEvent(told);
        if (folder.find(event.type)) await queueHook(table, event, new Date());
      },
    },
    call: () => runDueHooks(table, { folder, log }),
  };
}

/** The file to which each run adds a line. */
const hookLogFile = 'hooks.log';

/** Failures are told on standard error, too, where operators look first. */
function openHookLog(stateDirectory: string): (run: HookRun) => void {
  const file = join(stateDirectory, hookLogFile);
  openPrivateFolder(stateDirectory, [hookLogFile]);
  return (run) => {
    appendFileSync(file, `${JSON.stringify(run)}\n`, { mode: 0o600 });
    const { type, queue, reason, output, nextTry } = run;
    if (reason === undefined) return;
    const next = nextTry ? `Next try at ${nextTry.toISOString()}.` : 'It is given up.';
    process.stderr.write(
      `The hook ${type} failed for ${queue} (${reason}). ${next}${output && ` It says: ${output}`}\n`,
    );
  };
}

export interface HookRun {
  readonly at: Date;
  /** The system and the user or project, which runs are in order for. */
  readonly queue: string;
  readonly type: string;
  readonly event: string;
  readonly tries: number;
  readonly ms: number;
  /** Why it was no success, if it was not. */
  readonly reason?: string;
  readonly output: string;
  /** What becomes of it. */
  readonly state: DeliveryUpdate['state'];
  readonly nextTry?: Date | undefined;
}

interface HookOptions {
  readonly folder: HookFolder;
  readonly log: (run: HookRun) => void;
  readonly clock?: () => Date;
  readonly random?: () => number;
}

/** How many hooks run at once. Most of them ask one database. */
const width = 4;
const pageSize = 100;

/** The lease of a claimed run: longer than a hook may take. */
const leaseMs = 90_000;

/** Runs what is due: queues in parallel, and the runs of each in their order. */
export async function runDueHooks(table: Table, options: HookOptions): Promise<void> {
  const clock = options.clock ?? (() => new Date());
  const shards = listShards('HOOKS');
  for await (const page of walkDue(table, shards, clock(), pageSize)) {
    const queues = [...new Set(page.map(({ PK }) => PK))];
    await mapInParallel(queues, width, (queue) => runQueue(table, queue, { ...options, clock }));
  }
}

/** Runs the first of a queue until one has to be tried again. The others wait for that one. */
async function runQueue(
  table: Table,
  queue: string,
  options: HookOptions & { readonly clock: () => Date },
): Promise<void> {
  const waiting = await readWaiting(table, queue);
  for (const [place, delivery] of waiting.entries()) {
    if (awaitShutdown().aborted) return;
    const due = dueKeyOf(delivery);
    const now = options.clock();
    const isDue = delivery.nextTry !== undefined && delivery.nextTry <= now;
    const claimed = isDue && (await claimDelivery(table, due, new Date(now.getTime() + leaseMs)));
    const nextTry = claimed ? await tryHook(table, claimed, options) : delivery.nextTry;
    if (nextTry === undefined) continue;
    const behind = waiting.slice(place + 1).map(dueKeyOf);
    await Promise.all(behind.map((each) => moveDue(table, each, nextTry)));
    return;
  }
}

/** Makes one try. Returns when the next one is due, or undefined if it is over. */
async function tryHook(
  table: Table,
  claimed: ClaimedDelivery,
  { folder, log, clock = () => new Date(), random = Math.random }: HookOptions,
): Promise<Date | undefined> {
  const { delivery } = claimed;
  const at = clock();
  const result = await attempt(table, claimed, folder);
  // The run comes back when its lease expires.
  if (result.abandoned) return new Date(claimed.dueAt);
  const { reason, output } = result;
  const ms = clock().getTime() - at.getTime();
  const told = { at, ms, ...(reason !== undefined && { reason }) };
  const update = judgeTry(delivery, reason === undefined ? { status: 200 } : {}, clock(), random);
  await saveTry(table, claimed, told, update);
  const { webhookId: queue, eventType: type, eventId: event, tryCount: tries } = delivery;
  log({ ...told, queue, type, event, tries, output, ...update });
  return update.nextTry;
}

async function attempt(
  table: Table,
  { delivery }: ClaimedDelivery,
  folder: HookFolder,
): Promise<HookResult> {
  try {
    const event = parseStoredEvent(delivery.body);
    const program = folder.find(event.type);
    // Without the program there is nothing to do any more.
    if (program === undefined) return { output: 'the hook was removed' };
    const input = `${await describeForHook(table, event)}\n`;
    return await runHook({ program, type: event.type, input });
  } catch (error) {
    return { reason: error instanceof Error ? error.message : String(error), output: '' };
  }
}
