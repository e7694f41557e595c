import { setTimeout as wait } from 'node:timers/promises';

/** Asks until there is an answer; fails, by name, when there is none in time. */
export async function pollUntil<T>(
  what: string,
  seconds: number,
  ask: () => Promise<T | undefined>,
): Promise<T> {
  const deadline = Date.now() + seconds * 1000;
  for (;;) {
    const answer = await ask();
    if (answer !== undefined) return answer;
    if (Date.now() > deadline) throw new Error(`Not within ${seconds} s: ${what}.`);
    await wait(50);
  }
}
