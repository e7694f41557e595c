import { budgetHolder, type UserId } from '#lib/catalog/identifiers.ts';
import { DomainError } from '#lib/errors/domain-error.ts';
import { StaleReadError } from '#lib/table/errors.ts';
import type { ProjectKey } from '#lib/table/keys.ts';
import type { Amount, Quota } from './quota.ts';

/** A submission that its quota refuses. No job was created. */
export abstract class HoldRefusedError extends DomainError {}

export class QuotaExceededError extends HoldRefusedError {
  override readonly name = 'QuotaExceededError';
  readonly project: ProjectKey;
  readonly asked: Amount;
  readonly left: Amount;
  constructor(key: ProjectKey, asked: Amount, left: Amount, of: 'quota' | 'budget' = 'quota') {
    const { hpc, project } = key;
    const shortages = [
      asked.seconds > left.seconds &&
        `${asked.seconds} seconds of time are needed, but only ${left.seconds} remain`,
      asked.kilobytes > left.kilobytes &&
        `${asked.kilobytes} kilobytes of space are needed, but only ${left.kilobytes} remain`,
    ].filter((shortage) => shortage !== false);
    super(
      `The ${of} of '${project}' on '${hpc}' is too small: ${shortages.join('; ')}. Ask for less, or ${of === 'quota' ? 'request more with POST /requests/' : 'ask a leader of the project'}.`,
    );
    this.project = { hpc, project };
    this.asked = asked;
    this.left = left;
  }
}

export class NoQuotaError extends HoldRefusedError {
  override readonly name = 'NoQuotaError';
  constructor({ hpc, project }: ProjectKey) {
    super(
      `You have no quota in the project '${project}' on '${hpc}'. An administrator can grant one.`,
    );
  }
}

/** The project is shared, but nobody has given it a budget to draw from. */
export class NoBudgetError extends HoldRefusedError {
  override readonly name = 'NoBudgetError';
  constructor({ hpc, project }: ProjectKey) {
    super(
      `The members of the project '${project}' on '${hpc}' draw from its budget, but it has none. An administrator can give it one.`,
    );
  }
}

/** The caller was a member by a group that the token no longer has, or that the project no longer names. */
export class NotMemberError extends HoldRefusedError {
  override readonly name = 'NotMemberError';
  constructor({ hpc, project }: ProjectKey) {
    super(
      `You are not a member of the project '${project}' on '${hpc}' any more, because your token does not have its group. Sign in again, or ask a leader of the project.`,
    );
  }
}

/** An administrator has closed the project, so the quota does not matter. */
export class ProjectClosedError extends HoldRefusedError {
  override readonly name = 'ProjectClosedError';
  constructor({ hpc, project }: ProjectKey) {
    super(
      `The project '${project}' on '${hpc}' is closed and accepts no jobs. Submit to another project, or ask an administrator to open it again.`,
    );
  }
}

export class QuotaNotFoundError extends DomainError {
  override readonly name = 'QuotaNotFoundError';
  constructor({ hpc, project }: ProjectKey) {
    super(`No quota in '${project}' on '${hpc}'. An administrator can grant one.`);
  }
}

/** The caller may read, but not submit. */
export class SubmissionBannedError extends HoldRefusedError {
  override readonly name = 'SubmissionBannedError';
  readonly reason: string;
  constructor({ hpc, project }: ProjectKey, reason: string) {
    super(
      `You may not submit to the project '${project}' on '${hpc}'. Ask an administrator. Reason: ${reason}`,
    );
    this.reason = reason;
  }
}

export class QuotaExpiredError extends HoldRefusedError {
  override readonly name = 'QuotaExpiredError';
  constructor({ hpc, project }: ProjectKey, validUntil: Date, of: 'quota' | 'budget' = 'quota') {
    super(
      `The ${of} of '${project}' on '${hpc}' was valid until ${validUntil.toISOString().slice(0, 10)}. An administrator can extend it.`,
    );
  }
}

