/**
 * Builds every key of the single table. No other file builds keys. docs/data-model.md lists what each
 * is for and what it costs, and a test holds that list against the functions here. Tables hold what
 * they give, so it must never change.
 *
 * No part can hold a '#': names come from the catalog, users are digits, job ids are [A-Z0-9_-].
 * Free texts, which are idempotency keys and file ids of HPC systems, always come last.
 */
import {
  type BatchId,
  budgetHolder,
  isRequestId,
  isStoredUserId,
  type JobId,
  type ProjectName,
  projectName,
  type RequestId,
  type SystemName,
  systemName,
  type UserId,
} from '#lib/catalog/identifiers.ts';

export interface PrimaryKey {
  readonly PK: string;
  readonly SK: string;
}

export interface ProjectKey {
  readonly hpc: SystemName;
  readonly project: ProjectName;
}

/** The account of one user in one project. A job is found by its account and its job id. */
export interface AccountKey extends ProjectKey {
  readonly user: UserId;
}

/**
 * Partition of the projects opened at run time, on all systems. They are few and listed together.
 */
export const openedProjects = 'PROJECTS';

/** Patterns of the partition keys, for the conditions of IAM roles. */
export const partitionPatterns = {
  users: 'USER#*',
  ledgers: 'LEDGER#*',
  counters: 'COUNTER#*',
  data: 'SYSTEM#DATA',
  logins: 'LOGIN#*',
  audit: 'AUDIT#*',
  budgets: 'BUDGET#*',
  calls: 'CALLS#*',
  due: 'DUE#*',
  identities: 'IDENTITY#*',
  project_jobs: 'PROJECT#*',
  projects: openedProjects,
  registry: 'REGISTRY#*',
  simulators: 'SIMULATOR#*',
  spending: 'SPENDING',
  statements: 'STATEMENT#*',
  systems: 'SYSTEM#*',
  usage: 'USAGE#*',
  user_counter: 'COUNTER#user',
  webhooks: 'WEBHOOK#*',
} as const;

export type PartitionKind = keyof typeof partitionPatterns;

const keyOf = (PK: string, SK: string): PrimaryKey => ({ PK, SK });

const ofUser = (user: UserId, SK: string) => keyOf(userPartition(user), SK);

const userPrefix = 'USER#';
export const userPartition = (user: UserId) => `${userPrefix}${user}`;

/** Returns the user of a partition, for example of a job or profile found in the registry. */
export function userOfPartition(partition: string): UserId {
  const user = partition.slice(userPrefix.length);
  if (!isStoredUserId(user)) throw new Error(`'${partition}' is not the partition of a user.`);
  return user;
}

// A job, what it was asked to run, its way through its system, and whether somebody follows it.
const nameJob = ({ hpc, project }: ProjectKey, jobId: JobId) => `${hpc}#${project}#${jobId}`;
export const jobKey = (account: AccountKey, jobId: JobId) =>
  ofUser(account.user, `JOB#${nameJob(account, jobId)}`);
export const jobRequestKey = (account: AccountKey, jobId: JobId) =>
  ofUser(account.user, `REQUEST#${nameJob(account, jobId)}`);
export const jobLifeKey = (account: AccountKey, jobId: JobId) =>
  ofUser(account.user, `LIFE#${nameJob(account, jobId)}`);
/** True for the life of a job on a system, in a queue that holds those of other systems, too. */
export const isLifeOn = (hpc: SystemName, { SK }: PrimaryKey) => SK.startsWith(`LIFE#${hpc}#`);
export const jobFollowerKey = (account: AccountKey, jobId: JobId) =>
  ofUser(account.user, `FOLLOWER#${nameJob(account, jobId)}`);

/** Finds who waits for a job or batch that ends. Both ids are of the same owner. */
export const awaitedKey = (owner: UserId, awaited: JobId | BatchId, jobId: JobId) =>
  ofUser(owner, `${waitingFor(owner, awaited).prefix}${jobId}`);
