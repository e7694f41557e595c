import type { Job } from '../job.ts';

/** A job's way through its HPC system, internal to Slipway but for the timeline. */
export interface JobLife {
  /** The account as which it runs on its system, where that is not the service's. */
  readonly login: string | undefined;
  /** The system's own name for the job, once it has been handed over. */
  readonly handle: string | undefined;
  /** When somebody must see to it again, or until when nobody else does; not of one that is over. */
  readonly dueAt: Date | undefined;
  /** How often it was taken up: from the second time on, the system may have it already. */
  readonly takeUps: number;
  /** When the hand-over began that has not ended: it is under way, or was cut off. */
  readonly tryingSince: Date | undefined;
  /** How many hand-overs in a row were cut off, but for the one that has not ended. */
  readonly cutOffs: number;
  /** When it was first seen running. */
  readonly runningSince: Date | undefined;
  /** Whole seconds that it ran, by the clock, of one that has ended; nothing where it never did. */
  readonly ranSeconds: number | undefined;
  /** Since when the system says that it does not know the job. */
  readonly unknownSince: Date | undefined;
  /** What the job itself says of its command, where it had to wait for this service. */
  readonly commandTimes: CommandTimes | undefined;
  /** Whether its system can say after a cancel how long it ran; known once a hand-over has begun. */
  readonly systemCounts: boolean;
  /** Cancelled here, and not yet there. */
  readonly cancelPending: boolean;
  /** The last thing that the system said about it, or that kept it from saying anything. */
  readonly reason: string | undefined;
  /** Each stage with the moment in which it was entered, as far as anybody looked. */
  readonly stages: readonly StageMoment[];
  /** Also those that were in vain; of many, the last ones. */
  readonly handOvers: readonly HandOver[];
}

/** Told by the job, so it may be made up. */
export interface CommandTimes {
  /** From the beginning of the job until its command ran. */
  readonly secondsBefore: number;
  readonly endedAt: Date;
}

export interface StageMoment {
  readonly stage: string;
  readonly at: Date;
}

export interface HandOver {
  readonly at: Date;
  /** Why it was in vain; nothing where the system took the job. */
  readonly reason?: string;
}

/** An item is charged by its size at every look: a job that waits for days must not grow for days. */
const handOversKept = 20;
const longestReason = 300;

export function beginLife(job: Job, login?: string): JobLife {
  return {
    login,
    handle: undefined,
    dueAt: job.terminal ? undefined : job.submittedAt,
    takeUps: 0,
    tryingSince: undefined,
    cutOffs: 0,
    runningSince: undefined,
    ranSeconds: undefined,
    unknownSince: undefined,
    commandTimes: undefined,
    systemCounts: false,
    cancelPending: false,
    reason: undefined,
    stages: [{ stage: job.stage, at: job.endedAt ?? job.submittedAt }],
    handOvers: [],
  };
}

/**
 * Does not enter a stage twice when a look is repeated after a kill, and none before the one that
 * it follows: the clock may have been set back.
 */
export function enterStage(life: JobLife, stage: string, at: Date): readonly StageMoment[] {
  const last = life.stages.at(-1);
  if (last?.stage === stage) return life.stages;
  return [...life.stages, { stage, at: laterOf(at, last?.at ?? at) }];
}

export function laterOf(one: Date, other: Date): Date {
  return one < other ? other : one;
}

/** Why a hand-over was in vain of which nothing more was heard. */
export const cutOff = 'It was cut off before it ended, and what became of it is not known.';

export function addHandOver(life: JobLife, at: Date, reason?: string): readonly HandOver[] {
  const made: HandOver = reason === undefined ? { at } : { at, reason: shorten(reason) };
  return [...life.handOvers, made].slice(-handOversKept);
}

export function shorten(reason: string): string {
  return reason.length > longestReason ? `${reason.slice(0, longestReason - 1)}…` : reason;
}
