import { stageOfFailure } from '#lib/catalog/hpc-system.ts';
import { sendsResults } from '#lib/catalog/sends-results.ts';
import { mapInParallel } from '#lib/concurrency/map-in-parallel.ts';
import { splitIntoBatches } from '#lib/concurrency/split-into-batches.ts';
import { type Connector, isSystemFault, type Observation } from '#lib/hpc/connector.ts';
import { readAbsences } from '#lib/presence/presence.ts';
import { countStageChange } from '#lib/telemetry/metrics.ts';
import { addSeconds } from '#lib/time/add-seconds.ts';
import { readRequest } from '../../job-request.ts';
import { endJob, type JobEnd } from '../../life/end-job.ts';
import { enterStage, type JobLife, shorten, tagJob } from '../../life/job-life.ts';
import { type LifeChange, requestRemoval, saveLife } from '../../life/job-life-store.ts';
import { countRuns, noteRuns } from '../../life/runs.ts';
import { saveStage } from '../../life/save-stage.ts';
import { leaseSeconds, type NoteFailure } from '../sweep/claim-jobs.ts';
import type { ActiveJob, Sweep } from '../sweep/sweep.ts';
import { countExcusedSeconds, mayHaveWaited } from './excuse-waiting.ts';
import { judgeTimes } from './judge-times.ts';
import { measureFolders } from './measure-folders.ts';

/** Fails a job that its system has not known for this long. */
const unknownSecondsToFail = 3600;

/**
 * Fails it only after its system has said so this often. A clock that is set ahead, or a laptop that
 * sleeps, makes an hour out of two checks. Sweeps check every minute, so this delays no other end.
 */
const unknownChecksToFail = 10;

/** Writes in parallel. One by one, the news of a large batch would take minutes. */
const parallelWrites = 25;

export interface HandedJob extends ActiveJob {
  readonly handle: string;
}

/**
 * Checks jobs that were handed over, in batches that the system can answer. A failure with one job
 * does not hold up the others.
 */
export async function followJobs(
  sweep: Sweep,
  handed: readonly HandedJob[],
  noteFailure: NoteFailure,
): Promise<void> {
  for (const batch of splitIntoBatches(handed, sweep.connector.batchSize)) {
    const observations = await lookUp(sweep, batch, noteFailure);
    await mapInParallel(batch, parallelWrites, (one) =>
      applyObservation(sweep, one, observations.get(one.job.jobId)).catch(noteFailure),
    );
    const ended = batch.filter(({ job }) => observations.get(job.jobId)?.state === 'ended');
    await measureFolders(sweep, ended).catch(noteFailure);
  }
}

type Observations = ReadonlyMap<string, Observation>;

/** Limits the calls for parts of a batch. Finding one job among 500 takes 18 calls. */
const mostParts = 20;

/**
 * Returns no observations if the system is down, so its jobs stay as they are. Any other error is a
 * bug of ours, usually with one job's answer. The batch is then halved until that job is alone, so
 * that the others are still checked.
 */
export async function lookUp(
  { connector, now }: Sweep,
  batch: readonly HandedJob[],
  noteFailure: NoteFailure,
): Promise<Observations> {
  let parts = 0;
  const ask = async (some: readonly HandedJob[]): Promise<Observations> => {
    try {
      return await connector.lookUp(
        some.map(({ job, life, handle }) => ({
          ...tagJob(job, life),
          handle,
          knownRuns: life.runs?.length ?? 0,
        })),
      );
    } catch (error) {
      if (isSystemFault(error)) return new Map();
      parts += 2;
      if (some.length === 1 || parts > mostParts) {
        noteFailure(error);
        return new Map();
      }
      const middle = Math.ceil(some.length / 2);
      const first = await ask(some.slice(0, middle));
      return new Map([...first, ...(await ask(some.slice(middle)))]);
    }
  };
  const observations = await ask(batch);
  return new Map(
    batch.flatMap(({ job, life }): [string, Observation][] => {
      const observation = observations.get(job.jobId);
      return observation ? [[job.jobId, judgeTimes(observation, life, now())]] : [];
    }),
  );
}

