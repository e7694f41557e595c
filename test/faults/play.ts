import type { Clock } from './clock.ts';
import type { Deployment } from './deployment.ts';
import { createRandom, type Fault } from './fault.ts';
import { expectIntact, listStuck, readContents } from './judge.ts';
import { Load } from './load.ts';

/** What came of a scene. */
export interface Outcome {
  readonly fault: string;
  /** Calls that met the fault, except for those of a clock. */
  readonly met: number;
  readonly tried: number;
  readonly refused: number;
  readonly jobs: number;
  /** Rounds of the schedules until nothing was stuck, and the seconds of the clock until then. */
  readonly rounds: number;
  readonly seconds: number;
  /** Events that went to the dead-letter queue, which an operator sends again. */
  readonly deadLetters: number;
}

/** Schedules call every minute. */
const roundSeconds = 60;

/** Rounds within which everything goes on, once leases and pauses that outlast a fault have ended. */
const roundsToRecover = 2;

/** Time for jobs that run one after the other. */
const roundsToEnd = 60;

/**
 * Plays one scene: a load, in the middle of which a fault is switched on for some minutes. Clients
 * send again what was refused. Then everything must go on by itself, end, and add up.
 */
export async function play(
  deployment: Deployment,
  clock: Clock,
  fault: Fault,
  { seed, firstUser }: { readonly seed: number; readonly firstUser: number },
): Promise<Outcome> {
  const users = Array.from({ length: 4 }, (_, place) => String(firstUser + place));
  const load = new Load(deployment, createRandom(seed), users);
  const act = async (requests: number) => {
    // Requests, schedules and listeners meet, as in a deployment.
    await Promise.all([load.send(requests), deployment.round()]);
    await Promise.all([deployment.tell(), deployment.round()]);
    clock.pass(roundSeconds);
  };
  await act(12);
  await act(6);
  deployment.begin(fault);
  fault.begin?.(clock);
  let met = 0;
  try {
    for (const requests of [12, 8, 6]) {
      await act(requests);
      await load.sendAgain();
    }
  } finally {
    fault.end?.(clock);
    if (!fault.lasts) met = deployment.end();
  }
  await load.sendAgain();
  await load.send(4);
  const { rounds, seconds } = await recover(deployment, clock, load, fault);
  const contents = await runToEnd(deployment, clock);
  if (fault.lasts) met = deployment.end();
  const deadLetters = await deployment.redrive();
  await expectIntact(deployment, load, contents, fault);
  const { tried, refused } = load;
  return {
    fault: fault.name,
    met,
    tried,
    refused,
    jobs: contents.jobs.length,
    rounds,
    seconds,
    deadLetters,
  };
}

async function recover(deployment: Deployment, clock: Clock, load: Load, fault: Fault) {
  const most = roundsToRecover + Math.ceil((fault.leavesSeconds ?? 0) / roundSeconds);
  const began = performance.now();
  for (let rounds = 1; ; rounds += 1) {
    const waiting = await load.sendAgain();
    await deployment.round();
    const stuck = listStuck(await readContents(deployment.table), new Date());
    const seconds = Math.round((performance.now() - began) / 1000);
    if (stuck.length === 0 && waiting === 0) return { rounds, seconds };
    if (rounds === most) {
      throw new Error(
        `After ${rounds} rounds ${waiting} requests are refused, and stuck are\n${stuck.join('\n')}`,
      );
    }
    clock.pass(roundSeconds);
  }
}

async function runToEnd(deployment: Deployment, clock: Clock) {
  for (let round = 0; ; round += 1) {
    const contents = await readContents(deployment.table);
    const active = contents.jobs.filter(({ terminal }) => !terminal);
    if (active.length === 0) return contents;
    if (round === roundsToEnd) {
      const left = active.map(({ jobId, stage }) => `${jobId} ${stage}`);
      throw new Error(`After ${round} rounds these have not ended: ${left.join(', ')}`);
    }
    clock.pass(roundSeconds);
    await deployment.round();
  }
}
