import { listAccounts } from '#lib/accounts/list-accounts.ts';
import type { HpcSystem, Project } from '#lib/catalog/hpc-system.ts';
import { isJobId, type JobId } from '#lib/catalog/identifiers.ts';
import { computeSettlement } from '#lib/charging/charge-job.ts';
import type { AccountedJob, Connector } from '#lib/hpc/connector.ts';
import { type Job, jobFromItem } from '#lib/jobs/job.ts';
import { type JobLife, lifeFromItem } from '#lib/jobs/life/job-life.ts';
import { countRuns } from '#lib/jobs/life/runs.ts';
import type { StoredLine } from '#lib/quotas/ledger.ts';
import { walkLedger } from '#lib/quotas/read-ledger.ts';
import { type AccountKey, jobKey, jobLifeKey, jobRegistry, ledgerRange } from '#lib/table/keys.ts';
import { readItem, readItems } from '#lib/table/reads.ts';
import { readRegistryKeys } from '#lib/table/registry.ts';
import type { Table } from '#lib/table/table.ts';
import { addSeconds } from '#lib/time/add-seconds.ts';

/** A job that Slipway has settled. */
export interface Settled {
  readonly job: Pick<Job, 'jobId' | 'hold' | 'runtime'>;
  readonly line: Pick<StoredLine, 'at' | 'used' | 'end'>;
  /** The task of an array that the job may have been handed over as. */
  readonly array?: JobLife['array'];
}

export interface Difference {
  readonly jobId: string;
  /** Seconds of the quota. */
  readonly charged: number;
  /** The charge that the system's own figures would give. */
  readonly expected: number;
  readonly reason: string;
  readonly isExplained: boolean;
}

export interface Comparison {
  readonly compared: number;
  readonly differences: readonly Difference[];
}

/**
 * Recognizes Slipway's job ids for commands, and its arrays, whose names begin with the id of a
 * batch. Jobs of others on the cluster have other names.
 */
const ours = /^[0-9A-F]{8}(-[0-9A-F]{4}){3}-[0-9A-F]{12}/;

const aDay = 24 * 60 * 60;
const pageSize = 100;

/**
 * Compares the charges of jobs that ended in a period with the accounting of their system. Returns
 * undefined if the system has no accounting.
 */
export async function compareWithSystem(
  table: Table,
  {
    system,
    projects,
    connector,
  }: { system: HpcSystem; projects: readonly Project[]; connector: Connector },
  { since, until }: Period,
): Promise<Comparison | undefined> {
  const accounted = await connector.readAccounting?.(since);
  if (!accounted) return undefined;
  const own = projects.filter(({ hpc }) => hpc === system.name);
  // A job that ended at the end of the period may have been settled a day later.
  const settled = await readSettled(table, own, since, addSeconds(until, aDay));
  const counted = new Map(
    accounted
      .filter(({ endedAt }) => endedAt <= until)
      .toSorted((one, other) => one.endedAt.getTime() - other.endedAt.getTime())
      .map((job) => [nameOf(job), job]),
  );
  const known = new Set(settled.flatMap(namesOf));
  const sum = (job: AccountedJob | undefined) => job && countRuns(job.runs, system).charged;
  const find = (each: Settled) =>
    namesOf(each)
      .map((name) => counted.get(name))
      .find((job) => job !== undefined);
  const differences = settled
    .filter((each) => find(each) || each.line.at <= until)
    .flatMap((each) => explainDifference(each, sum(find(each))) ?? []);
  const strangers = [...counted].flatMap(([name, job]) =>
    ours.test(name) && !known.has(name) ? [job] : [],
  );
  for (const job of strangers) {
    differences.push(...(await explainUnsettled(table, system, job, until)));
  }
  return { compared: settled.length, differences };
}

/** Names a job as its system does: by its job id, or as a task of an array. */
function nameOf({ name, task }: Pick<AccountedJob, 'name' | 'task'>): string {
  return task === undefined ? name : `${name}_${task}`;
}

/** Lists both names of a job that may have been handed over alone or in an array. */
function namesOf({ job, array }: Settled): string[] {
  return [job.jobId, ...(array ? [nameOf(array)] : [])];
}

async function readSettled(
  table: Table,
  projects: readonly Project[],
  since: Date,
  until: Date,
): Promise<Settled[]> {
  const settled: Settled[] = [];
  for await (const accounts of listAccounts(table, projects, pageSize)) {
    for (const account of accounts) {
      const lines = new Map<JobId, StoredLine>();
      for await (const line of walkLedger(table, account, ledgerRange(since, until))) {
        if (line.kind === 'settle' && line.jobId !== undefined) lines.set(line.jobId, line);
      }
      settled.push(...(await readJobs(table, account, lines)));
    }
  }
  return settled;
}