async function applyObservation(
  sweep: Sweep,
  taken: ActiveJob,
  observation: Observation | undefined,
): Promise<void> {
  switch (observation?.state) {
    case 'ended':
      return applyEnd(sweep, taken, observation);
    case 'unknown':
      return applyUnknown(sweep, taken);
    default:
      return applyActive(sweep, taken, observation);
  }
}

/**
 * Writes only news. Without news, the job is due again when its lease expires. The life is written
 * before the job: if the process dies in between, the next check finds the same news again.
 */
async function applyActive(
  { table, system, connector, now }: Sweep,
  { job, life }: ActiveJob,
  observation: Extract<Observation, { state: 'living' }> | undefined,
): Promise<void> {
  const stage = observation?.stage ?? job.stage;
  // A reason goes with what it explained, so an answer without a reason clears the last one.
  const before = life.reason ?? '';
  const reason = observation ? shorten(observation.reason ?? '') : before;
  const changed = stage !== job.stage;
  const startsRunning = stage === system.stages.running && life.runningSince === undefined;
  const known = observation !== undefined && life.unknownSince !== undefined;
  const runs = detectRuns(life, observation);
  const isNews = changed || startsRunning || known || reason !== before || runs !== undefined;
  const seen = now();
  const pause = pauseBeforeCheck(connector, seen, observation?.steadyUntil);
  if (!isNews && leaseSuits(connector, pause)) return;
  await saveLife(table, job, {
    dueAt: addSeconds(seen, pause),
    known,
    ...(reason !== before && { reason }),
    ...(changed && { stages: enterStage(life, stage, seen) }),
    ...(startsRunning && { runningSince: seen }),
    ...runs,
  });
  if (!changed) return;
  const isSaved = await saveStage(table, job, stage, stage === system.stages.running);
  if (isSaved) countStageChange(system.name, stage);
}

/** Returns what an active job's life must note about its runs, or undefined without news. */
function detectRuns(
  life: JobLife,
  observation: Extract<Observation, { state: 'living' }> | undefined,
): Pick<LifeChange, 'run' | 'runs'> | undefined {
  const runs = noteRuns(life, observation?.earlierRuns);
  const run = Math.max(life.run, observation?.run ?? 1);
  if (runs === undefined && run === life.run) return undefined;
  return { run, ...(runs && { runs }) };
}

/**
 * Returns the seconds until the next check. That is when the system expects a change, but at most a
 * lease, because a person may change the system meanwhile.
 */
function pauseBeforeCheck(connector: Connector, now: Date, steadyUntil = now): number {
  const { pollFloorSeconds } = connector;
  const steady = (steadyUntil.getTime() - now.getTime()) / 1000;
  return Math.min(leaseSeconds(connector), Math.max(pollFloorSeconds, steady));
}

/** True if the next check can wait until the lease expires, at most twice the wanted pause. */
function leaseSuits(connector: Connector, pauseSeconds: number): boolean {
  return pauseSeconds * 2 >= leaseSeconds(connector);
}

async function applyUnknown(sweep: Sweep, taken: ActiveJob): Promise<void> {
  const { table, system, connector, now } = sweep;
  const { job, life } = taken;
  const asked = now();
  const unknownSince = life.unknownSince ?? asked;
  const unknownChecks = life.unknownChecks + 1;
  const isLong = asked.getTime() - unknownSince.getTime() >= unknownSecondsToFail * 1000;
  if (!isLong || unknownChecks < unknownChecksToFail) {
    const dueAt = addSeconds(asked, connector.pollFloorSeconds);
    return saveLife(table, job, { dueAt, unknownSince, unknownChecks });
  }
  return finish(sweep, taken, {
    stage: stageOfFailure(system.stages),
    failed: true,
    endedAt: asked,
    reason: 'The HPC system no longer knows this job.',
  });
}

async function applyEnd(sweep: Sweep, taken: ActiveJob, observation: Ended): Promise<void> {
  const { endedAt = sweep.now() } = observation;
  return finish(sweep, taken, { ...observation, endedAt });
}

type Ended = Extract<Observation, { state: 'ended' }>;
type Ending = Omit<Ended, 'state' | 'endedAt'> & { readonly endedAt: Date };

