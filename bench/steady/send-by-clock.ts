import { setTimeout as sleep } from 'node:timers/promises';

export interface Pace {
  readonly perSecond: number;
  readonly seconds: number;
}

/**
 * Sends at planned moments, evenly spaced, whether or not earlier requests are answered. A slow
 * service gets the same load as a fast one. Resolves when everything is answered.
 */
export async function sendByClock(
  { perSecond, seconds }: Pace,
  send: (turn: number, plannedAt: number) => Promise<void>,
): Promise<void> {
  const began = performance.now();
  const underWay = new Set<Promise<void>>();
  for (let turn = 0; turn < perSecond * seconds; turn += 1) {
    const plannedAt = began + (turn * 1000) / perSecond;
    const left = plannedAt - performance.now();
    if (left > 0) await sleep(left);
    const sent = send(turn, plannedAt).finally(() => underWay.delete(sent));
    underWay.add(sent);
  }
  await Promise.all(underWay);
}
