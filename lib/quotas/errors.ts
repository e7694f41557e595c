import { budgetHolder, type UserId } from '#lib/catalog/identifiers.ts';
import { Refusal, refusalSaying } from '#lib/errors/domain-error.ts';
import { StaleReadError } from '#lib/table/errors.ts';
import type { ProjectKey } from '#lib/table/keys.ts';
import type { Amount, Quota } from './quota.ts';

/** A submission that its quota refuses. No job was created. */
export class HoldRefusedError extends Refusal {}

export class QuotaExceededError extends /* @__PURE__ */ refusalSaying(
  'quota-exceeded',
  ({ hpc, project }: ProjectKey, asked: Amount, left: Amount, of: 'quota' | 'budget' = 'quota') => {
    const shortages = [
      asked.seconds > left.seconds &&
        `${asked.seconds} seconds of time are needed, but only ${left.seconds} remain`,
      asked.kilobytes > left.kilobytes &&
        `${asked.kilobytes} kilobytes of space are needed, but only ${left.kilobytes} remain`,
    ].filter((shortage) => shortage !== false);
    return {
      message: `The ${of} of '${project}' on '${hpc}' is too small: ${shortages.join('; ')}. Ask for less, or ${of === 'quota' ? 'request more with POST /requests/' : 'ask a leader of the project'}.`,
      facts: { project: { hpc, project }, asked: tell(asked), left: tell(left) },
    };
  },
  HoldRefusedError,
) {}

/** Facts call amounts what the interface does. */
function tell({ seconds, kilobytes }: Amount) {
  return { time: seconds, space: kilobytes };
}

export class NoQuotaError extends /* @__PURE__ */ refusalSaying(
  'no-quota',
  ({ hpc, project }: ProjectKey) =>
    `You have no quota in the project '${project}' on '${hpc}'. An administrator can grant one.`,
  HoldRefusedError,
) {}

/** The project is shared, but nobody has given it a budget to draw from. */
export class NoBudgetError extends /* @__PURE__ */ refusalSaying(
  'no-budget',
  ({ hpc, project }: ProjectKey) =>
    `The members of the project '${project}' on '${hpc}' draw from its budget, but it has none. An administrator can give it one.`,
  HoldRefusedError,
) {}

/** The caller was a member by a group that the token no longer has, or that the project no longer names. */
export class NotMemberError extends /* @__PURE__ */ refusalSaying(
  'not-member',
  ({ hpc, project }: ProjectKey) =>
    `You are not a member of the project '${project}' on '${hpc}' any more, because your token does not have its group. Sign in again, or ask a leader of the project.`,
  HoldRefusedError,
) {}

/** An administrator has closed the project, so the quota does not matter. */
export class ProjectClosedError extends /* @__PURE__ */ refusalSaying(
  'project-closed',
  ({ hpc, project }: ProjectKey) =>
    `The project '${project}' on '${hpc}' is closed and accepts no jobs. Submit to another project, or ask an administrator to open it again.`,
  HoldRefusedError,
) {}

export class QuotaNotFoundError extends /* @__PURE__ */ refusalSaying(
  'quota-not-found',
  ({ hpc, project }: ProjectKey) =>
    `No quota in '${project}' on '${hpc}'. An administrator can grant one.`,
) {}

/** The caller may read, but not submit. */
export class SubmissionBannedError extends /* @__PURE__ */ refusalSaying(
  'banned',
  ({ hpc, project }: ProjectKey, reason: string) => ({
    message: `You may not submit to the project '${project}' on '${hpc}'. Ask an administrator. Reason: ${reason}`,
    facts: { reason },
  }),
  HoldRefusedError,
) {
  override readonly name = 'SubmissionBannedError';
}

export class QuotaExpiredError extends /* @__PURE__ */ refusalSaying(
  'quota-expired',
  ({ hpc, project }: ProjectKey, validUntil: Date, of: 'quota' | 'budget' = 'quota') =>
    `The ${of} of '${project}' on '${hpc}' was valid until ${validUntil.toISOString().slice(0, 10)}. An administrator can extend it.`,
  HoldRefusedError,
) {}

/** Too many jobs are active. When one ends, there is room. */
export class TooManyJobsError extends /* @__PURE__ */ refusalSaying(
  'too-many-jobs',
  ({ hpc, project }: ProjectKey, limit: number, count: number, added: number = 1) => {
    const allowed = `You have ${count} active jobs in the project '${project}' on '${hpc}', and at most ${limit} are allowed at once.`;
    const advice =
      added === 1
        ? 'Wait until one ends, or cancel one.'
        : `This batch has ${added} more. Submit a smaller one, or wait until others end.`;
    return { message: `${allowed} ${advice}`, facts: { limit, count } };
  },
  HoldRefusedError,
) {}

type Standing = Pick<Quota, 'time' | 'space' | 'activeJobs'>;

/** The jobs that keep a quota from being removed. */
export interface JobsInTheWay {
  /** Ended jobs that still hold space. */
  readonly ended: number;
  /** False if there was no time to count them all. */
  readonly countedAll: boolean;
  /** How many were cancelled or deleted this time. Undefined if that was not asked for. */
  readonly discarded?: number;
}

