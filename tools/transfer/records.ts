import * as v from 'valibot';
import { mostLeaders } from '#lib/budgets/leaders.ts';
import { type Catalog, findSystem } from '#lib/catalog/catalog.ts';
import type { HpcSystem, Project } from '#lib/catalog/hpc-system.ts';
import {
  budgetHolder,
  firstOpenedNumber,
  isJobId,
  isProjectName,
  type JobId,
  type ProjectName,
  type UserId,
} from '#lib/catalog/identifiers.ts';
import { renewalFields } from '#lib/http/parsers/bodies/quota-change-body.ts';
import { presentRenewalRule } from '#lib/http/presenters/present-quota.ts';
import { type Job, storedJob } from '#lib/jobs/job.ts';
import type { OpenedProject } from '#lib/projects/opened-project.ts';
import type { Balance, Quota } from '#lib/quotas/quota.ts';
import { nextRenewal } from '#lib/quotas/renewal.ts';
import { BatchRecord, batchOf, type TransferredBatch } from './batch-record.ts';
import type { KnownProjects } from './known-projects.ts';
import { amount, id, type LineNames, moment, nameAsInLines, user } from './line-fields.ts';

const jobNames: LineNames = {
  hpc: 'project_hpc',
  terminal: 'terminal_stage',
  held_seconds: undefined,
  held_kilobytes: undefined,
  awaits_settlement: undefined,
  cost: undefined,
};

const JobRecord = v.object({
  record: v.literal('job'),
  ...nameAsInLines(storedJob.fields.entries, jobNames),
  id,
  job_id: v.custom<JobId>(isJobId, 'must consist of A-Z, 0-9, _ and -'),
  owner: user,
  project: v.optional(v.unknown()),
  project_hpc: v.string(),
  project_name: v.string(),
  runtime: v.pipe(v.number(), v.minValue(0)),
  stage: v.pipe(v.string(), v.minLength(1)),
  terminal_stage: v.literal(true, 'only jobs that have ended can be imported'),
  init_date: moment,
  end_date: moment,
});

const accountFields = {
  id,
  project_hpc: v.string(),
  project_name: v.string(),
  time_left: amount,
  space_left: amount,
  time_used: v.optional(amount, 0),
  space_used: v.optional(amount, 0),
  valid_until: v.optional(moment),
  renews: v.optional(renewalFields),
  renews_next: v.optional(moment),
  share_time: v.optional(amount),
  share_space: v.optional(amount),
};

const QuotaRecord = v.object({
  record: v.literal('quota'),
  user,
  ...accountFields,
  through_group: v.optional(v.literal(true)),
});

const BudgetRecord = v.object({
  record: v.literal('budget'),
  ...accountFields,
  leaders: v.optional(v.pipe(v.array(user), v.maxLength(mostLeaders)), []),
});

const ProjectRecord = v.object({
  record: v.literal('project'),
  id: v.pipe(
    v.number(),
    v.safeInteger(),
    v.minValue(
      firstOpenedNumber,
      `must be at least ${firstOpenedNumber}: lower ones are the catalog's`,
    ),
  ),
  project_hpc: v.string(),
  project_name: v.custom<ProjectName>(isProjectName, 'is not a name for a project'),
  description: v.optional(v.string(), ''),
  max_living_jobs: id,
  closed: v.optional(v.boolean(), false),
  shared: v.optional(v.literal(true)),
  members: v.optional(v.object({ group: v.string() })),
});

/**
 * One line of a transfer file (docs/transfer.md): a job, a quota, a project, a batch or a
 * budget. Fields are named as
 * in the API, so that lists from another service of this kind can be imported as they are.
 */
const TransferRecord = v.variant('record', [
  JobRecord,
  QuotaRecord,
  ProjectRecord,
  BatchRecord,
  BudgetRecord,
]);

export type Transferred =
  | { readonly job: Job }
  | { readonly quota: Quota }
  | { readonly project: OpenedProject }
  | { readonly batch: TransferredBatch }
  | { readonly budget: TransferredBudget };

/** A project's budget, and who leads the project. */
export interface TransferredBudget {
  readonly quota: Quota;
  readonly leaders: readonly UserId[];
}

/** The number and place that a line takes, so that no other line gets them. A refused line counts, too. */
export interface Claim {
  readonly kind: 'job' | 'quota' | 'project' | 'batch' | 'budget';
  /** The number of the record. A batch claims those of its jobs, of which this is the first. */
  readonly id: number;
  readonly count: number;
  readonly user?: UserId | undefined;
  readonly hpc?: string | undefined;
  readonly project?: string | undefined;
  readonly jobId?: string | undefined;
  readonly batchId?: string | undefined;
}

const text = v.fallback(v.optional(v.string()), undefined);
const anybody = v.fallback(v.optional(user), undefined);
const ClaimingRecord = v.object({
  record: v.picklist(['job', 'quota', 'project', 'batch', 'budget']),
  id,
  owner: anybody,
  user: anybody,
  project_hpc: text,
  project_name: text,
  job_id: text,
  batch_id: text,
  count: v.fallback(v.optional(id, 1), 1),
});

