import * as v from 'valibot';
import type { SlipwayEvent } from '#lib/events/event.ts';
import { writeMoment } from '#lib/time/write-moment.ts';
import { unitOf, writeAmount, writeHours, writeNumber, writeSpace } from './amounts.ts';
import type { Topic } from './preferences.ts';

/** A fact under the headline of a mail: its label and its value. */
export type Fact = readonly [string, string];

/** An event in the words of a mail. */
export interface Note {
  /** The id of the event. */
  readonly id: string;
  readonly topic: Topic;
  readonly at: Date;
  /** Says what happened. It is the subject of a mail with this note alone. */
  readonly headline: string;
  /** Project and system. */
  readonly place: string;
  readonly facts: readonly Fact[];
  /** Where the console shows it, below its own address. */
  readonly page: string;
  /** The command that shows it, or does what comes next. */
  readonly command: string;
}

/**
 * Describes an event for its owner, or returns undefined if no mail tells it. A job of a batch is
 * told with its batch, because a batch may have ten thousand.
 */
export function describeEvent(event: SlipwayEvent): Note | undefined {
  const { id, at, data } = event;
  switch (event.type) {
    case 'job.ended': {
      const job = v.parse(Job, data);
      return job.batch === undefined
        ? { id, at, topic: 'job.ended', ...describeJob(job) }
        : undefined;
    }
    case 'batch.ended':
      return { id, at, topic: 'batch.ended', ...describeBatch(v.parse(Batch, data)) };
    case 'quota.low':
      return { id, at, topic: 'quota.low', ...describeQuota(v.parse(Quota, data)) };
    case 'request.approved':
    case 'request.declined':
      return { id, at, topic: 'request.decided', ...describeDecision(v.parse(Decided, data)) };
    case 'system.maintenance-announced':
      return { id, at, topic: 'system.maintenance', ...describeWindow(v.parse(Window, data)) };
    default:
      return undefined;
  }
}

type Description = Omit<Note, 'id' | 'topic' | 'at'>;

const inProject = { project_hpc: v.string(), project_name: v.string() };

interface InProject {
  readonly project_hpc: string;
  readonly project_name: string;
}

const Job = v.object({
  ...inProject,
  job_id: v.string(),
  title: v.string(),
  stage: v.string(),
  failed: v.boolean(),
  init_date: v.string(),
  batch: v.optional(v.string()),
});

function describeJob(job: v.InferOutput<typeof Job>): Description {
  const outcome = job.failed ? 'failed' : (ends[job.stage] ?? 'has ended');
  return {
    headline: `Job ${nameOf(job.title, job.job_id)} ${outcome}`,
    place: writePlace(job),
    facts: [
      ...(job.failed || ends[job.stage] === undefined ? [['Stage', job.stage] as const] : []),
      ['Submitted', writeMoment(new Date(job.init_date))],
    ],
    page: pageOf('jobs', job, job.job_id),
    command: `slipway job ${job.job_id}`,
  };
}

/** The words of Slipway's own final stages. Systems may have others. */
const ends: Readonly<Record<string, string>> = {
  SUCCESSFUL: 'was successful',
  CANCELED: 'was cancelled',
  DELETED: 'was deleted',
};

const Batch = v.object({
  ...inProject,
  batch_id: v.string(),
  title: v.string(),
  count: v.number(),
  counts: v.object({ done: v.number(), failed: v.number(), cancelled: v.number() }),
});

function describeBatch(batch: v.InferOutput<typeof Batch>): Description {
  const { done, failed, cancelled } = batch.counts;
  const parts = [
    `${done} of ${batch.count} successful`,
    ...(failed > 0 ? [`${failed} failed`] : []),
    ...(cancelled > 0 ? [`${cancelled} cancelled`] : []),
  ];
  return {
    headline: `Batch ${nameOf(batch.title, batch.batch_id)} has ended: ${parts.join(', ')}`,
    place: writePlace(batch),
    facts: [],
    page: pageOf('batches', batch, batch.batch_id),
    command: `slipway batch ${batch.batch_id}`,
  };
}

const Quota = v.object({
  ...inProject,
  resource: v.picklist(['time', 'space']),
  threshold_percent: v.number(),
  granted: v.number(),
  time_left: v.number(),
  space_left: v.number(),
});

function describeQuota(quota: v.InferOutput<typeof Quota>): Description {
  const { resource, threshold_percent: percent, granted } = quota;
  const unit = unitOf(quota.project_hpc);
  const [left, of] =
    resource === 'time'
      ? [writeNumber(quota.time_left / 3600), writeHours(granted, unit)]
      : [writeSpace(quota.space_left), writeSpace(granted)];
  const state = percent === 0 ? `No ${resource}` : `Only ${percent} % of the ${resource}`;
  const wanted = resource === 'time' ? `--time "100 ${unit}s"` : '--space 10GB';
  return {
    headline: `${state} is left in ${quota.project_name}`,
    place: writePlace(quota),
    facts: [['Remaining', `${left} of ${of}`]],
    page: 'requests/',
    command: `slipway ask ${quota.project_name} ${wanted} --reason "..."`,
  };
}

const Amount = { time: v.nullable(v.number()), space: v.nullable(v.number()) };

const Decided = v.object({
  ...inProject,
  ...Amount,
  state: v.picklist(['approved', 'declined']),
  decision: v.object({
    ...Amount,
    reason: v.nullable(v.string()),
    valid_until: v.nullable(v.string()),
  }),
});

function describeDecision(request: v.InferOutput<typeof Decided>): Description {
  const { state, decision } = request;
  const unit = unitOf(request.project_hpc);
  const { reason, valid_until: end } = decision;
  return {
    headline: `Your request in ${request.project_name} was ${state}`,
    place: writePlace(request),
    facts: [
      ['You asked for', writeAmount(request, unit)],
      ...(state === 'approved' ? [['You get', writeAmount(decision, unit)] as const] : []),
      ...(end === null ? [] : [['Valid until', writeMoment(new Date(end))] as const]),
      ...(reason ? [['Reason', reason] as const] : []),
    ],
    page: 'requests/',
    command: 'slipway requests',
  };
}

const Window = v.object({
  hpc: v.string(),
  from: v.string(),
  until: v.nullable(v.string()),
  reason: v.string(),
});

function describeWindow({ hpc, from, until, reason }: v.InferOutput<typeof Window>): Description {
  return {
    headline: until === null ? `${hpc} is paused` : `Maintenance of ${hpc} is coming`,
    place: hpc,
    facts: [
      ['From', writeMoment(new Date(from))],
      ['Until', until === null ? 'until it is resumed' : writeMoment(new Date(until))],
      ['Reason', reason],
      ['Your jobs', 'Those that wait here are handed over afterwards.'],
    ],
    page: 'jobs/',
    command: 'slipway systems',
  };
}

function nameOf(title: string, id: string): string {
  return title === '' ? id : `'${title}'`;
}

export function writePlace({ project_hpc: hpc, project_name: project }: InProject): string {
  return `${project} on ${hpc.toLowerCase()}`;
}

/** Returns the address of a page about a project below that of the console. */
export function pageOf(
  kind: string,
  { project_hpc: hpc, project_name: project }: InProject,
  id: string,
): string {
  return `${[kind, hpc.toLowerCase(), project, id].map(encodeURIComponent).join('/')}/`;
}
