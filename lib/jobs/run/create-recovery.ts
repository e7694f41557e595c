import { mapInParallel } from '#lib/concurrency/map-in-parallel.ts';
import { type DueKey, findTooFarAhead, moveDue } from '#lib/table/due-index.ts';
import { jobLifeKey } from '#lib/table/keys.ts';
import { addSeconds } from '#lib/time/add-seconds.ts';
import { accountOf } from '../job.ts';
import type { JobLife } from '../life/job-life.ts';
import { longestLeaseSeconds } from './hand-over/hand-over-job.ts';
import { leaseSeconds, type NoteFailure, readLives } from './sweep/claim-jobs.ts';
import { chooseCheckShards, chooseHandOverShards, pageSize } from './sweep/due-jobs.ts';
import type { Run, Sweep } from './sweep/sweep.ts';

/** Tolerated difference between the clocks of two machines. */
const slackSeconds = 60;

/** Pause between two recoveries in a process. On a laptop, sweeps run twice a second. */
const everyMs = 30_000;

const parallelWrites = 25;

/**
 * Brings back jobs whose due time is too far ahead, because the clock was set back after it was
 * written. Pauses between recoveries are measured by a monotonic clock.
 */
export function createRecovery(elapsedMs = () => performance.now()): Required<Sweep>['recover'] {
  const lookedAt = new Map<string, number>();
  return async (sweep, run, noteFailure) => {
    const name = `${sweep.system.name} ${run.number}`;
    const last = lookedAt.get(name);
    if (last !== undefined && elapsedMs() - last < everyMs) return;
    lookedAt.set(name, elapsedMs());
    await bringBackChecks(sweep, run);
    await bringBackHandOvers(sweep, run, noteFailure);
  };
}

/** A check is never put off for longer than a lease, and an extra check does no harm. */
async function bringBackChecks(sweep: Sweep, run: Run): Promise<void> {
  const { table, system, connector, now } = sweep;
  const latest = addSeconds(now(), leaseSeconds(connector) + slackSeconds);
  const ahead = await findTooFarAhead(table, chooseCheckShards(system, run), latest, pageSize);
  await mapInParallel(ahead, parallelWrites, (key) => moveDue(table, key, now()));
}

/**
 * A system may ask us to back off for a day. So a due time counts as wrong only if the job's own
 * record is from the future, too.
 */
async function bringBackHandOvers(sweep: Sweep, run: Run, noteFailure: NoteFailure) {
  const { table, system, now } = sweep;
  const latest = addSeconds(now(), longestLeaseSeconds + slackSeconds);
  const ahead = await findTooFarAhead(table, chooseHandOverShards(system, run), latest, pageSize);
  const lives = await readLives(table, ahead, noteFailure);
  await mapInParallel(lives, parallelWrites, async ({ job, life }) => {
    if (life.dueAt === undefined || lastMomentOf(life) <= now()) return;
    const key: DueKey = {
      ...jobLifeKey(accountOf(job), job.jobId),
      dueAt: life.dueAt.toISOString(),
    };
    await moveDue(table, key, nextTurnOf(life, now()));
  });
}

/** Waits if a hand-over may still be under way, because a second one would create a second job. */
function nextTurnOf({ tryingSince }: JobLife, now: Date): Date {
  return tryingSince ? addSeconds(now, longestLeaseSeconds) : now;
}

function lastMomentOf({ stages, handOvers, tryingSince }: JobLife): Date {
  const moments = [...stages, ...handOvers].map(({ at }) => at.getTime());
  return new Date(Math.max(...moments, tryingSince?.getTime() ?? 0));
}
