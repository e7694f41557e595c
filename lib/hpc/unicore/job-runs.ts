import { mostRuns } from '../script/script-terms.ts';

/** A run of a job as our script noted it. Moments are seconds since 1970, by the clock of its node. */
export interface NotedRun {
  readonly number: number;
  /** When it began, or began again under the same number. */
  readonly began: number;
  /** Seconds in which its command ran and was not suspended, in all parts of the run that ended. */
  readonly seconds: number;
  /** Missing if the run was ended before the script could note it. */
  readonly end?: RunEnd | undefined;
}

interface RunEnd {
  readonly at: number;
  readonly code: number;
  /** `time` if the script ended the command at its limit, `stopped` if it was told to end. */
  readonly how: string;
}

const lineForm =
  /^(?:began (\d{1,4}) (\d{1,11})|ended (\d{1,4}) (\d{1,11}) (\d{1,9}) (\d{1,3}) (\w+))$/;

/**
 * Reads the note that our script keeps in the job's directory. The file belongs to the job's owner,
 * so lines that the script cannot have written are skipped.
 */
export function parseNote(text: string): readonly NotedRun[] {
  const runs = new Map<number, NotedRun>();
  for (const line of text.split('\n')) {
    const [, beganRun, beganAt, endedRun, at, seconds, code, how = ''] = lineForm.exec(line) ?? [];
    if (beganRun !== undefined) {
      const number = Math.min(Number(beganRun), mostRuns);
      const { seconds: before = 0 } = runs.get(number) ?? {};
      runs.set(number, { number, began: Number(beganAt), seconds: before });
    }
    const run = runs.get(Number(endedRun));
    if (!run || run.end) continue;
    const end = { at: Number(at), code: Number(code), how };
    runs.set(run.number, { ...run, seconds: run.seconds + Number(seconds), end });
  }
  return [...runs.values()].toSorted((one, other) => one.number - other.number);
}

/** What Slurm says about a job behind UNICORE. */
export interface BatchRecord {
  /** Slurm's word, such as RUNNING or NODE_FAIL. */
  readonly state: string;
  /** Seconds of the last run in which it was not suspended. */
  readonly seconds: number | undefined;
  /** How often Slurm started the job again. */
  readonly restarts: number | undefined;
}

/**
 * Leaves out runs that Slurm knows nothing of. The owner of a job could note them to make the time
 * before them look lost.
 */
export function believeRuns(
  runs: readonly NotedRun[],
  batch: BatchRecord | undefined,
): readonly NotedRun[] {
  return batch?.restarts === undefined ? runs : runs.slice(-1 - batch.restarts);
}

/**
 * Reads the text of `scontrol show job`. Returns undefined for that of another batch system. The
 * times in it have no time zone, so only its figures are of use.
 */
export function parseDetails(text: string): BatchRecord | undefined {
  const [, state] = /(?:^|\s)JobState=([A-Z_]+)/.exec(text) ?? [];
  if (state === undefined) return undefined;
  const [, runTime = ''] = /(?:^|\s)RunTime=(\S+)/.exec(text) ?? [];
  const [, restarts] = /(?:^|\s)Restarts=(\d{1,4})(?:\s|$)/.exec(text) ?? [];
  return {
    state,
    seconds: parseDuration(runTime),
    restarts: restarts === undefined ? undefined : Number(restarts),
  };
}

/** Reads `1-02:03:04`, `02:03:04` or `03:04`. */
function parseDuration(text: string): number | undefined {
  const [, days = 0, hours = 0, minutes, seconds] =
    /^(?:(\d+)-)?(?:(\d+):)?(\d+):(\d+)$/.exec(text) ?? [];
  if (minutes === undefined) return undefined;
  return ((Number(days) * 24 + Number(hours)) * 60 + Number(minutes)) * 60 + Number(seconds);
}

/** The most by which a note may differ from the batch system's figure, which counts transfers too. */
const slackSeconds = 60;

/** What is known about the length of a run. */
interface Known {
  readonly noted: NotedRun | undefined;
  /** The figure of the batch system. */
  readonly batchSeconds: number | undefined;
  /** UNICORE's own figure, which is wrong if UNICORE was away or saw the job late. */
  readonly mainSeconds: number | undefined;
  /** Until when a run that noted no end can have run. */
  readonly until: Date;
}

export interface CountedSeconds {
  /** Undefined if nobody knows, so that the service's own clock decides. */
  readonly seconds: number | undefined;
  /** True if they are those of the command alone, without transfers around it. */
  readonly isNoted: boolean;
}

/**
 * Counts the seconds of the last run. The note is believed, but the owner of the job can change it,
 * so it must not differ much from what the batch system says. A run that began is never for nothing.
 */
export function countSeconds({ noted, batchSeconds, mainSeconds, until }: Known): CountedSeconds {
  if (!noted) return { seconds: batchSeconds ?? mainSeconds, isNoted: false };
  if (noted.end) {
    const isFar =
      batchSeconds !== undefined && Math.abs(batchSeconds - noted.seconds) > slackSeconds;
    // A suspension of a few seconds escapes the script.
    const seconds = isFar ? batchSeconds : Math.min(noted.seconds, batchSeconds ?? noted.seconds);
    return { seconds: Math.max(1, seconds), isNoted: !isFar };
  }
  const clock = noted.seconds + until.getTime() / 1000 - noted.began;
  const seconds = Math.round(batchSeconds ?? mainSeconds ?? clock);
  return { seconds: Math.max(1, seconds), isNoted: false };
}