/** Too many jobs are active. When one ends, there is room. */
export class TooManyJobsError extends HoldRefusedError {
  override readonly name = 'TooManyJobsError';
  readonly limit: number;
  readonly count: number;
  constructor({ hpc, project }: ProjectKey, limit: number, count: number, added = 1) {
    const allowed = `You have ${count} active jobs in the project '${project}' on '${hpc}', and at most ${limit} are allowed at once.`;
    super(
      added === 1
        ? `${allowed} Wait until one ends, or cancel one.`
        : `${allowed} This batch has ${added} more. Submit a smaller one, or wait until others end.`,
    );
    this.limit = limit;
    this.count = count;
  }
}

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
export class QuotaInUseError extends DomainError {
  override readonly name = 'QuotaInUseError';
  readonly project: ProjectKey;
  readonly account: Standing;
  /** The lowest possible grant, if a lower one was wanted. */
  readonly lowest: Amount | undefined;
  /** Undefined if only the quota was read. */
  readonly jobs: JobsInTheWay | undefined;
  constructor(
    intent: 'lower' | 'remove',
    project: ProjectKey & { readonly user?: UserId },
    account: Standing,
    jobs?: JobsInTheWay,
  ) {
    const { time, space, activeJobs } = account;
    const lowest = { seconds: time.granted - time.left, kilobytes: space.granted - space.left };
    super(
      intent === 'lower'
        ? explainLowest(project, lowest)
        : explainRemoval(project, { time, space, activeJobs }, jobs),
    );
    this.project = { hpc: project.hpc, project: project.project };
    this.account = { time, space, activeJobs };
    this.lowest = intent === 'lower' ? lowest : undefined;
    this.jobs = jobs;
  }
}

function explainLowest(
  { user, hpc, project }: ProjectKey & { readonly user?: UserId },
  { seconds, kilobytes }: Amount,
): string {
  if (user === budgetHolder) {
    return `The budget of '${project}' on '${hpc}' cannot be set below ${seconds} seconds and ${kilobytes} kilobytes, because that much was shared out, used or is held. Set at least that, or take shares back first.`;
  }
  return `The quota of '${project}' on '${hpc}' cannot be set below ${seconds} seconds and ${kilobytes} kilobytes, because jobs have used or hold that much. Set at least that, or wait until jobs end and are deleted.`;
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
export class GrantTooLargeError extends DomainError {
  override readonly name = 'GrantTooLargeError';
  constructor({ hpc, project }: ProjectKey, most: number) {
    super(`The quota of '${project}' on '${hpc}' would be above ${most}. Grant less.`);
  }
}

/** The account changed after it was read, so the decision must be made again. */
export class AccountChangedError extends StaleReadError {
  override readonly name = 'AccountChangedError';
}

/** The period, or the time after it, has more lines than one request reads. */
export class LedgerTooLongError extends DomainError {
  override readonly name = 'LedgerTooLongError';
  readonly part: 'period' | 'newer';
  constructor(part: 'period' | 'newer', limit: number) {
    super(
      part === 'period'
        ? `This period has more than ${limit} lines. Choose a shorter one with since and until.`
        : `More than ${limit} lines are newer than this. Choose a later time, or follow the pages.`,
    );
    this.part = part;
  }
}

export class BudgetNotFoundError extends DomainError {
  override readonly name = 'BudgetNotFoundError';
  constructor({ hpc, project }: ProjectKey) {
    super(`The project '${project}' on '${hpc}' has no budget. An administrator can give it one.`);
  }
}

/** A leader wants to share out more than the budget has left. */
export class BudgetTooSmallError extends DomainError {
  override readonly name = 'BudgetTooSmallError';
  readonly project: ProjectKey;
  readonly asked: Amount;
  readonly left: Amount;
  constructor({ hpc, project }: ProjectKey, asked: Amount, left: Amount) {
    super(
      `The budget of '${project}' on '${hpc}' has ${left.seconds} seconds and ${left.kilobytes} kilobytes left, but ${asked.seconds} seconds and ${asked.kilobytes} kilobytes are needed. Share out less, or ask an administrator for more.`,
    );
    this.project = { hpc, project };
    this.asked = asked;
    this.left = left;
  }
}

/** Nothing is shared out of a budget after its end, and no share lasts longer. */
export class BudgetEndsError extends DomainError {
  override readonly name = 'BudgetEndsError';
  constructor({ hpc, project }: ProjectKey, end: Date) {
    super(
      `The budget of '${project}' on '${hpc}' ends on ${end.toISOString().slice(0, 10)}. Choose an earlier end, or ask an administrator to extend the budget.`,
    );
  }
}

/** A leader changes only what came from the budget. The rest is the administrators' grant. */
export class NotFromBudgetError extends DomainError {
  override readonly name = 'NotFromBudgetError';
  constructor({ hpc, project }: ProjectKey, { seconds, kilobytes }: Amount) {
    super(
      `Only ${seconds} seconds and ${kilobytes} kilobytes of this quota came from the budget of '${project}' on '${hpc}'. An administrator can change the rest.`,
    );
  }
}