export const waitingFor = (owner: UserId, awaited: JobId | BatchId) => ({
  PK: userPartition(owner),
  prefix: `AWAITED#${awaited}#`,
});

export const batchPrefix = 'BATCH#';
export const batchKey = (user: UserId, batchId: BatchId) =>
  ofUser(user, `${batchPrefix}${batchId}`);
export const batchOrderKey = (user: UserId, batchId: BatchId) => ofUser(user, `ORDER#${batchId}`);

/** A budget is a quota of the project itself, in a partition of its own. */
export const quotaKey = ({ user, hpc, project }: AccountKey) =>
  user === budgetHolder
    ? keyOf(budgetPartition({ hpc, project }), 'BUDGET')
    : ofUser(user, `${quotaPrefix(hpc)}${project}`);
/** Selects the quotas of one system, or of all systems. */
export const quotaPrefix = (hpc?: SystemName) => (hpc === undefined ? 'QUOTA#' : `QUOTA#${hpc}#`);

const budgetPartition = ({ hpc, project }: ProjectKey) => `BUDGET#${hpc}#${project}`;
export const leadersKey = (project: ProjectKey) => keyOf(budgetPartition(project), 'LEADERS');
export const projectFolderKey = (project: ProjectKey) => keyOf(budgetPartition(project), 'FOLDER');
export const leadPrefix = 'LEADS#';
export const leadKey = ({ user, hpc, project }: AccountKey) =>
  ofUser(user, `${leadPrefix}${hpc}#${project}`);

/** Marks a grant of another system as imported. Its id is free text. */
export const importedGrantKey = (account: AccountKey, source: string, id: string) =>
  keyOf(quotaKey(account).PK, `IMPORTED#${account.hpc}#${account.project}#${source}#${id}`);

export const profileKey = (user: UserId) => ofUser(user, 'PROFILE');
/** A beginning that a search finds the user by. It is free text without '#'. */
export const nameStartKey = (user: UserId, start: string) => ofUser(user, `NAMED#${start}`);
export const loginPrefix = 'LOGIN#';
export const loginKey = (user: UserId, hpc: SystemName) => ofUser(user, `${loginPrefix}${hpc}`);
export const claimedLoginPrefix = 'CLAIMED#';
export const claimedLoginKey = (user: UserId, hpc: SystemName) =>
  ofUser(user, `${claimedLoginPrefix}${hpc}`);
/** Names of logins contain no '#'. */
export const loginHolderKey = (hpc: SystemName, login: string) =>
  keyOf(`LOGIN#${hpc}#${login}`, 'HOLDER');

export const idempotencyKey = (user: UserId, key: string) => ofUser(user, `IDEMPOTENCY#${key}`);
/** Names a row by the administrator who sent it, its line, and the Idempotency-Key. */
export const grantedRowKey = (administrator: UserId, line: number, key: string) =>
  ofUser(administrator, `GRANTED#${line}#${key}`);

// The keys of sums do not start with the prefix of what they sum up, so that no list includes them.
export const uploadKey = (user: UserId, uploadId: string) => ofUser(user, `UPLOAD#${uploadId}`);
export const openUploadsKey = (user: UserId) => ofUser(user, 'UPLOADS');
export const relayRecordKey = (owner: UserId, jobId: JobId, fileId: string) =>
  ofUser(owner, `${relayPrefix}${jobId}#${fileId}`);
export const relaysKey = (owner: UserId) => ofUser(owner, 'RELAYS');
export const webhookPrefix = 'WEBHOOK#';
export const webhookKey = (user: UserId, webhookId: string) =>
  ofUser(user, `${webhookPrefix}${webhookId}`);
export const webhookCountKey = (user: UserId) => ofUser(user, 'WEBHOOKS');

const relayPrefix = 'RELAY#';
/** Selects the relayed files of one job, or of all jobs of a user. */
export const relaysOf = (owner: UserId, jobId?: JobId) => ({
  PK: userPartition(owner),
  prefix: jobId === undefined ? relayPrefix : `${relayPrefix}${jobId}#`,
});

