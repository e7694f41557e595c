import * as v from 'valibot';
import type { SlipwayEvent } from '#lib/events/event.ts';
import { unitOf, writeAmount, writeHours, writeNumber, writeSpace } from './amounts.ts';
import type { Topic } from './preferences.ts';
import type { MailWords } from './words/english.ts';

/** A fact under the headline of a mail: its label and its value. */
export type Fact = readonly [string, string];

/** An event in the words of a mail, in the language of its reader. */
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
export function describeEvent(event: SlipwayEvent, words: MailWords): Note | undefined {
  const { id, at, data } = event;
  switch (event.type) {
    case 'job.ended': {
      const job = v.parse(Job, data);
      return job.batch === undefined
        ? { id, at, topic: 'job.ended', ...describeJob(job, words) }
        : undefined;
    }
    case 'batch.ended':
      return { id, at, topic: 'batch.ended', ...describeBatch(v.parse(Batch, data), words) };
    case 'quota.low':
      return { id, at, topic: 'quota.low', ...describeQuota(v.parse(Quota, data), words) };
    case 'request.approved':
    case 'request.declined':
      return {
        id,
        at,
        topic: 'request.decided',
        ...describeDecision(v.parse(Decided, data), words),
      };
    case 'system.maintenance-announced':
      return {
        id,
        at,
        topic: 'system.maintenance',
        ...describeWindow(v.parse(Window, data), words),
      };
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

function describeJob(job: v.InferOutput<typeof Job>, words: MailWords): Description {
  const end = job.failed ? 'jobFailed' : (ends[job.stage] ?? 'jobEnded');
  return {
    headline: words[end](nameOf(job.title, job.job_id, words)),
    place: writePlace(job, words),
    facts: [
      ...(job.failed || end === 'jobEnded' ? [[words.stage, job.stage] as const] : []),
      [words.submitted, words.moment(new Date(job.init_date))],
    ],
    page: pageOf('jobs', job, job.job_id),
    command: `slipway job ${job.job_id}`,
  };
}

/** The words of Slipway's own final stages. Systems may have others. */
const ends: Readonly<Record<string, 'jobSuccessful' | 'jobCancelled' | 'jobDeleted'>> = {
  SUCCESSFUL: 'jobSuccessful',
  CANCELED: 'jobCancelled',
  DELETED: 'jobDeleted',
};

const Batch = v.object({
  ...inProject,
  batch_id: v.string(),
  title: v.string(),
  count: v.number(),
  counts: v.object({ done: v.number(), failed: v.number(), cancelled: v.number() }),
});

function describeBatch(batch: v.InferOutput<typeof Batch>, words: MailWords): Description {
  const { done, failed, cancelled } = batch.counts;
  const parts = [
    words.successful(done, batch.count),
    ...(failed > 0 ? [words.failed(failed)] : []),
    ...(cancelled > 0 ? [words.cancelled(cancelled)] : []),
  ];
  return {
    headline: words.batchEnded(nameOf(batch.title, batch.batch_id, words), parts.join(', ')),
    place: writePlace(batch, words),
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

function describeQuota(quota: v.InferOutput<typeof Quota>, words: MailWords): Description {
  const { resource, threshold_percent: percent, granted, project_name: project } = quota;
  const unit = unitOf(quota.project_hpc);
  const [left, of] =
    resource === 'time'
      ? [writeNumber(quota.time_left / 3600, words), writeHours(granted, unit, words)]
      : [writeSpace(quota.space_left, words), writeSpace(granted, words)];
  const [low, none] =
    resource === 'time' ? (['timeLow', 'noTime'] as const) : (['spaceLow', 'noSpace'] as const);
  const wanted = resource === 'time' ? `--time "100 ${unit}s"` : '--space 10GB';
  return {
    headline: percent === 0 ? words[none](project) : words[low](percent, project),
    place: writePlace(quota, words),
    facts: [[words.remaining, words.leftOf(left, of)]],
    page: 'requests/',
    command: `slipway ask ${project} ${wanted} --reason "..."`,
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

function describeDecision(request: v.InferOutput<typeof Decided>, words: MailWords): Description {
  const { state, decision } = request;
  const unit = unitOf(request.project_hpc);
  const { reason, valid_until: end } = decision;
  return {
    headline: words[state](request.project_name),
    place: writePlace(request, words),
    facts: [
      [words.askedFor, writeAmount(request, unit, words)],
      ...(state === 'approved' ? [[words.given, writeAmount(decision, unit, words)] as const] : []),
      ...(end === null ? [] : [[words.validUntil, words.moment(new Date(end))] as const]),
      ...(reason ? [[words.reason, reason] as const] : []),
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

function describeWindow(
  { hpc, from, until, reason }: v.InferOutput<typeof Window>,
  words: MailWords,
): Description {
  return {
    headline: until === null ? words.paused(hpc) : words.maintenance(hpc),
    place: hpc,
    facts: [
      [words.from, words.moment(new Date(from))],
      [words.until, until === null ? words.untilResumed : words.moment(new Date(until))],
      [words.reason, reason],
      [words.yourJobs, words.handedOver],
    ],
    page: 'jobs/',
    command: 'slipway systems',
  };
}

function nameOf(title: string, id: string, words: MailWords): string {
  return title === '' ? id : words.quoted(title);
}

export function writePlace(
  { project_hpc: hpc, project_name: project }: InProject,
  words: MailWords,
): string {
  return words.place(project, hpc.toLowerCase());
}

/** Returns the address of a page about a project below that of the console. */
export function pageOf(
  kind: string,
  { project_hpc: hpc, project_name: project }: InProject,
  id: string,
): string {
  return `${[kind, hpc.toLowerCase(), project, id].map(encodeURIComponent).join('/')}/`;
}
