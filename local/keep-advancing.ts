import { setTimeout as sleep } from 'node:timers/promises';

/** Time between two sweeps: short against a minute of a simulated job. */
const pauseMs = 500;

/** The clock of the laptop edition: what a schedule does on AWS, as long as the service runs. */
export function keepAdvancing(advance: () => Promise<void>): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const running = (async () => {
    while (!stopping.signal.aborted) {
      await advance().catch((error: unknown) => {
        process.stderr.write(`A sweep failed: ${error instanceof Error ? error.message : error}\n`);
      });
      await sleep(pauseMs, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  })();
  return {
    async stop() {
      stopping.abort();
      await running;
    },
  };
}