export const quotaRequestPrefix = 'ASKED#';
/** A request id contains its user, so the user need not be looked up. */
export const quotaRequestKey = (request: RequestId) =>
  keyOf(`${userPrefix}${request.split('-')[0]}`, `${quotaRequestPrefix}${request}`);
export const openRequestsKey = (user: UserId) => ofUser(user, 'ASKING');

/** Returns the request of a key found in the registry. */
export function requestOfKey({ SK }: PrimaryKey): RequestId {
  const request = SK.slice(quotaRequestPrefix.length);
  if (!isRequestId(request)) throw new Error(`'${SK}' is not the key of a request.`);
  return request;
}

export const notificationsKey = (user: UserId) => ofUser(user, 'NOTIFICATIONS');
export const mailboxKey = (user: UserId) => ofUser(user, 'MAILBOX');
export const mailedKey = (user: UserId, eventId: string) => ofUser(user, `MAILED#${eventId}`);

/**
 * Uses a partition apart from the user's own, so that a flood of calls does not slow down other
 * access to the user's items.
 */
export const callCountKey = (user: UserId, minute: Date, endpoint: string) =>
  keyOf(`CALLS#${user}`, `${minute.toISOString()}#${endpoint}`);

/** Sorts by time, so that the log of a webhook can be read newest first. */
export const deliveryKey = (webhookId: string, at: Date, eventId: string) =>
  keyOf(deliveryPartition(webhookId), `${at.toISOString()}#${eventId}`);
export const deliveryPartition = (webhookId: string) => `WEBHOOK#${webhookId}`;

/** Keeps a month of acts in one partition, because administrators are few. */
export const auditKey = (at: Date, actId: string) =>
  keyOf(auditPartition(at), `${at.toISOString()}#${actId}`);
export const auditPartition = (month: Date) => auditPartitionOf(month.toISOString());
/** Returns the partition of a place. Places and sort keys begin with their month. */
export const auditPartitionOf = (place: string) => `AUDIT#${place.slice(0, monthLength)}`;
/**
 * Returns a place in the audit after everything done up to that moment. '$' sorts right after '#'.
 */
export const auditPlace = (until: Date) => `${until.toISOString()}$`;

/** Returns the end of the month before a place. '~' sorts after every character of a time. */
export function endOfPreviousMonth(place: string): string {
  const month = new Date(`${place.slice(0, monthLength)}-01T00:00:00Z`);
  month.setUTCMonth(month.getUTCMonth() - 1);
  return `${month.toISOString().slice(0, monthLength)}~`;
}

const monthLength = 'YYYY-MM'.length;

export const ledgerPartition = ({ user, hpc, project }: AccountKey) =>
  `LEDGER#${user}#${hpc}#${project}`;
export const ledgerKey = (account: AccountKey, at: Date, cause: string) =>
  keyOf(ledgerPartition(account), `${at.toISOString()}#${cause}`);
/**
 * Sorts before every other line of the same moment, because '!' comes before any letter. An act
 * that welcomes its user has the same moment as the welcome, and the account must be opened before
 * it changes.
 */
export const openingLedgerKey = (account: AccountKey, at: Date, cause: string) =>
  ledgerKey(account, at, `!${cause}`);
/** Returns the range of lines between two moments, both included. '$' sorts right after '#'. */
export const ledgerRange = (since?: Date, until?: Date) => ({
  from: since?.toISOString() ?? '0',
  to: until ? `${until.toISOString()}$` : ':',
});

/** Returns the account of a ledger. Names of users, systems and projects contain no '#'. */
export function accountOfLedger(partition: string): AccountKey {
  const [, user, hpc = '', project = ''] = partition.split('#');
  if (!isStoredUserId(user)) throw new Error(`'${partition}' is not the partition of a ledger.`);
  return { user, hpc: systemName(hpc), project: projectName(project) };
}

