import type { BatchId, JobId, RequestId, UserId } from '#lib/catalog/identifiers.ts';

/**
 * What accounts should be, in the simplest form that can be right: plain numbers in a map. The
 * service keeps them in a table, by transactions, under crashes; both must say the same.
 */
export interface Account {
  granted: Amount;
  used: number;
  expired: boolean;
  /** After its end: when what jobs have given back since is taken back too. */
  lookAgain: Date | undefined;
  renewal: ModelRenewal | undefined;
  /** How much of the grant a leader has taken from the budget. */
  share: Amount;
  /** Set for a member by a group. */
  throughGroup?: true;
}

/** What an administrator has given a project. */
export interface ModelBudget {
  granted: Amount;
  /** What jobs of members used that drew from it. */
  used: number;
  /** What leaders have shared out, and has not come back. */
  shared: Amount;
}

/** On the first of every month, whatever the moment of the day. */
interface ModelRenewal {
  readonly to: Amount;
  readonly carryOver: Amount;
  readonly next: Date;
}

export interface Amount {
  readonly time: number;
  readonly space: number;
}

export interface ModelJob {
  readonly jobId: JobId;
  readonly user: UserId;
  readonly project: string;
  hold: Amount;
  /** Hours that were granted. */
  readonly hours: number;
  /** The most that it can cost, in millionths of a US dollar. Only on systems with a price. */
  readonly cost?: number;
  /** `cancelling`: its system has not said yet how long it ran. */
  state: 'living' | 'cancelling' | 'ended' | 'cancelled' | 'deleted';
  /** Whether its system counts its time, so that a cancel waits for it. */
  counted: boolean;
  cancelledAt?: Date;
  failed?: boolean;
  readonly batch?: BatchId;
  /** Set for a job that waits for others, or did. */
  chain?: ModelChain;
  /** What it left for a job that takes it as its input, in kilobytes. */
  results?: number;
}

export interface ModelChain {
  readonly waits: readonly ModelWait[];
  /** When the clock checks next whether the wait is over. Missing once it does not wait. */
  until: Date | undefined;
  /** How often somebody has begun to take over its input and was cut off. */
  tries: number;
  /** Whether somebody may still be at it, until then. */
  leased: boolean;
  /** Whether it ended while it waited, so that its system never hears of it. */
  fell: boolean;
}

export interface ModelWait {
  readonly id: JobId | BatchId;
  readonly anyEnd: boolean;
  readonly givesInput: boolean;
}

/** Many jobs that hold their quota from the first moment on, and are created afterwards. */
export interface ModelBatch {
  readonly id: BatchId;
  readonly user: UserId;
  readonly project: string;
  readonly count: number;
  /** What each job holds. */
  readonly jobTime: number;
  /** What each job can cost, on systems with a price. */
  readonly jobCost?: number;
  /** What the shared zip holds, until it is given up. */
  readonly space: number;
  readonly limit: number | undefined;
  unfolded: number;
  dropped: number;
  holdsSpace: boolean;
  discard?: 'cancel' | 'delete';
  /** For failed jobs that run again: the batch that the zip was sent with. */
  readonly source?: ModelBatch;
  /** How many batches use the zip that was sent with this one. */
  users: number;
  left?: boolean;
}

/** Counts the jobs that are accepted but not created. */
export function pendingOf({ count, unfolded, dropped }: ModelBatch): number {
  return count - unfolded - dropped;
}

/** The last request of a user for a project; at most one is open. */
export interface ModelRequest {
  readonly id: RequestId;
  readonly wanted: Amount;
  state: 'open' | 'approved' | 'declined' | 'withdrawn';
}

export const maxLivingJobs = 2;
export const maxBatchJobs = 60;

/** US dollars a month: one job of a day, or 25 jobs of an hour. */
export const budget = 2.5;

export class Model {
  readonly accounts = new Map<string, Account>();
  readonly jobs: ModelJob[] = [];
  readonly batches: ModelBatch[] = [];
  /** A user who has been seen, and a user with each project that a first contact opened. */
  readonly welcomed = new Set<string>();
  /** Where there ever was an account: its ledger outlives it. */
  readonly ledgers = new Set<string>();
  /** A user, or a user and a project: a ban outlives the quota that it is on. */
  readonly bans = new Set<string>();

  /** By project. */
  readonly budgets = new Map<string, ModelBudget>();

