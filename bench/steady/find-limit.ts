import { setTimeout as sleep } from 'node:timers/promises';
import { percentile } from '../measure/figures.ts';
import type { Answer, Load } from './load.ts';

/** What came of a few seconds at one rate. */
export interface Step {
  readonly perSecond: number;
  readonly p99: number;
  readonly failures: number;
  /** Seconds from the last answer until the last job had ended and its webhook was called. */
  readonly drain: number;
}

const warmUpSeconds = 20;
const stepSeconds = 8;
/** Proves the limit for longer, in parts, so that a rate that is too high is given up soon. */
const proof = { parts: 6, seconds: 20 };
const firstRate = 4;
const lowestRate = 1;
/** At this rate the machine of the load is the limit. */
const highestRate = 512;
/** A wait that people notice. */
const longestP99 = 500;
/** Beyond the time that a single job takes from its 201 to its webhook. */
const longestExtraDrain = 2;
/** A backlog that takes longer shows a rate far beyond the limit, and the next step can't wait. */
const drainPatience = 120;

/**
 * Finds the most rounds a second at which no request fails, answers are fast, and jobs end as fast as
 * they come: doubles the rate until that is over, narrows it down, and proves the best for longer.
 */
export async function findLimit(load: Load, tell: (step: Step) => void): Promise<number> {
  // A service that has just been started is slow once, and its users wait for that once.
  await tryRate(load, firstRate, warmUpSeconds);
  let shortest = Number.POSITIVE_INFINITY;
  const holdsFor = async (seconds: number, perSecond: number): Promise<boolean> => {
    const step = await tryRate(load, perSecond, seconds);
    tell(step);
    shortest = Math.min(shortest, step.drain);
    return isHeld(step, shortest);
  };
  // Once more, because a host that stops the machine for a second would end the search at any rate.
  const holds = async (perSecond: number): Promise<boolean> =>
    (await holdsFor(stepSeconds, perSecond)) || (await holdsFor(stepSeconds, perSecond));
  let [best, tooMuch] = [firstRate, firstRate * 2];
  while (tooMuch <= highestRate && (await holds(tooMuch))) [best, tooMuch] = [tooMuch, tooMuch * 2];
  for (let halving = 0; halving < 3; halving += 1) {
    const middle = (best + tooMuch) / 2;
    if (await holds(middle)) best = middle;
    else tooMuch = middle;
  }
  const isProven = async (perSecond: number): Promise<boolean> => {
    for (let part = 0; part < proof.parts; part += 1) {
      if (!(await holdsFor(proof.seconds, perSecond))) return false;
    }
    return true;
  };
  while (!(await isProven(best))) {
    best *= 0.85;
    if (best < lowestRate)
      throw new Error('This machine is too busy: not even a low rate is held.');
  }
  return best;
}

export function isHeld({ p99, failures, drain }: Step, shortestDrain: number): boolean {
  return failures === 0 && p99 <= longestP99 && drain <= shortestDrain + longestExtraDrain;
}

async function tryRate(load: Load, perSecond: number, seconds: number): Promise<Step> {
  const answers: Answer[] = [];
  await load.play({ perSecond, seconds }, (answer) => void answers.push(answer));
  await load.sendAgain();
  const drain = await awaitEnds(load, drainPatience);
  return {
    perSecond,
    p99: percentile(
      answers.map(({ ms }) => ms),
      0.99,
    ),
    failures: answers.filter(({ failure }) => failure !== undefined).length,
    drain,
  };
}

/** Waits until the end of every job has arrived. Returns the seconds that it took. */
export async function awaitEnds(load: Load, patienceSeconds: number): Promise<number> {
  const began = performance.now();
  const seconds = () => (performance.now() - began) / 1000;
  while (load.underWay() > 0 && seconds() < patienceSeconds) await sleep(50);
  return seconds();
}
