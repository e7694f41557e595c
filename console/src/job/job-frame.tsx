import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import {
  describeInput,
  describeNodes,
  type JobRequest,
  programOf,
} from '#client/src/format/jobs/describe-request.ts';
import { describeResources } from '#client/src/format/jobs/describe-resources.ts';
import { writeShortId } from '#client/src/format/jobs/write-short-id.ts';
import { joinWords } from '#client/src/format/sentences/join-words.ts';
import { tell } from '#client/src/format/sentences/tell.ts';
import { writeDuration } from '#client/src/format/times/duration.ts';
import type { Job, JobWithRequest, Slipway, Timeline } from '#client/src/index.ts';
import { hideSignature } from '#client/src/jobs/output-addresses.ts';
import { systemOf } from '../browser/address.ts';
import { pageNames } from '../browser/page-names.ts';
import { shownInTab } from '../browser/page-title.ts';
import { stageOf } from '../live/catalog.ts';
import { type Live, useLive } from '../live/use-live.ts';
import { CopyButton } from '../parts/copy-button.tsx';
import { ProblemNote, Skeleton } from '../parts/loading.tsx';
import { Moment } from '../parts/moment.tsx';
import { type Pair, Pairs } from '../parts/pairs.tsx';
import { StageMark } from '../parts/stage-mark.tsx';
import { TimelineBar } from './timeline-bar.tsx';
import { phrase } from './words.ts';

interface JobFrameProps {
  readonly seen: Live<SeenJob>;
  /** Says where the job runs, and whose it is. */
  readonly where: (job: Job) => ComponentChildren;
  readonly acts: (job: Job) => ComponentChildren;
  readonly children: (job: JobWithRequest, timeline: Timeline) => ComponentChildren;
}

/** Frames a job's page for its owner and for administrators: title, stage and timeline. */
export function JobFrame({ seen, where, acts, children }: JobFrameProps) {
  const { value, error, refresh } = seen;
  const problem = error !== undefined && <ProblemNote error={error} onRetry={refresh} />;
  useTitleOf(value?.job);
  if (!value) {
    return (
      <>
        <h1 class={problem ? undefined : 'said'}>{pageNames.job()}</h1>
        {problem || <Skeleton rows={6} />}
      </>
    );
  }
  const { job, timeline } = value;
  const reason = whyItWaits(timeline);
  return (
    <>
      <header class="page-head">
        <div>
          <h1>{job.title === '' ? phrase('untitled') : job.title}</h1>
          <p class="line">
            <span role="status">
              <StageMark job={job} />
            </span>
            {where(job)}
            <CopyButton text={job.job_id} label={job.job_id} />
          </p>
        </div>
        {acts(job)}
      </header>
      {problem}
      {reason !== undefined && <p class={job.failed ? 'note bad' : 'note'}>{reason}</p>}
      <TimelineBar job={job} timeline={timeline} />
      {children(job, timeline)}
    </>
  );
}

/** Shows the stage and the title of the job in the tab. */
function useTitleOf(job: Job | undefined): void {
  const { icon, meaning } = job ? stageOf.value(job) : { icon: '', meaning: '' };
  const title = job && `${icon} ${job.title === '' ? writeShortId(job.job_id) : job.title}`;
  useEffect(() => {
    if (title !== undefined) shownInTab.value = { title, meaning };
    return () => {
      shownInTab.value = undefined;
    };
  }, [title, meaning]);
}

interface SeenJob {
  readonly job: JobWithRequest;
  readonly timeline: Timeline;
}

/** Loads a job with its request and its timeline. */
export function useJob(
  key: string,
  read: (service: Slipway, signal: AbortSignal) => [Promise<JobWithRequest>, Promise<Timeline>],
): Live<SeenJob> {
  return useLive(
    key,
    async (service, signal) => {
      const [job, timeline] = await Promise.all(read(service, signal));
      return { job, timeline };
    },
    { active: ({ job }) => !job.terminal_stage },
  );
}

/** Returns the last reason that the system, or the try to hand the job over, gave. */
export function whyItWaits(timeline: Timeline): string | undefined {
  const { reason, tries, terminal_stage: ended } = timeline;
  const awaited = listAwaited(timeline);
  if (awaited.length > 0) return phrase('waitsForJobs', { jobs: joinWords(awaited) });
  if (reason !== null) return tell(reason);
  const last = tries.at(-1);
  if (ended || !last || last.accepted) return undefined;
  return last.reason === null ? phrase('handingOver') : tell(last.reason);
}

/** Names what a job still waits for, as people do. */
function listAwaited({ after = [], terminal_stage: ended }: Timeline): string[] {
  const active = after.filter(({ state }) => !ended && state === 'active');
  return active.map(({ title, job_id: id }) => title || writeShortId(id));
}

interface JobDetailsProps {
  readonly job: JobWithRequest;
  readonly timeline: Timeline;
  /** What can be done with the request. */
  readonly children?: ComponentChildren;
}

/** Shows what was asked for, and where and when the job ran. */
export function JobDetails({ job, timeline: { resources, after }, children }: JobDetailsProps) {
  const request = job.request ?? undefined;
  return (
    <section aria-labelledby="details-title">
      <h2 id="details-title">{phrase('request')}</h2>
      <Pairs
        of={[
          ...(request ? listRequest(request, after) : []),
          !request &&
            resources !== undefined && [phrase('resources'), describeResources(resources)],
          [
            phrase('timeLimit'),
            writeDuration(job.runtime * 3600),
            phrase('hours', { hours: job.runtime }),
          ],
          [
            phrase('where'),
            phrase('projectOn', { project: job.project_name, system: systemOf(job) }),
          ],
          job.batch !== undefined && [
            pageNames.batch(),
            phrase('indexOf', { index: job.index ?? '', batch: job.batch }),
          ],
          [phrase('submitted'), <Moment at={job.init_date} />],
          [
            phrase('ended'),
            job.end_date === null ? phrase('notYet') : <Moment at={job.end_date} />,
          ],
          [phrase('stage'), job.stage],
          [phrase('number'), <span class="number">{job.id}</span>],
        ]}
      />
      {children}
    </section>
  );
}

function listRequest(request: JobRequest, after: Timeline['after'] = []): Pair[] {
  const giver = after.find(({ gives_input: gives }) => gives);
  const isCommand = request.command !== undefined;
  const bytes = request.input?.length;
  const copy = isCommand ? phrase('copyCommand') : phrase('copyTool');
  return [
    [
      isCommand ? phrase('command') : phrase('tool'),
      <>
        <code class="breaks">{programOf(request)}</code>{' '}
        <CopyButton text={programOf(request)} label={copy} />
      </>,
    ],
    [phrase('nodes'), describeNodes(request)],
    [
      phrase('input'),
      giver && request.input === null
        ? phrase('resultsOf', { job: giver.title || writeShortId(giver.job_id) })
        : describeInput(request),
      bytes === undefined ? undefined : phrase('bytes', { bytes }),
    ],
    ...(request.inputs ?? []).map(
      ({ from, to }): Pair => [phrase('fetches'), to, hideSignature(from)],
    ),
    ...(request.outputs ?? []).map(
      ({ files, to }): Pair => [phrase('sends'), files, hideSignature(to)],
    ),
    ...Object.entries(request.fields).map(
      ([name, value]): Pair => [name.replaceAll('_', ' '), value],
    ),
  ];
}
