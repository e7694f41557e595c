import * as v from 'valibot';
import { askForEach, decodeText } from '../call-upstream.ts';
import type { AccountedJob, Observation, SubmittedJob } from '../connector.ts';
import { SystemUnavailableError } from '../errors.ts';
import { notesFile } from '../script/build-script.ts';
import type { UnicoreSite } from './describe-job.ts';
import {
  addressOfJob,
  type FoundJob,
  JobNotShownError,
  pageSize,
  readListed,
  readOwnJob,
} from './find-jobs.ts';
import { type BatchRecord, believeRuns, parseDetails, parseNote } from './job-runs.ts';
import {
  describeEarlier,
  type EndedJob,
  hasEnded,
  hasNeverRun,
  observeEnd,
  observeLiving,
} from './observe-job.ts';
import { Details, isSuccess } from './read-answer.ts';
import { AccountRefusedError, type SessionOf, type UnicoreSession } from './session.ts';
import { readSmallFile } from './working-directory.ts';

const parallelCalls = 5;

/** One call per active job. An ended one costs two more, for its note and the batch system's record. */
export async function lookUpJobs(
  sessionOf: SessionOf,
  jobs: readonly SubmittedJob[],
  site: UnicoreSite,
): Promise<ReadonlyMap<string, Observation>> {
  // The jobs of one account together, because few sessions can be open.
  const sorted = jobs.toSorted((one, other) => (one.login ?? '').localeCompare(other.login ?? ''));
  const answers = await askForEach(sorted, parallelCalls, (job) =>
    observe(sessionOf(job.login), job, site),
  );
  return new Map(
    [...answers].flatMap(([{ jobId }, seen]): [string, Observation][] =>
      seen ? [[jobId, seen]] : [],
    ),
  );
}

/** Returns undefined if nothing is known about the job for now. */
async function observe(
  session: UnicoreSession,
  submitted: SubmittedJob,
  site: UnicoreSite,
): Promise<Observation | undefined> {
  try {
    const job = await readOwnJob(session, submitted);
    if (!job) return { state: 'unknown' };
    if (!hasEnded(job)) return observeLiving(job);
    const ended = await readEnd(session, { handle: submitted.handle, job });
    return ended && observeEnd(ended, site, new Date());
  } catch (error) {
    // Only this job or its account is concerned.
    if (error instanceof AccountRefusedError || error instanceof JobNotShownError) return undefined;
    throw error;
  }
}

/**
 * Reads what an ended job left behind about its runs. Returns undefined if that cannot be read now:
 * the charge is final, so we rather ask again.
 */
async function readEnd(
  session: UnicoreSession,
  { handle, job }: FoundJob,
): Promise<EndedJob | undefined> {
  if (hasNeverRun(job)) return { job, handle, runs: [], batch: undefined };
  const directory = job._links.workingDirectory?.href;
  try {
    const note = directory && (await readSmallFile(session, directory, notesFile));
    const batch = await readBatch(session, handle);
    return { job, handle, runs: believeRuns(parseNote(note ?? ''), batch), batch };
  } catch (error) {
    // The owner of the job may have put something unreadable there, which is not an outage.
    if (error instanceof SystemUnavailableError) return undefined;
    throw error;
  }
}

/** Asks for the record of the batch system, which forgets ended jobs after minutes. */
async function readBatch(
  session: UnicoreSession,
  handle: string,
): Promise<BatchRecord | undefined> {
  const answer = await session.call({
    url: `${addressOfJob(session, handle)}/details`,
    takesAnswer: ({ status }) => status >= 500,
  });
  if (!isSuccess(answer.status)) return undefined;
  const read = v.safeParse(v.pipe(v.string(), v.parseJson(), Details), decodeText(answer));
  return read.success ? parseDetails(read.output.rawDetailsData) : undefined;
}

/** Lists the jobs that UNICORE still has, that ended since a moment, and that have one of our tags. */
export async function listEnded(
  session: UnicoreSession,
  site: UnicoreSite,
  since: Date,
): Promise<readonly AccountedJob[]> {
  const listed: AccountedJob[] = [];
  for (let offset = 0; ; offset += pageSize) {
    const page = await readListed(session, { offset });
    for (const found of page.filter(({ job }) => hasEnded(job))) {
      const ended = await readEnd(session, found);
      listed.push(
        ...(ended ? describeEnded(ended, site) : []).filter((each) => each.endedAt >= since),
      );
    }
    if (page.length === 0) return listed;
  }
}

function describeEnded(ended: EndedJob, site: UnicoreSite): AccountedJob[] {
  const seen = observeEnd(ended, site, new Date());
  const [name] = ended.job.tags;
  if (name === undefined || seen.state !== 'ended') return [];
  const { endedAt, startedAt, usedSeconds: seconds, isLost = false, reason = '', run = 1 } = seen;
  if (endedAt === undefined || seconds === undefined) return [];
  const last = { number: run, startedAt, endedAt, seconds, isLost, reason };
  const runs = [...describeEarlier(ended.runs), last];
  return [{ name, handle: ended.handle, runs, endedAt }];
}