/** A change would take more from an account than remains, or remove it while jobs need it. */
export class QuotaInUseError extends Refusal {
  readonly account: Standing;
  constructor(
    intent: 'lower' | 'remove',
    key: ProjectKey & { readonly user?: UserId },
    { time, space, activeJobs }: Standing,
    jobs?: JobsInTheWay,
  ) {
    const { hpc, project } = key;
    const account = { time, space, activeJobs };
    const lowest = { seconds: time.granted - time.left, kilobytes: space.granted - space.left };
    super('quota-in-use', {
      message: intent === 'lower' ? explainLowest(key, lowest) : explainRemoval(key, account, jobs),
      facts: {
        project: { hpc, project },
        time,
        space,
        livingJobs: activeJobs,
        ...(intent === 'lower' && { lowest: tell(lowest) }),
        ...(jobs && { endedJobs: jobs.ended }),
        ...(jobs?.discarded !== undefined && { discardedJobs: jobs.discarded }),
      },
    });
    this.account = account;
  }
}

function explainLowest(
  { user, hpc, project }: ProjectKey & { readonly user?: UserId },
  { seconds, kilobytes }: Amount,
): string {
  return user === budgetHolder
    ? `The budget of '${project}' on '${hpc}' cannot be set below ${seconds} seconds and ${kilobytes} kilobytes, because that much was shared out, used or is held. Set at least that, or take shares back first.`
    : `The quota of '${project}' on '${hpc}' cannot be set below ${seconds} seconds and ${kilobytes} kilobytes, because jobs have used or hold that much. Set at least that, or wait until jobs end and are deleted.`;
}

function explainRemoval(
  { hpc, project }: ProjectKey,
  { time, space, activeJobs }: Standing,
  jobs: JobsInTheWay | undefined,
): string {
  const counts = [
    `active jobs: ${activeJobs}`,
    ...(jobs ? [`ended jobs: ${jobs.countedAll ? '' : 'at least '}${jobs.ended}`] : []),
  ].join(', ');
  return `The quota of '${project}' on '${hpc}' is in use (${counts}): ${time.held} seconds and ${space.held} kilobytes are held. ${adviseRemoval(activeJobs, jobs)}`;
}

function adviseRemoval(activeJobs: number, jobs: JobsInTheWay | undefined): string {
  if (jobs?.countedAll && jobs.ended === 0 && activeJobs === 0) {
    return 'No job accounts for this. Ask the operator to reconcile the account.';
  }
  return jobs?.discarded === undefined
    ? 'Cancel the active jobs and delete the ended ones, or send ?with_jobs=true to do both.'
    : `Cancelled or deleted so far: ${jobs.discarded}. Send the same request again to continue.`;
}

/** Above this, sums would no longer be exact. */
export class GrantTooLargeError extends /* @__PURE__ */ refusalSaying(
  'grant-too-large',
  ({ hpc, project }: ProjectKey, most: number) =>
    `The quota of '${project}' on '${hpc}' would be above ${most}. Grant less.`,
) {}

/** The account changed after it was read, so the decision must be made again. */
export class AccountChangedError extends StaleReadError {
  override readonly name = 'AccountChangedError';
}

/** The period, or the time after it, has more lines than one request reads. */
export class LedgerTooLongError extends /* @__PURE__ */ refusalSaying(
  'ledger-too-long',
  (part: 'period' | 'newer', limit: number) => {
    const message =
      part === 'period'
        ? `This period has more than ${limit} lines. Choose a shorter one with since and until.`
        : `More than ${limit} lines are newer than this. Choose a later time, or follow the pages.`;
    return { message, wrongParts: [{ part: part === 'period' ? 'since' : 'until', message }] };
  },
) {}

export class BudgetNotFoundError extends /* @__PURE__ */ refusalSaying(
  'budget-not-found',
  ({ hpc, project }: ProjectKey) =>
    `The project '${project}' on '${hpc}' has no budget. An administrator can give it one.`,
) {}

/** A leader wants to share out more than the budget has left. */
export class BudgetTooSmallError extends /* @__PURE__ */ refusalSaying(
  'budget-too-small',
  ({ hpc, project }: ProjectKey, asked: Amount, left: Amount) => ({
    message: `The budget of '${project}' on '${hpc}' has ${left.seconds} seconds and ${left.kilobytes} kilobytes left, but ${asked.seconds} seconds and ${asked.kilobytes} kilobytes are needed. Share out less, or ask an administrator for more.`,
    facts: { project: { hpc, project }, asked: tell(asked), left: tell(left) },
  }),
) {}

/** Nothing is shared out of a budget after its end, and no share lasts longer. */
export class BudgetEndsError extends /* @__PURE__ */ refusalSaying(
  'budget-ends',
  ({ hpc, project }: ProjectKey, end: Date) =>
    `The budget of '${project}' on '${hpc}' ends on ${end.toISOString().slice(0, 10)}. Choose an earlier end, or ask an administrator to extend the budget.`,
) {}

/** A leader changes only what came from the budget. The rest is the administrators' grant. */
export class NotFromBudgetError extends /* @__PURE__ */ refusalSaying(
  'not-from-budget',
  ({ hpc, project }: ProjectKey, { seconds, kilobytes }: Amount) =>
    `Only ${seconds} seconds and ${kilobytes} kilobytes of this quota came from the budget of '${project}' on '${hpc}'. An administrator can change the rest.`,
) {}
