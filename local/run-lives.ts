import { setTimeout as sleep } from 'node:timers/promises';
import { catalog } from '#lib/catalog/catalog.ts';
import { releaseCutOff } from '#lib/jobs/run/hand-over/waiting-jobs.ts';
import { createPresence } from '#lib/presence/presence.ts';
import { shareTable } from '#lib/table/share-table.ts';
import { openTable } from '#lib/table/table.ts';
import { type EventFlowOptions, startEventFlow } from './event-flow.ts';
import { type LoadedSchedule, loadSchedules } from './load-handlers.ts';
import { tableName } from './settings.ts';
import { makeCallContext } from './stream/call-listeners.ts';
import type { FollowedStream } from './stream/follow-stream.ts';

/** How often the laptop edition records that it is running. */
const presenceSeconds = 10;

export interface Lives {
  /** Called after the shutdown was announced. Starts nothing new, and ends within a few seconds. */
  close(): Promise<void>;
}

/**
 * All that happens to jobs after their submission: what the table's stream, the bus and the clock
 * call on AWS. Without a stream the clock alone runs the jobs.
 */
export async function runLives(
  stream: FollowedStream | undefined,
  options: EventFlowOptions = {},
): Promise<Lives> {
  if (stream) await releaseLeases();
  const events = stream && (await startEventFlow(stream, options));
  // Each by a clock of its own: a receiver that is silent must not keep jobs waiting.
  const clocks = [notePresence(), ...(await loadSchedules())].map(keepAdvancing);
  return {
    async close() {
      await Promise.all(clocks.map((clock) => clock.stop()));
      await events?.close();
    },
  };
}

/**
 * What a schedule that only measures does on AWS beside its work. By a clock of its own, so that an
 * HPC system that is silent does not look like an absence of this service.
 */
function notePresence(): Pick<LoadedSchedule, 'call'> {
  const note = createPresence(shareTable(tableName), presenceSeconds);
  return { call: () => note(new Date()) };
}

/** Releases all leases. Only one process has the embedded table, so their holders are gone. */
async function releaseLeases(): Promise<void> {
  const table = openTable(tableName);
  for (const { name } of catalog.systems) await releaseCutOff(table, name, new Date());
  table.client.destroy();
}

/** Time between two sweeps, short compared to a minute of a simulated job. */
const pauseMs = 500;

/** Time for a running sweep when the service ends, because a system may be silent. */
const farewellMs = 600;

/** Calls a function repeatedly while the service runs, as a schedule does on AWS. */
function keepAdvancing({ call }: Pick<LoadedSchedule, 'call'>): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const context = makeCallContext(() => stopping.signal.aborted);
  const running = (async () => {
    while (!stopping.signal.aborted) {
      await call(context).catch((error: unknown) => {
        if (stopping.signal.aborted) return;
        process.stderr.write(`A sweep failed: ${error instanceof Error ? error.message : error}\n`);
      });
      await sleep(pauseMs, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  })();
  return {
    async stop() {
      stopping.abort();
      await Promise.race([running, sleep(farewellMs)]);
    },
  };
}
