import { setTimeout as sleep } from 'node:timers/promises';
import { catalog } from '#lib/catalog/catalog.ts';
import { traitsOf } from '#lib/catalog/kinds/kind-traits.ts';
import { releaseChecks, releaseCutOff } from '#lib/jobs/run/hand-over/waiting-jobs.ts';
import { createPresence } from '#lib/presence/presence.ts';
import { createRewriter } from '#lib/table/rewrite-items.ts';
import { shareTable } from '#lib/table/share-table.ts';
import { openTable } from '#lib/table/table.ts';
import { countScheduleRun } from '#lib/telemetry/measurements.ts';
import { beginRun } from '#lib/time/time-left.ts';
import { type EventFlowOptions, startEventFlow } from './event-flow.ts';
import { type HookSettings, openHooks } from './hooks/open-hooks.ts';
import { type LoadedSchedule, loadSchedules } from './load-handlers.ts';
import { tableName } from './names.ts';
import { makeCallContext } from './stream/call-listeners.ts';
import type { FollowedStream } from './stream/follow-stream.ts';

/** How often the laptop edition records that it is running. */
const presenceSeconds = 10;

export interface Lives {
  /** Call after announcing the shutdown. Starts nothing new, and ends within a few seconds. */
  close(): Promise<void>;
}

/**
 * Runs everything that happens to jobs after submission, which the stream, the bus and schedules
 * call on AWS. Without a stream, only the schedules advance jobs.
 */
export async function runLives(
  stream: FollowedStream | undefined,
  { onEvents, ...settings }: Pick<EventFlowOptions, 'onEvents'> & HookSettings,
): Promise<Lives> {
  if (stream) await releaseLeases();
  const hooks = openHooks(shareTable(tableName), settings);
  const listener = hooks?.listener;
  const events = stream && (await startEventFlow(stream, { onEvents, listener }));
  // Each function has its own loop, so that a slow webhook receiver does not delay jobs.
  const schedules = [...(await loadSchedules()), ...(hooks ? [hooks] : [])];
  const clocks = [notePresence(), rewriteItems(), ...schedules].map(keepAdvancing);
  return {
    async close() {
      await Promise.all(clocks.map((clock) => clock.stop()));
      await events?.close();
    },
  };
}

/**
 * Records that the service is running; on AWS the schedule measure-queue does that. It has its own
 * loop, so that a slow HPC system does not look like an outage of this service.
 */
function notePresence(): Clocked {
  const note = createPresence(shareTable(tableName), presenceSeconds);
  return { name: 'note-presence', call: () => note(new Date()) };
}

/** Brings items up that a step of the data changes; on AWS measure-queue does that, too. */
function rewriteItems(): Clocked {
  const rewrite = createRewriter(shareTable(tableName));
  return {
    name: 'rewrite-items',
    call: (context) => rewrite(beginRun(() => context.getRemainingTimeInMillis())),
  };
}

interface Clocked extends Pick<LoadedSchedule, 'call'> {
  readonly name: string;
}

/** Releases all leases. Only one process has the embedded table, so their holders are gone. */
async function releaseLeases(): Promise<void> {
  const table = openTable(tableName);
  for (const system of catalog.systems) {
    await releaseCutOff(table, system.name, new Date());
    if (traitsOf(system).checkedAtStart) await releaseChecks(table, system.name, new Date());
  }
  table.client.destroy();
}

/** Pause between two calls, short compared to a minute of a simulated job. */
const pauseMs = 500;

/** Grace period for a running call at shutdown, because an HPC system may not respond. */
const callGraceMs = 600;

/** Calls a function repeatedly while the service runs, as a schedule does on AWS. */
function keepAdvancing({ name, call }: Clocked): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const context = makeCallContext(() => stopping.signal.aborted);
  const running = (async () => {
    while (!stopping.signal.aborted) {
      const run = call(context).then(() => countScheduleRun(name, 'succeeded'));
      await run.catch((error: unknown) => {
        if (stopping.signal.aborted) return;
        countScheduleRun(name, 'failed');
        process.stderr.write(`A sweep failed: ${error instanceof Error ? error.message : error}\n`);
      });
      await sleep(pauseMs, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  })();
  return {
    async stop() {
      stopping.abort();
      await Promise.race([running, sleep(callGraceMs)]);
    },
  };
}