  /** By user and project. */
  readonly requests = new Map<string, ModelRequest>();

  /** What the jobs of all users cost that ended in a month. */
  readonly #costs = new Map<string, number>();
  /** Settled jobs whose cost the service has not been told to count. */
  readonly uncounted: ModelJob[] = [];
  readonly #now: () => Date;

  constructor(now: () => Date) {
    this.#now = now;
  }

  /** First contact opens what the catalog grants, in each project once. */
  welcome(user: string, grants: ReadonlyMap<string, Amount>): void {
    this.welcomed.add(user);
    for (const [project, granted] of grants) {
      if (this.welcomed.has(`${user} ${project}`)) continue;
      this.welcomed.add(`${user} ${project}`);
      this.open(user, project, granted);
    }
  }

  account(user: string, project: string): Account | undefined {
    return this.accounts.get(`${user} ${project}`);
  }

  open(user: string, project: string, granted: Amount): void {
    this.accounts.set(`${user} ${project}`, {
      granted,
      used: 0,
      expired: false,
      lookAgain: undefined,
      renewal: undefined,
      share: none,
    });
    this.ledgers.add(`${user} ${project}`);
  }

  /** Another amount; where there is no account it is opened with it. */
  grant(user: string, project: string, granted: Amount): void {
    const account = this.account(user, project);
    if (!account) this.open(user, project, granted);
    else Object.assign(account, { granted, share: least(account.share, granted) });
  }

  /** Opens a quota of nothing for a member by a group. */
  join(user: string, project: string): void {
    if (this.account(user, project)) return;
    this.open(user, project, none);
    Object.assign(this.account(user, project) ?? {}, { throughGroup: true });
  }

  giveBudget(project: string, granted: Amount): void {
    const budget = this.budgets.get(project);
    if (budget) budget.granted = granted;
    else this.budgets.set(project, { granted, used: 0, shared: none });
  }

  /** What is neither shared out nor held or used by the jobs of members. */
  budgetLeft(project: string): Amount {
    const { granted, used, shared } = this.budgets.get(project) ?? {
      granted: none,
      used: 0,
      shared: none,
    };
    const drawn = this.drawn(project);
    return {
      time: granted.time - drawn.time - used - shared.time,
      space: granted.space - drawn.space - shared.space,
    };
  }

  /** What the jobs of one member hold of a budget, or those of all members. */
  drawn(project: string, user?: string): Amount & { readonly jobs: number } {
    const members = user === undefined ? [...this.#submitters(project)] : [user];
    return members
      .filter(() => isShared(project))
      .map((each) => this.#heldByJobs(each, project))
      .reduce(
        (sum, { time, space, jobs }) => ({
          time: sum.time + time,
          space: sum.space + space,
          jobs: sum.jobs + jobs,
        }),
        { ...none, jobs: 0 },
      );
  }

  #submitters(project: string): Set<string> {
    return new Set(
      [...this.jobs, ...this.batches]
        .filter((each) => each.project === project)
        .map(({ user }) => user),
    );
  }

  /** The name of the error that a leader's grant must get, if any. */
  refuseShare(user: string, project: string, added: Amount): string | undefined {
    if (!this.budgets.has(project)) return 'BudgetNotFoundError';
    const { share } = this.account(user, project) ?? { share: none };
    if (share.time + added.time < 0 || share.space + added.space < 0) return 'NotFromBudgetError';
    const own = this.left(user, project);
    if (own.time + added.time < 0 || own.space + added.space < 0) return 'QuotaInUseError';
    const left = this.budgetLeft(project);
    const isShort =
      (added.time > 0 && added.time > left.time) || (added.space > 0 && added.space > left.space);
    return isShort ? 'BudgetTooSmallError' : undefined;
  }

  share(user: string, project: string, added: Amount): void {
    const account = this.account(user, project);
    const budget = this.budgets.get(project);
    if (!budget) throw new Error('There is nothing to share.');
    budget.shared = add(budget.shared, added);
    if (!account) this.open(user, project, none);
    const opened = this.account(user, project);
    if (!opened) throw new Error('It was opened.');
    opened.granted = add(opened.granted, added);
    opened.share = add(opened.share, added);
  }

  /** What lapses goes back to the budget, as far as it came from there. */
  #giveBack(project: string, account: Account, lapsed: Amount): void {
    const budget = this.budgets.get(project);
    const returned = least(account.share, lapsed);
    account.share = subtract(account.share, returned);
    if (budget) budget.shared = subtract(budget.shared, returned);
  }