// Sums of usage. Days are `2026-11-15`, months `2026-11`, both in UTC.
export const userDaysPartition = (user: UserId) => `USAGE#USER#${user}`;
export const userDayKey = ({ user, hpc, project }: AccountKey, day: string) =>
  keyOf(userDaysPartition(user), `${day}#${hpc}#${project}`);
export const projectDaysPartition = ({ hpc, project }: ProjectKey) =>
  `USAGE#PROJECT#${hpc}#${project}`;
export const projectDayKey = (project: ProjectKey, day: string) =>
  keyOf(projectDaysPartition(project), day);
/** Returns the range of usage between two days, both included. '$' sorts right after '#'. */
export const dayRange = (since: string, until: string) => ({ from: since, to: `${until}$` });

export const userMonthPartition = (month: string) => `USAGE#USERS#${month}`;
export const userMonthKey = ({ user, hpc, project }: AccountKey, month: string) =>
  keyOf(userMonthPartition(month), `${userPlace(user)}#${hpc}#${project}`);
/** Sorts the sums of users in a month by user number. */
export const userPlace = (user: UserId) => registryUser(user);
export const projectMonthPartition = (month: string) => `USAGE#PROJECTS#${month}`;
export const projectMonthKey = (project: ProjectKey, month: string) =>
  keyOf(projectMonthPartition(month), projectPlace(project));
/** Sorts the sums of projects in a month by name. */
export const projectPlace = ({ hpc, project }: ProjectKey) => `${hpc}#${project}`;
/** Returns a key after all sums of a place. '$' sorts right after '#', and before any name. */
export const behindPlace = (place: string) => `${place}$`;
/**
 * Marks the end of a job as counted. Written together with the sums, so that nothing counts twice.
 */
export const countedEndKey = ({ user, hpc, project }: AccountKey, jobId: JobId) =>
  keyOf(`USAGE#COUNTED#${user}#${hpc}#${project}`, jobId);

const statementPartition = ({ hpc, project }: ProjectKey) => `STATEMENT#${hpc}#${project}`;
/** Months are `2026-11`. The row of the budget has the name of its account. */
export const statementRowKey = (project: ProjectKey, month: string, user: UserId) =>
  keyOf(statementPartition(project), `ROW#${month}#${user}`);
/** Written after the rows of a month, all of which are there then. */
export const closedMonthKey = (project: ProjectKey, month: string) =>
  keyOf(statementPartition(project), `CLOSED#${month}`);
/** Notes a user whose quota was removed, because only their ledger remains. */
export const formerMemberKey = ({ user, ...project }: AccountKey) =>
  keyOf(statementPartition(project), `FORMER#${user}`);
/** Selects the rows of a month, or everybody who was a member. */
export const statementRows = (project: ProjectKey, month: string) => ({
  PK: statementPartition(project),
  prefix: `ROW#${month}#`,
});
export const formerMembers = (project: ProjectKey) => ({
  PK: statementPartition(project),
  prefix: 'FORMER#',
});
/** One item for all systems with a price, because they share the month's budget. */
export const spendingKey = () => keyOf(partitionPatterns.spending, 'MONTHS');

const ofSystem = (hpc: SystemName, SK: string) => keyOf(`SYSTEM#${hpc}`, SK);
export const systemHealthKey = (hpc: SystemName) => ofSystem(hpc, 'HEALTH');
export const systemBreakerKey = (hpc: SystemName) => ofSystem(hpc, 'BREAKER');
export const systemMaintenanceKey = (hpc: SystemName) => ofSystem(hpc, 'MAINTENANCE');
/** Days are `2026-11-15`, in UTC. */
export const systemDayKey = (hpc: SystemName, day: string) => ofSystem(hpc, `DAY#${day}`);
/** Selects the days of a system between two, both included. */
export const systemDays = (hpc: SystemName, since: string, until: string) => {
  const { PK, SK: from } = systemDayKey(hpc, since);
  return { PK, from, to: systemDayKey(hpc, until).SK };
};

