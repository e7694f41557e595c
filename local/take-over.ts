import { setTimeout as wait } from 'node:timers/promises';
import { isInUse } from './dynamodb/store/open-database.ts';

/** Longer than a process takes to answer its last requests. */
const patienceMs = 60_000;
const pauseMs = 50;

/**
 * Opens data that the process before this one may not have left yet, if it has handed its socket
 * over. Otherwise somebody else uses the data, and waiting would not help.
 */
export async function takeOver<Opened>(
  { keptSocket }: { readonly keptSocket?: number | undefined },
  open: () => Promise<Opened>,
): Promise<Opened> {
  const giveUpAt = performance.now() + patienceMs;
  for (let tries = 0; ; tries += 1) {
    try {
      return await open();
    } catch (error) {
      const mayWait = keptSocket !== undefined && performance.now() < giveUpAt;
      if (!mayWait || !isInUse(error)) throw error;
      if (tries === 0) process.stdout.write('Waiting for the service that still uses the data.\n');
      await wait(pauseMs);
    }
  }
}