/**
 * Counts the time to charge: for the last run the system's figure if it reports one, or else the
 * time since the job was first seen running, and for earlier runs what the system told. Time in
 * which the last run waited for this service, which was away, is not charged.
 */
export async function countTime(
  { table, system, now }: Pick<Sweep, 'table' | 'system' | 'now'>,
  life: JobLife,
  ending: Ending,
): Promise<CountedTime> {
  const { runningSince } = life;
  const { startedAt, endedAt, usedSeconds, patienceSeconds, isLost = false } = ending;
  const seenSeconds = runningSince ? (endedAt.getTime() - runningSince.getTime()) / 1000 : 0;
  const seconds = usedSeconds ?? seenSeconds;
  const number = ending.run ?? life.run;
  const commandTimes = life.commandTimes?.run === number ? life.commandTimes : undefined;
  const told = { startedAt, endedAt, seconds, commandTimes, patienceSeconds };
  const excusedSeconds =
    !isLost && mayHaveWaited(told)
      ? countExcusedSeconds(told, await readAbsences(table, now()))
      : 0;
  const earlier = (noteRuns(life, ending.earlierRuns) ?? life.runs ?? []).filter(
    (each) => each.number < number,
  );
  const last = { number, startedAt, endedAt, seconds, isLost, reason: ending.reason ?? '' };
  const { charged, lost } = countRuns([...earlier, last], system);
  return {
    ranSeconds: charged - excusedSeconds,
    excusedSeconds,
    lostSeconds: lost,
    byClock: usedSeconds === undefined,
    run: number,
    runs: earlier,
    ...(earlier.length > 0 && { lastRunSeconds: seconds }),
  };
}

type CountedTime = Pick<
  JobEnd,
  'ranSeconds' | 'excusedSeconds' | 'lostSeconds' | 'byClock' | 'run' | 'runs' | 'lastRunSeconds'
>;

async function finish(sweep: Sweep, { job, life }: ActiveJob, told: Ending): Promise<void> {
  const { table, now } = sweep;
  const ending = await judgeImageEnd(table, job, told);
  const { stage, failed, endedAt, measured } = ending;
  const time = await countTime(sweep, life, ending);
  const reason = tellWhatIsLeft(ending, life, time.run);
  const end = {
    stage,
    outcome: failed ? 'failed' : 'succeeded',
    endedAt,
    ...time,
    runningSince: life.runningSince,
    measured,
    ...(reason !== undefined && { reason }),
  } as const;
  const outcome = await endJob(table, job, end, now());
  if (outcome !== 'ended') return;
  countStageChange(job.project.hpc, stage);
  if (life.systemKeeps && hasArrived(sweep, end, life)) await requestRemoval(table, job, now());
}

/**
 * Charges nothing for a run that lacked its image, because the command never began. A command that
 * has no image and ends with the same code is charged.
 */
async function judgeImageEnd(
  table: Sweep['table'],
  job: ActiveJob['job'],
  ending: Ending,
): Promise<Ending> {
  const { lacksImage, patienceSeconds: _, ...rest } = ending;
  if (lacksImage === undefined) return ending;
  const image = (await readRequest(table, job))?.image;
  if (image === undefined) return ending;
  const reason = `The image ${image} could not be fetched, so the command did not begin. ${lacksImage}`;
  return { ...rest, usedSeconds: 0, reason: shorten(reason.trim()) };
}

/** Tells whether the results of a job are here, so that its system need not keep them. */
function hasArrived({ system }: Sweep, { outcome, run }: JobEnd, { sent = [] }: JobLife): boolean {
  return sendsResults(system) && (outcome !== 'failed' || sent.some((each) => each.run === run));
}

/** Tells where files of a run may be that did not send its results. */
function tellWhatIsLeft(
  { reason, leftIn }: Ending,
  { sent = [] }: JobLife,
  run: number | undefined,
): string | undefined {
  if (leftIn === undefined || sent.some((each) => each.run === run)) return reason;
  return `${reason ?? ''} What it wrote and did not send is in ${leftIn} on the system.`.trim();
}