/** Reads only the fields of the claim, so that mistakes elsewhere in the line do not matter. */
export function readClaim(line: unknown): Claim | undefined {
  const { success, output } = v.safeParse(ClaimingRecord, line);
  if (!success) return undefined;
  return {
    kind: output.record,
    id: output.id,
    count: output.record === 'batch' ? output.count : 1,
    user: output.record === 'quota' ? output.user : output.owner,
    hpc: output.project_hpc?.toLowerCase(),
    project: output.project_name,
    jobId: output.job_id,
    batchId: output.record === 'batch' ? output.batch_id : undefined,
  };
}

/** Returns the record of a line. Throws an error that says what is wrong with it. */
export function parseRecord(catalog: Catalog, opened: KnownProjects, line: unknown): Transferred {
  const result = v.safeParse(TransferRecord, line);
  if (!result.success) {
    const problems = result.issues.map((issue) => `${v.getDotPath(issue)}: ${issue.message}`);
    throw new Error(problems.join('; '));
  }
  const record = result.output;
  const system = findSystem(catalog, record.project_hpc.toLowerCase());
  if (record.record === 'project')
    return { project: opened.add(system, projectOf(record, system)) };
  const project = opened.find(system, record.project_name);
  if (record.record === 'batch') return { batch: batchOf(record, project) };
  if (record.record === 'budget') {
    return { budget: { quota: quotaOf(record, project), leaders: record.leaders } };
  }
  return record.record === 'job'
    ? { job: jobOf(record, project) }
    : { quota: quotaOf(record, project) };
}

/** Writes a job with the fields of a line. */
export function describeJob(job: Job) {
  return {
    record: 'job',
    ...nameAsInLines(storedJob.fields.write(job), jobNames),
    project_hpc: job.project.hpc.toUpperCase(),
  };
}

/** Writes a quota with the fields of a line. */
export function describeQuota(quota: Quota) {
  const { id: number, user: owner, project, time, space, validUntil, renewal, share } = quota;
  return {
    record: 'quota',
    id: number,
    ...(owner !== budgetHolder && { user: owner }),
    project: project.number,
    project_hpc: project.hpc.toUpperCase(),
    project_name: project.name,
    time_left: time.left,
    space_left: space.left,
    time_used: time.used,
    space_used: space.used,
    time_held: time.held,
    space_held: space.held,
    ...(validUntil && { valid_until: validUntil.toISOString() }),
    ...(renewal && {
      renews: presentRenewalRule(renewal.rule),
      renews_next: renewal.next.toISOString(),
    }),
    ...(share && { share_time: share.seconds, share_space: share.kilobytes }),
    ...(quota.throughGroup && { through_group: true }),
  };
}

/** Writes a budget with the fields of a line. */
export function describeBudget({ quota, leaders }: TransferredBudget) {
  return { ...describeQuota(quota), record: 'budget', leaders };
}

/** Writes a project with the fields of a line. */
export function describeProject(project: OpenedProject) {
  return {
    record: 'project',
    id: project.number,
    project_hpc: project.hpc.toUpperCase(),
    project_name: project.name,
    description: project.description,
    max_living_jobs: project.maxLivingJobs,
    closed: project.closed,
    ...(project.shared && { shared: true }),
    ...(project.members && { members: project.members }),
  };
}

function projectOf(
  record: v.InferOutput<typeof ProjectRecord>,
  { name: hpc }: HpcSystem,
): OpenedProject {
  return {
    number: record.id,
    hpc,
    name: record.project_name,
    description: record.description,
    maxLivingJobs: record.max_living_jobs,
    closed: record.closed,
    ...(record.shared && { shared: true as const }),
    ...(record.members && { members: record.members }),
    revision: 1,
  };
}

function jobOf(record: v.InferOutput<typeof JobRecord>, project: Project): Job {
  return storedJob.fields.read({
    ...record,
    project: project.number,
    hpc: project.hpc,
    project_name: project.name,
    terminal: true,
    held_seconds: 0,
    held_kilobytes: 0,
  });
}

type AccountRecord = v.InferOutput<typeof QuotaRecord> | v.InferOutput<typeof BudgetRecord>;

function quotaOf(record: AccountRecord, project: Project): Quota {
  const { share_time: seconds = 0, share_space: kilobytes = 0 } = record;
  return {
    id: record.id,
    user: record.record === 'quota' ? record.user : budgetHolder,
    project,
    time: balanceOf(record.time_left, record.time_used),
    space: balanceOf(record.space_left, record.space_used),
    activeJobs: 0,
    validUntil: record.valid_until,
    renewal: renewalOf(record),
    bans: {},
    ...(seconds + kilobytes > 0 && { share: { seconds, kilobytes } }),
    ...(record.record === 'quota' && record.through_group && { throughGroup: true }),
  };
}

/** If the line has no date for the next renewal, computes it from the rule and today. */
function renewalOf(record: AccountRecord): Quota['renewal'] {
  const { renews: rule, renews_next: next } = record;
  return rule && { rule, next: next ?? nextRenewal(rule, new Date()) };
}

function balanceOf(left: number, used: number): Balance {
  return { granted: left + used, left, held: 0, used };
}