// Of the service itself. Names of systems are never upper case.
/** Key of the progress of the check of all accounts. */
export const reconciliationKey = () => keyOf('SYSTEM#RECONCILIATION', 'PROGRESS');
/** Key of how far leaders have been told of the statements of a month. */
export const statementMailsKey = () => keyOf('SYSTEM#STATEMENTS', 'MAILED');
/** Key of the last sign of life of the service, and of its absences. */
export const presenceKey = () => keyOf('SYSTEM#PRESENCE', 'SIGN');
/** Key of the steps that the data has taken. */
export const dataStepsKey = () => keyOf(partitionPatterns.data, 'STEPS');

export const simulatorPartition = (hpc: SystemName) => `SIMULATOR#${hpc}`;
export const simulatorKey = (hpc: SystemName, jobId: JobId) =>
  keyOf(simulatorPartition(hpc), jobId);
export const simulatorOrderKey = (hpc: SystemName, jobId: JobId) =>
  keyOf(simulatorPartition(hpc), `${jobId}#ORDER`);

export const openedProjectKey = ({ hpc, project }: ProjectKey) =>
  keyOf(openedProjects, `${hpc}#${project}`);

export const counterNames = ['job', 'quota', 'project', 'user'] as const;
export type CounterName = (typeof counterNames)[number];
export const counterKey = (name: CounterName) => keyOf(`COUNTER#${name}`, 'COUNTER');

/**
 * Key by a hash of issuer and subject. Its 64 hexadecimal digits are longer than any user number.
 */
export const userNumberKey = (hash: string) => keyOf(`IDENTITY#${hash}`, 'NUMBER');
export const subjectKey = (user: UserId) => keyOf(`IDENTITY#${user}`, 'SUBJECT');

/**
 * Pads ids, because they sort as text. 16 digits hold every integer that a double holds exactly.
 */
const padId = (id: number) => String(id).padStart(16, '0');

export const firstId = 1;
export const lastId = Number.MAX_SAFE_INTEGER;

export const jobIndexKeys = ({ hpc, project }: ProjectKey, id: number) => ({
  jobs_by_id: padId(id),
  jobs_by_system: `${hpc}#${padId(id)}`,
  jobs_by_project: `${hpc}#${project}#${padId(id)}`,
  project_jobs: projectPartition({ hpc, project }),
});
export const projectPartition = ({ hpc, project }: ProjectKey) => `PROJECT#${hpc}#${project}`;

export type JobIndex = 'jobs_by_id' | 'jobs_by_system' | 'jobs_by_project';

/** Returns the index that serves a list, and the range of its sort keys. Both ids are included. */
export function jobListRange(
  { hpc, project }: { readonly [Part in keyof ProjectKey]?: ProjectKey[Part] | undefined },
  first: number,
  last: number,
): { index: JobIndex; from: string; to: string } {
  const index =
    hpc === undefined ? 'jobs_by_id' : project === undefined ? 'jobs_by_system' : 'jobs_by_project';
  const prefix = [hpc, project].map((part) => (part === undefined ? '' : `${part}#`)).join('');
  return { index, from: `${prefix}${padId(first)}`, to: `${prefix}${padId(last)}` };
}

/** Reads the id from the end of a sort key, where every job index has it. */
export function idOfIndexKey(sortKey: unknown): number | undefined {
  return typeof sortKey === 'string'
    ? Number(sortKey.slice(sortKey.lastIndexOf('#') + 1))
    : undefined;
}

/**
 * Keys in the registry, which lists items that are spread over the partitions of users. It projects
 * only keys, so that changing a quota or a job does not write to it.
 */
const registered = (registry: string, place: string) => ({ registry, registry_key: place });

export const quotaRegistryKeys = (account: AccountKey) =>
  registered(quotaRegistry(account), registryUser(account.user));
export const quotaRegistry = ({ hpc, project }: ProjectKey) => `REGISTRY#QUOTAS#${hpc}#${project}`;
export const profileRegistryKeys = (user: UserId) => registered(userRegistry, registryUser(user));
export const userRegistry = 'REGISTRY#USERS';
/** Sorts users by what they are found by. */
export const nameStartRegistryKeys = (user: UserId, start: string) =>
  registered(peopleRegistry, `${start}#${registryUser(user)}`);
