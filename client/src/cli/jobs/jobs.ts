import { setTimeout as pause } from 'node:timers/promises';
import {
  describeInput,
  describeNodes,
  type JobRequest,
  programOf,
} from '../../format/jobs/describe-request.ts';
import { describeResources } from '../../format/jobs/describe-resources.ts';
import type { StageView } from '../../format/jobs/describe-stage.ts';
import { describeUsage } from '../../format/jobs/describe-usage.ts';
import { writeShortId } from '../../format/jobs/write-short-id.ts';
import { tell } from '../../format/sentences/tell.ts';
import { writeMoment } from '../../format/times/day.ts';
import { writeDuration } from '../../format/times/duration.ts';
import {
  type Job,
  placeOf,
  ServiceUnreachable,
  type Slipway,
  SlipwayProblem,
  type Timeline,
} from '../../index.ts';
import { hideSignature } from '../../jobs/output-addresses.ts';
import { writeCsv } from '../../rows/write-csv.ts';
import { currentLanguage } from '../../words/language.ts';
import { term } from '../../words/terms.ts';
import { findBatch, findJob } from '../session/find.ts';
import {
  describeAccount,
  describeTimeline,
  jobColumns,
  readJobFilter,
  readProgress,
  readStages,
  withJobFilter,
  writeStage,
} from '../session/job-view.ts';
import { createCommand, type Open, type Session, take } from '../session/session.ts';
import { cleanText, colourOf } from '../terminal/text.ts';
import { phrase } from '../words/phrase.ts';

const watchMs = 2_000;

export function createJobs(open: Open) {
  return withJobFilter(
    createCommand('jobs', phrase('jobs.listYourJobs')).examples(
      'slipway jobs --watch',
      'slipway jobs hpc_one --failed --since 7d',
      'slipway jobs --batch 5C6D --failed',
    ),
  )
    .option('--batch <batch>', phrase('jobs.onlyJobsOfThisBatch'))
    .option('-w, --watch', phrase('jobs.refreshUntilCtrlC'))
    .action(async (hpc, project, options, command) => {
      const session = open(command);
      const { screen } = session;
      const filter = await withBatch(session, readJobFilter(hpc, project, options), options.batch);
      const most = options.all ? Infinity : options.limit;
      if (options.watch && screen.isLive && !session.json) {
        return watch(session, () => drawJobs(session, filter, most));
      }
      const jobs = await readJobs(session, filter, most);
      if (session.json) return screen.say(JSON.stringify(jobs, null, 2));
      if (options.csv) return screen.raw(writeCsv(jobs));
      if (jobs.length === 0) return screen.tell(phrase('jobs.noSuchJobs'));
      screen.say(...(await layOutJobs(session, jobs, filter)));
      if (jobs.length === most) screen.tell(phrase('jobs.theseAreOfThem', { most }));
    });
}

/** The jobs of a batch have an order of their own. */
async function withBatch(
  { client }: Session,
  filter: ReturnType<typeof readJobFilter>,
  wanted: string | undefined,
): Promise<Filter> {
  if (wanted === undefined) return filter;
  const { batch_id: batch } = await findBatch(client, wanted);
  return { ...filter, batch, order: 'asc' };
}

type Filter = Parameters<Slipway['listJobs']>[0];

async function drawJobs(session: Session, filter: Filter, most: number) {
  const jobs = await readJobs(session, filter, most);
  return jobs.length === 0 ? [phrase('jobs.noSuchJobs')] : layOutJobs(session, jobs, filter);
}

async function layOutJobs({ client, screen }: Session, jobs: readonly Job[], filter: Filter) {
  const now = new Date();
  const [rows, stageOf] = await Promise.all([readProgress(client, jobs, now), readStages(client)]);
  return screen.layOut(
    rows,
    jobColumns(now, screen.paint, stageOf, { ofBatch: filter?.batch !== undefined }),
  );
}

function readJobs({ client }: Session, filter: Filter, most: number): Promise<Job[]> {
  return take(client.listJobs({ ...filter, limit: Math.min(1000, most) }), most);
}

export function createJob(open: Open) {
  return createCommand('job', phrase('jobs.showStagesAndUsage'))
    .examples('slipway job AF17')
    .argument('[job]', phrase('jobs.jobId'))
    .action(async (wanted, _, command) => {
      const session = open(command);
      const { client } = session;
      const job = await findJob(client, wanted);
      const [timeline, request] = await Promise.all([
        client.getTimeline(placeOf(job)),
        readRequest(client, job),
      ]);
      if (session.json) return session.print({ ...job, request, timeline });
      const stage = (await readStages(client))(job);
      const account = await describeAccount(client, job);
      session.screen.say(...listJobFacts(session, job, timeline, stage, request), ...account);
    });
}

/** Reads what a job asked for. Returns null if nobody knows, or the service is an older one. */
async function readRequest({ getJob }: Slipway, job: Job): Promise<JobRequest | null> {
  try {
    return (await getJob({ ...placeOf(job), expand: 'request' })).request ?? null;
  } catch (error) {
    if (error instanceof SlipwayProblem && error.status < 500) return null;
    throw error;
  }
}