  request(user: string, project: string): ModelRequest | undefined {
    return this.requests.get(`${user} ${project}`);
  }

  openRequests(user: string): RequestId[] {
    return [...this.requests]
      .filter(([place, { state }]) => place.startsWith(`${user} `) && state === 'open')
      .map(([, { id }]) => id);
  }

  /** A request that is approved is a grant. */
  approve(user: string, project: string, granted: Amount): void {
    const request = this.request(user, project);
    if (request?.state !== 'open') throw new Error('There is nothing to approve.');
    const before = this.account(user, project)?.granted ?? { time: 0, space: 0 };
    this.grant(user, project, {
      time: before.time + granted.time,
      space: before.space + granted.space,
    });
    request.state = 'approved';
  }

  close(user: string, project: string): void {
    const account = this.account(user, project);
    if (account) this.#giveBack(project, account, this.left(user, project));
    this.accounts.delete(`${user} ${project}`);
  }

  jobsOf(user: string, project: string): ModelJob[] {
    return this.jobs.filter((job) => job.user === user && job.project === project);
  }

  /** What the user's own quota holds. Jobs that draw from a budget are only counted there. */
  held(user: string, project: string): Amount & { readonly jobs: number } {
    const held = this.#heldByJobs(user, project);
    return isShared(project) ? { ...none, jobs: held.jobs } : held;
  }

