import { setTimeout as sleep } from 'node:timers/promises';

export interface Delivery {
  /** Who is delivered to. */
  readonly name: string;
  readonly count: number;
  deliver(): Promise<unknown>;
  readonly firstPauseMs?: number;
  /** From then on nothing is waited for between two attempts. */
  readonly hurry: AbortSignal;
}

const attempts = 5;

/** What fails again and again is given up, with a line; on AWS it would be kept for somebody to look at. */
export async function deliverOrGiveUp(delivery: Delivery): Promise<void> {
  const { firstPauseMs = 100, hurry } = delivery;
  for (let attempt = 1; ; attempt += 1) {
    try {
      await delivery.deliver();
      return;
    } catch (error) {
      if (attempt === attempts) {
        process.stderr.write(describeLoss(delivery, error));
        return;
      }
      const pause = firstPauseMs * 2 ** (attempt - 1);
      await sleep(pause, undefined, { signal: hurry }).catch(() => undefined);
    }
  }
}

function describeLoss({ name, count }: Delivery, error: unknown): string {
  const reason = error instanceof Error ? error.message : String(error);
  return `${name} failed ${attempts} times. ${count} of its events were dropped: ${reason}\n`;
}
