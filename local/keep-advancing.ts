import { setTimeout as sleep } from 'node:timers/promises';
import { makeCallContext } from './calls/call-context.ts';
import type { LoadedSchedule } from './load-handlers.ts';

/** Time between two sweeps: short against a minute of a simulated job. */
const pauseMs = 500;

/** What a sweep has begun when the service ends may take so long: a system may be silent. */
const farewellMs = 600;

/** The clock of the laptop edition: what a schedule does on AWS, as long as the service runs. */
export function keepAdvancing({ call }: Pick<LoadedSchedule, 'call'>): { stop(): Promise<void> } {
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