  /** Time is held until a job is settled, space until it is cancelled or deleted. */
  #heldByJobs(user: string, project: string): Amount & { readonly jobs: number } {
    const jobs = this.jobsOf(user, project);
    const living = jobs.filter(isUnsettled);
    const keeping = jobs.filter((job) => isUnsettled(job) || job.state === 'ended');
    const batches = this.batches.filter((each) => each.user === user && each.project === project);
    const pending = batches.map((batch) => pendingOf(batch));
    return {
      time:
        living.reduce((sum, { hold }) => sum + hold.time, 0) +
        batches.reduce((sum, { jobTime }, at) => sum + jobTime * (pending[at] ?? 0), 0),
      space:
        keeping.reduce((sum, { hold }) => sum + hold.space, 0) +
        batches.reduce((sum, { holdsSpace, space }) => sum + (holdsSpace ? space : 0), 0),
      jobs: living.length + pending.reduce((sum, count) => sum + count, 0),
    };
  }

  left(user: string, project: string): Amount {
    const account = this.account(user, project);
    const held = this.held(user, project);
    return {
      time: (account?.granted.time ?? 0) - held.time - (account?.used ?? 0),
      space: (account?.granted.space ?? 0) - held.space,
    };
  }

  /** What is left where the user's jobs are paid. */
  leftToPay(user: string, project: string): Amount {
    return isShared(project) ? this.budgetLeft(project) : this.left(user, project);
  }

  /** The name of the error that a submission must get, if any. */
  refuse(
    user: string,
    project: string,
    hold: Amount,
    { jobs, most, joins = false }: { jobs: number; most: number; joins?: boolean | undefined } = {
      jobs: 1,
      most: maxLivingJobs,
    },
  ): string | undefined {
    const account = this.account(user, project);
    if (!account) return 'NoQuotaError';
    if (account.throughGroup && !joins) return 'NotMemberError';
    if (this.bans.has(user) || this.bans.has(`${user} ${project}`)) return 'SubmissionBannedError';
    if (account.expired) return 'QuotaExpiredError';
    if (this.held(user, project).jobs + jobs > most) return 'TooManyJobsError';
    if (isShared(project) && !this.budgets.has(project)) return 'NoBudgetError';
    const left = this.leftToPay(user, project);
    const fits = hold.time <= left.time && hold.space <= left.space;
    return fits ? undefined : 'QuotaExceededError';
  }

  /** What the month of today has cost, and what active and pending jobs may still cost. */
  spending(): { readonly held: number; readonly used: number } {
    const unsettled = this.jobs.filter(isUnsettled);
    const jobs = unsettled.reduce((sum, { cost = 0 }) => sum + cost, 0);
    const pending = this.batches.map((batch) => pendingOf(batch) * (batch.jobCost ?? 0));
    const held = pending.reduce((sum, cost) => sum + cost, jobs);
    return { held, used: this.#costs.get(monthOf(this.#now())) ?? 0 };
  }

  /** The name of the error that a submission with this cost must get, if any. */
  refuseCost(cost: number | undefined): string | undefined {
    if (cost === undefined) return undefined;
    const { held, used } = this.spending();
    return held + used + cost > budget * 1_000_000 ? 'BudgetSpentError' : undefined;
  }

  /** From now on nothing can be submitted; the next sweep takes back what is left. */
  expire(user: string, project: string, now: Date): void {
    const account = this.account(user, project);
    if (!account) throw new Error('There is nothing to expire.');
    account.expired = true;
    account.lookAgain = now;
  }

  /** Without an end again. What it missed meanwhile it has missed. */
  prolong(account: Account, now: Date): void {
    if (account.expired && account.renewal) {
      account.renewal = { ...account.renewal, next: firstOfNextMonth(now) };
    }
    account.expired = false;
    account.lookAgain = undefined;
  }

  /** What the clock finds due, of all accounts. */
  sweep(now: Date): void {
    for (const [name, account] of this.accounts) {
      const [user = '', project = ''] = name.split(' ');
      const left = this.left(user, project);
      const { renewal, lookAgain } = account;
      if (lookAgain && lookAgain <= now) {
        account.granted = subtract(account.granted, left);
        this.#giveBack(project, account, left);
        const held = this.held(user, project);
        account.lookAgain = held.time > 0 || held.space > 0 ? aDayAfter(now) : undefined;
      } else if (!account.expired && renewal && renewal.next <= now) {
        const carried = {
          time: Math.min(left.time, renewal.carryOver.time),
          space: Math.min(left.space, renewal.carryOver.space),
        };
        // What is left becomes what is carried over and what is granted, whatever was missed.
        const added = subtract(carried, left);
        this.#giveBack(project, account, subtract(left, carried));
        account.granted = {
          time: account.granted.time + added.time + renewal.to.time,
          space: account.granted.space + added.space + renewal.to.space,
        };
        account.renewal = { ...renewal, next: firstOfNextMonth(now) };
      }
    }
  }

  settle(job: ModelJob, ranSeconds: number, state: 'ended' | 'cancelled'): void {
    const account = this.account(job.user, job.project);
    if (!account || !isUnsettled(job)) throw new Error('There is nothing to settle.');
    const payer = isShared(job.project) ? this.budgets.get(job.project) : account;
    if (!payer) throw new Error('There is no budget.');
    payer.used += Math.min(job.hold.time, chargeFor(job, ranSeconds));
    job.state = state;
    if (job.cost === undefined) return;
    const month = monthOf(this.#now());
    this.#costs.set(month, (this.#costs.get(month) ?? 0) + costOfRun(job.cost, job, ranSeconds));
    this.uncounted.push(job);
  }
}

export function isUnsettled({ state }: ModelJob): boolean {
  return state === 'living' || state === 'cancelling';
}

/** Members draw from the budget of such a project. */
export function isShared(project: string): boolean {
  return project.startsWith('lab_');
}

const none: Amount = { time: 0, space: 0 };

function least(one: Amount, other: Amount): Amount {
  return { time: Math.min(one.time, other.time), space: Math.min(one.space, other.space) };
}

function add(to: Amount, { time, space }: Amount): Amount {
  return { time: to.time + time, space: to.space + space };
}

function subtract(from: Amount, { time, space }: Amount): Amount {
  return { time: from.time - time, space: from.space - space };
}

export function firstOfNextMonth(now: Date, months = 1): Date {
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + months, 1));
}

function monthOf(now: Date): string {
  return now.toISOString().slice(0, 'YYYY-MM'.length);
}

function aDayAfter(now: Date): Date {
  return new Date(now.getTime() + 24 * 3600 * 1000);
}

/** The share of the hold that was run through, in whole seconds, the last one begun. */
function chargeFor({ hold, hours }: ModelJob, ranSeconds: number): number {
  return Math.ceil(Number(((hold.time * ranSeconds) / (hours * 3600)).toFixed(6)));
}

/** The share of the most that it could cost, for a minute at least if it ran at all. */
function costOfRun(most: number, { hours }: ModelJob, ranSeconds: number): number {
  if (ranSeconds === 0) return 0;
  const share = Math.max(60, ranSeconds) / (hours * 3600);
  return Math.min(most, Math.ceil(Number((most * share).toFixed(6))));
}