function listRequest(request: JobRequest | null): string[] {
  if (request === null) return [];
  const { fields, inputs = [], outputs = [] } = request;
  return [
    phrase('jobs.runsProgram', { program: cleanText(programOf(request)) }),
    phrase('jobs.onNodes', {
      nodes: cleanText(describeNodes(request)),
      input: cleanText(describeInput(request)),
    }),
    ...inputs.map(({ from, to }) =>
      cleanText(phrase('jobs.fetchesFile', { from: hideSignature(from), to })),
    ),
    ...outputs.map(({ files, to }) =>
      cleanText(phrase('jobs.sendsFiles', { files, to: hideSignature(to) })),
    ),
    ...Object.entries(fields).map(([name, value]) => cleanText(`${name}: ${value}`)),
  ];
}

function describeRun(job: Job, ran: number | undefined, usage: string | undefined): string {
  const { runtime, terminal_stage: ended } = job;
  const granted = writeDuration(runtime * 3600);
  if (ran !== undefined) {
    const duration = writeDuration(ran);
    return usage === undefined
      ? phrase('jobs.ranOf', { duration, granted })
      : phrase('jobs.ranOfUsed', { duration, granted, usage });
  }
  return ended ? phrase('jobs.wasGranted', { granted }) : phrase('jobs.mayRun', { granted });
}

/** Lists the facts about a job, one on each line. */
export function listJobFacts(
  { screen }: Session,
  job: Job,
  timeline: Timeline,
  view: StageView,
  request: JobRequest | null = null,
): string[] {
  const { ran, reason } = describeTimeline(job, timeline, new Date());
  const stage = `${screen.paint(colourOf[view.meaning], writeStage(view))} (${job.stage})`;
  return [
    screen.paint('bold', cleanText(job.title || phrase('shared.noTitle'))),
    `${job.job_id}`,
    `${job.project_hpc.toLowerCase()} / ${job.project_name}`,
    ...(job.batch === undefined
      ? []
      : [phrase('jobs.jobOfTheBatch', { index: job.index ?? 0, id: writeShortId(job.batch) })]),
    `${stage}${reason === undefined ? '' : `  ${cleanText(reason)}`}`,
    describeRun(job, ran, describeUsage(timeline)),
    ...(request === null && timeline.resources
      ? [phrase('jobs.gotResources', { resources: describeResources(timeline.resources) })]
      : []),
    ...listRequest(request),
    '',
    ...timeline.stages.map(({ stage: word, since }) => `  ${writeMoment(since)}  ${word}`),
    ...(timeline.earlier_runs ?? []).map(
      ({ run, began, seconds, reason: why }) =>
        `  ${began === null ? '' : writeMoment(began)}  ${phrase('jobs.earlierRun', { run, duration: writeDuration(seconds), why: cleanText(tell(why)) })}`,
    ),
    ...timeline.tries
      .filter(({ accepted }) => !accepted)
      .map(
        ({ at, reason: why }) =>
          `  ${writeMoment(at)}  ${phrase('jobs.notHandedOver', { why: cleanText(tell(why ?? '')) })}`,
      ),
    ...listChain(timeline),
    '',
  ];
}

/** Lists what a job waits for, or waited for, and the jobs that run after it. */
function listChain({ after = [], awaited_by: successors = [] }: Timeline): string[] {
  const name = (id: string, hpc: string, title: string) =>
    [
      phrase('shared.nameOnSystem', { name: writeShortId(id), hpc }),
      ...(title === '' ? [] : [cleanText(title)]),
    ].join('  ');
  return [
    ...after.map(({ job_id: id, hpc, title, state, any_end: anyEnd, gives_input: givesInput }) => {
      const said = { job: name(id, hpc, title), term: term(state) };
      if (!givesInput) return phrase('jobs.afterJob', said);
      return anyEnd ? phrase('jobs.inputFromSucceeded', said) : phrase('jobs.inputFromJob', said);
    }),
    ...successors.map(({ job_id: id, hpc, title, stage }) =>
      phrase('jobs.thenJob', { name: name(id, hpc, title), stage }),
    ),
  ];
}

/** Redraws in place until Ctrl-C, which it throws. Keeps trying while the service is away. */
async function watch(
  { screen, interrupt }: Session,
  read: () => Promise<readonly string[]>,
): Promise<never> {
  let lines: readonly string[] = [];
  let away: Date | undefined;
  for (;;) {
    try {
      lines = await read();
      away = undefined;
    } catch (error) {
      if (interrupt.aborted || !(error instanceof ServiceUnreachable)) throw error;
      away ??= new Date();
    }
    screen.redraw(
      away
        ? [
            ...lines,
            phrase('jobs.noAnswerSince', { away: away.toLocaleTimeString(currentLanguage().days) }),
          ]
        : lines,
    );
    await pause(watchMs, undefined, { signal: interrupt });
  }
}