export const peopleRegistry = 'REGISTRY#PEOPLE';
/** Sorts users by number. '7' and '007' are two users. */
export const registryUser = (user: UserId) => `${user.padStart(32, '0')}#${user}`;
export const jobRegistryKeys = (jobId: JobId) => registered(jobRegistry(jobId), 'JOB');
export const jobRegistry = (jobId: JobId) => `REGISTRY#JOB#${jobId}`;
export const webhookRegistryKeys = (webhookId: string, registry: string) =>
  registered(registry, webhookId);
/** For webhooks that are told what happens to everybody. */
export const webhookRegistry = 'REGISTRY#WEBHOOKS';
/** For webhooks that are told what happens to systems. */
export const systemWebhookRegistry = 'REGISTRY#WEBHOOKS#SYSTEMS';
export const quotaRequestRegistryKeys = (state: string, request: RequestId) =>
  registered(quotaRequestRegistry(state), registryRequest(request));
export const quotaRequestRegistry = (state: string) => `REGISTRY#REQUESTS#${state}`;
/** Sorts requests of all users by time. The part after the user begins with the moment. */
export const registryRequest = (request: RequestId) => request.slice(request.indexOf('-') + 1);

/**
 * Spreads due items over this many partitions, so that no sweep reads one hot key. The runs that
 * follow the jobs of a system share these partitions, so there can be at most as many runs. The
 * number may grow but never shrink, because nobody would read the items in a dropped partition.
 */
const dueShards = 4;

/** The partitions of each queue. Upper case, because names of systems are lower case. */
const queues = {
  /** Jobs that wait for others. No system's sweep sees them there. */
  WAITING: dueShards,
  DELIVERIES: dueShards,
  MAIL: dueShards,
  /** Runs of the operator's programs, on one machine. */
  HOOKS: 1,
  /**
   * For the end and the renewal of quotas. The name dates from when quotas could only end.
   */
  EXPIRY: dueShards,
  /** Active batches are few, and each is attended once a minute, so one partition is enough. */
  BATCHES: 1,
  /** Unused uploads are few and nobody waits for their removal. */
  UPLOADS: 1,
  /** Written only for files above a few megabytes. */
  RELAYS: 1,
};

export type DueQueue = SystemName | `${SystemName}#LOOKS` | keyof typeof queues;

/**
 * The queues for the lives of a system's jobs: those to hand over, and those that it has. They are
 * two, so that many of one kind do not delay the other. The job itself is in none, so that a check
 * does not write to the job's other indexes.
 */
export const handOversOf = (hpc: SystemName): DueQueue => hpc;
export const checksOf = (hpc: SystemName): DueQueue => `${hpc}#LOOKS`;
/** The queues of all active jobs of a system, besides those of a batch whose turn has not come. */
export const listActiveShards = (hpc: SystemName) =>
  [handOversOf(hpc), checksOf(hpc), 'WAITING' as const].flatMap(listShards);
export const checkShard = ({ hpc }: ProjectKey, id: number) =>
  dueShard(checksOf(hpc), id % dueShards);

/** Keys of an item that is due. Without a number of its own it gets into any of the partitions. */
export const dueKeys = (
  queue: DueQueue,
  dueAt: Date,
  id = Math.floor(Math.random() * dueShards),
) => ({ due: dueShard(queue, id % countShards(queue)), due_at: dueAt.toISOString() });

/** Lists all partitions of a queue. */
export const listShards = (queue: DueQueue) =>
  Array.from({ length: countShards(queue) }, (_, shard) => dueShard(queue, shard));

function countShards(queue: DueQueue): number {
  const counts: Readonly<Record<string, number>> = queues;
  return counts[queue] ?? dueShards;
}

const dueShard = (queue: DueQueue, shard: number) => `DUE#${queue}#${shard}`;