async function readJobs(
  table: Table,
  account: AccountKey,
  lines: ReadonlyMap<JobId, StoredLine>,
): Promise<Settled[]> {
  const items = await readItems(
    table,
    [...lines.keys()].map((jobId) => jobKey(account, jobId)),
  );
  const jobs = items.map(jobFromItem);
  const ofBatches = jobs.filter(({ batch }) => batch !== undefined);
  const lives = await readItems(
    table,
    ofBatches.map(({ jobId }) => jobLifeKey(account, jobId)),
  );
  const arrays = new Map(lives.map(lifeFromItem).map(({ jobId, array }) => [jobId, array]));
  return jobs.flatMap((job) => {
    const line = lines.get(job.jobId);
    return line ? [{ job, line, array: arrays.get(job.jobId) }] : [];
  });
}

/**
 * Explains why a charge differs from the seconds that the rule makes of the system's accounting.
 * Returns undefined if it does not.
 */
export function explainDifference(
  { job, line }: Settled,
  counted: number | undefined,
): Difference | undefined {
  const { jobId, hold, runtime } = job;
  const chargeFor = (seconds: number) => computeSettlement(hold, runtime, seconds).used;
  const expected = chargeFor(counted ?? 0);
  const charged = line.used;
  if (charged === expected) return undefined;
  const { excused = 0, byClock = false } = line.end ?? {};
  const difference = { jobId, charged, expected };
  // Tolerate the price of one second, because excused time is stored in whole seconds.
  const aSecond = hold.seconds / (runtime * 3600);
  if (excused > 0 && Math.abs(charged - chargeFor((counted ?? 0) - excused)) <= aSecond) {
    const reason = `${excused} seconds of waiting for this service are not charged`;
    return { ...difference, reason, isExplained: true };
  }
  if (byClock) {
    const reason = 'the system could not be asked, so the time until then was charged by the clock';
    return { ...difference, reason, isExplained: true };
  }
  const reason =
    counted === undefined
      ? 'the accounting of the system has no such job'
      : `the system counts ${counted} seconds of ${Math.round(runtime * 3600)} granted`;
  return { ...difference, reason, isExplained: false };
}

/** Explains a job in the accounting that no ledger line settles. */
async function explainUnsettled(
  table: Table,
  system: HpcSystem,
  accounted: AccountedJob,
  until: Date,
): Promise<Difference[]> {
  const { runs, endedAt } = accounted;
  const jobId = nameOf(accounted);
  const difference = { jobId, charged: 0, expected: countRuns(runs, system).charged };
  const isFresh = addSeconds(endedAt, aDay) > until;
  const unsettled = { ...difference, reason: 'it is not settled yet', isExplained: isFresh };
  if (accounted.task !== undefined) return [unsettled];
  if (!isJobId(jobId)) return [];
  const [key] = (await readRegistryKeys(table, jobRegistry(jobId), 1)).keys;
  const life = key && (await readItem(table, key, lifeFromItem));
  if (!life) {
    return [{ ...difference, reason: 'Slipway does not know this job', isExplained: false }];
  }
  // Two systems of a catalog may share one accounting.
  if (life.account.hpc !== system.name) return [];
  return [unsettled];
}

export interface Period {
  readonly since: Date;
  readonly until: Date;
}

/** Reads a period of whole days in UTC. By default it starts seven days ago and ends now. */
export function readPeriod(since?: string, until?: string, now = new Date()): Period {
  return {
    since: since === undefined ? addSeconds(now, -7 * aDay) : readDay('--since', since),
    until: until === undefined ? now : addSeconds(readDay('--until', until), aDay),
  };
}

function readDay(option: string, text: string): Date {
  const day = /^\d{4}-\d\d-\d\d$/.test(text) ? new Date(`${text}T00:00:00Z`) : undefined;
  if (!day || Number.isNaN(day.getTime())) {
    throw new Error(`${option} must be a day like 2026-11-01, not '${text}'.`);
  }
  return day;
}

/** Writes a line per difference and a summary. */
export function describeComparison(hpc: string, comparison: Comparison | undefined): string {
  if (!comparison) return `${hpc}: this system has no accounting to ask.`;
  const { compared, differences } = comparison;
  const unexplained = differences.filter(({ isExplained }) => !isExplained).length;
  return [
    ...differences.map(
      ({ jobId, charged, expected, reason, isExplained }) =>
        `${hpc} ${jobId}: charged ${charged} s, ${expected} s by the system: ${reason}${isExplained ? '' : ' (unexplained)'}`,
    ),
    `${hpc}: ${compared} compared, ${differences.length} different, ${unexplained} unexplained`,
  ].join('\n');
}
