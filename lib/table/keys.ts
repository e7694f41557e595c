/**
 * Builds every key of the single table. No other file builds keys. docs/data-model.md repeats the
 * list below with the cost of each access. A test compares the two, and this one is right.
 *
 * | access                                   | how                                                       |
 * |------------------------------------------|-----------------------------------------------------------|
 * | a job                                    | PK USER#<owner>, SK JOB#<hpc>#<project>#<job_id>          |
 * | what a job was asked to run              | PK USER#<owner>, SK REQUEST#<hpc>#<project>#<job_id>      |
 * | a job's way through its system           | PK USER#<owner>, SK LIFE#<hpc>#<project>#<job_id>         |
 * | whether somebody follows a running job   | PK USER#<owner>, SK FOLLOWER#<hpc>#<project>#<job_id>, TTL |
 * | all jobs of a user, by id                | local index jobs_by_id: <id>                              |
 * | those on one system                      | local index jobs_by_system: <hpc>#<id>                    |
 * | those in one project                     | local index jobs_by_project: <hpc>#<project>#<id>         |
 * | which jobs wait for a job or batch       | PK USER#<owner>, SK AWAITED#<awaited id>#<job_id>         |
 * | a batch of a user, by time               | PK USER#<owner>, SK BATCH#<batch_id>                      |
 * | what the jobs of a batch are to run      | PK USER#<owner>, SK ORDER#<batch_id>                      |
 * | quotas of a user                         | PK USER#<user>, SK QUOTA#<hpc>#<project>                  |
 * | profile of a user                        | PK USER#<user>, SK PROFILE                                |
 * | which projects a user leads              | PK USER#<user>, SK LEADS#<hpc>#<project>                  |
 * | a user's login on a system               | PK USER#<user>, SK LOGIN#<hpc>                            |
 * | an Idempotency-Key of a user             | PK USER#<user>, SK IDEMPOTENCY#<key>, TTL                 |
 * | a row of grants that is done             | PK USER#<administrator>, SK GRANTED#<line>#<key>, TTL     |
 * | an upload of a user                      | PK USER#<user>, SK UPLOAD#<upload_id>, TTL                |
 * | which uploads of a user wait for a job   | PK USER#<user>, SK UPLOADS, TTL                           |
 * | a file that is handed out by address     | PK USER#<owner>, SK RELAY#<job_id>#<file_id>              |
 * | how much of a user's is handed out so    | PK USER#<owner>, SK RELAYS                                |
 * | what a user has asked for, by time       | PK USER#<user>, SK ASKED#<request_id>, TTL                |
 * | which of it is open                      | PK USER#<user>, SK ASKING                                 |
 * | webhooks of a user                       | PK USER#<user>, SK WEBHOOK#<webhook_id>                   |
 * | how many webhooks a user has             | PK USER#<user>, SK WEBHOOKS                               |
 * | deliveries of a webhook, by time         | PK WEBHOOK#<webhook_id>, SK <time>#<event id>, TTL        |
 * | what a user wants to be told by mail     | PK USER#<user>, SK NOTIFICATIONS                          |
 * | what a user is told next by mail         | PK USER#<user>, SK MAILBOX                                |
 * | whether an event was put there           | PK USER#<user>, SK MAILED#<event id>, TTL                 |
 * | ledger of a quota, by time               | PK LEDGER#<user>#<hpc>#<project>, SK <time>#<cause>       |
 * | what administrators did, by time         | PK AUDIT#<month>, SK <time>#<act>                         |
 * | jobs that wait to be handed over         | global index due: DUE#<hpc>#<shard>, by due_at            |
 * | jobs that their system has, and are due  | global index due: DUE#<hpc>#LOOKS#<shard>, by due_at      |
 * | jobs that wait for other jobs            | global index due: DUE#WAITING#<shard>, by due_at          |
 * | deliveries that are due                  | global index due: DUE#DELIVERIES#<shard>, by due_at       |
 * | mailboxes that are due                   | global index due: DUE#MAIL#<shard>, by due_at             |
 * | batches that need attention              | global index due: DUE#BATCHES#0, by due_at                |
 * | uploads that no job has begun with       | global index due: DUE#UPLOADS#0, by due_at                |
 * | relayed files nobody fetches any more    | global index due: DUE#RELAYS#0, by due_at                 |
 * | quotas that end or renew, by the next    | global index due: DUE#EXPIRY#<shard>, by due_at           |
 * | everybody's jobs in a project, by id     | global index project_jobs: PROJECT#<hpc>#<project>, by id |
 * | everybody's quotas in a project, by user | global index registry: REGISTRY#QUOTAS#<hpc>#<project>    |
 * | all users                                | global index registry: REGISTRY#USERS                     |
 * | whose job it is                          | global index registry: REGISTRY#JOB#<job_id>              |
 * | everybody's requests of a state, by time | global index registry: REGISTRY#REQUESTS#<state>          |
 * | webhooks for what administrators learn   | global index registry: REGISTRY#WEBHOOKS                  |
 * | what was last seen of a system           | PK SYSTEM#<hpc>, SK HEALTH                                |
 * | whether a system is called at all        | PK SYSTEM#<hpc>, SK BREAKER                               |
 * | how a system was on a day                | PK SYSTEM#<hpc>, SK DAY#<day>, TTL                        |
 * | how far the check of all accounts came   | PK SYSTEM#RECONCILIATION, SK PROGRESS                     |
 * | when the service was there               | PK SYSTEM#PRESENCE, SK SIGN                               |
 * | which steps the data has taken           | PK SYSTEM#DATA, SK STEPS                                  |
 * | what the simulators run                  | PK SIMULATOR#<hpc>, SK <job_id>                           |
 * | what they were asked to run, its input   | PK SIMULATOR#<hpc>, SK <job_id>#ORDER                     |
 * | what a user used, by day                 | PK USAGE#USER#<user>, SK <day>#<hpc>#<project>            |
 * | what was used in a project, by day       | PK USAGE#PROJECT#<hpc>#<project>, SK <day>                |
 * | what each user used in a month           | PK USAGE#USERS#<month>, SK <user>#<hpc>#<project>         |
 * | what was used in each project in a month | PK USAGE#PROJECTS#<month>, SK <hpc>#<project>             |
 * | whether the end of a job was counted     | PK USAGE#COUNTED#<user>#<hpc>#<project>, SK <job_id>      |
 * | what jobs with a price cost              | PK SPENDING, SK MONTHS                                    |
 * | projects that were opened at run time    | PK PROJECTS, SK <hpc>#<project>                           |
 * | the budget of a project                  | PK BUDGET#<hpc>#<project>, SK BUDGET                      |
 * | who leads a project                      | PK BUDGET#<hpc>#<project>, SK LEADERS                     |
 * | record numbers                           | PK COUNTER#<name>, SK COUNTER                             |
 * | calls of a user in a minute              | PK CALLS#<user>, SK <minute>#<endpoint>, TTL              |
 * | the number given to a subject            | PK IDENTITY#<hash>, SK NUMBER                             |
 * | the subject that a number was given to   | PK IDENTITY#<user>, SK SUBJECT                            |
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
 * Pads ids, because they sort as text. 16 digits hold every integer that a double holds exactly.
 */
const idDigits = 16;

/**
 * Spreads due items over this many partitions, so that no sweep reads one hot key. The runs that
 * follow the jobs of a system share these partitions, so there can be at most as many runs. The
 * number may grow but never shrink, because nobody would read the items in a dropped partition.
 */
const dueShards = 4;

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
  systems: 'SYSTEM#*',
  usage: 'USAGE#*',
  user_counter: 'COUNTER#user',
  webhooks: 'WEBHOOK#*',
} as const;

export type PartitionKind = keyof typeof partitionPatterns;

export function userPartition(user: UserId): string {
  return `${userPrefix}${user}`;
}

const userPrefix = 'USER#';

/** Returns the user of a partition, for example of a job or profile found in the registry. */
export function userOfPartition(partition: string): UserId {
  const user = partition.slice(userPrefix.length);
  if (!isStoredUserId(user)) throw new Error(`'${partition}' is not the partition of a user.`);
  return user;
}

export function jobKey({ user, hpc, project }: AccountKey, jobId: JobId): PrimaryKey {
  return { PK: userPartition(user), SK: `JOB#${hpc}#${project}#${jobId}` };
}

export function jobRequestKey({ user, hpc, project }: AccountKey, jobId: JobId): PrimaryKey {
  return { PK: userPartition(user), SK: `REQUEST#${hpc}#${project}#${jobId}` };
}

export function jobFollowerKey({ user, hpc, project }: AccountKey, jobId: JobId): PrimaryKey {
  return { PK: userPartition(user), SK: `FOLLOWER#${hpc}#${project}#${jobId}` };
}

export function jobLifeKey({ user, hpc, project }: AccountKey, jobId: JobId): PrimaryKey {
  return { PK: userPartition(user), SK: `LIFE#${hpc}#${project}#${jobId}` };
}

/** Finds who waits for a job or batch that ends. Both ids are of the same owner. */
export function awaitedKey(owner: UserId, awaited: JobId | BatchId, jobId: JobId): PrimaryKey {
  const { PK, prefix } = waitingFor(owner, awaited);
  return { PK, SK: `${prefix}${jobId}` };
}

/** Selects the jobs that wait for a job or batch. */
export function waitingFor(owner: UserId, awaited: JobId | BatchId) {
  return { PK: userPartition(owner), prefix: `AWAITED#${awaited}#` };
}

export function batchKey(user: UserId, batchId: BatchId): PrimaryKey {
  return { PK: userPartition(user), SK: `${batchPrefix}${batchId}` };
}

export const batchPrefix = 'BATCH#';

export function batchOrderKey(user: UserId, batchId: BatchId): PrimaryKey {
  return { PK: userPartition(user), SK: `ORDER#${batchId}` };
}

export function jobIndexKeys({ hpc, project }: ProjectKey, id: number) {
  return {
    jobs_by_id: padId(id),
    jobs_by_system: `${hpc}#${padId(id)}`,
    jobs_by_project: `${hpc}#${project}#${padId(id)}`,
    project_jobs: projectPartition({ hpc, project }),
  };
}

export function projectPartition({ hpc, project }: ProjectKey): string {
  return `PROJECT#${hpc}#${project}`;
}

/**
 * Keys in the registry, which lists items that are spread over the partitions of users. It projects
 * only keys, so that changing a quota or a job does not write to it.
 */
export function quotaRegistryKeys({ user, ...project }: AccountKey) {
  return { registry: quotaRegistry(project), registry_key: registryUser(user) };
}

export function quotaRegistry({ hpc, project }: ProjectKey): string {
  return `REGISTRY#QUOTAS#${hpc}#${project}`;
}

export function profileRegistryKeys(user: UserId) {
  return { registry: userRegistry, registry_key: registryUser(user) };
}

export const userRegistry = 'REGISTRY#USERS';

export function jobRegistryKeys(jobId: JobId) {
  return { registry: jobRegistry(jobId), registry_key: 'JOB' };
}

export function jobRegistry(jobId: JobId): string {
  return `REGISTRY#JOB#${jobId}`;
}

/** Sorts users by number. '7' and '007' are two users. */
export function registryUser(user: UserId): string {
  return `${user.padStart(userDigits, '0')}#${user}`;
}

const userDigits = 32;

/**
 * Keys in the due index for a job's life. The job itself is not in it, so that a check does not
 * write to the job's other indexes. Hand-overs and checks are two queues, so that many of one kind
 * do not delay the other.
 */
export function handOverDueKeys({ hpc }: ProjectKey, id: number, dueAt: string) {
  return { due: dueShard(hpc, id % dueShards), due_at: dueAt };
}

/** Upper case, because names of systems are lower case. */
const waiting = 'WAITING';

/** Keys in the due index for a job that waits for others. No system's sweep sees it there. */
export function waitingDueKeys(id: number, dueAt: string) {
  return { due: dueShard(waiting, id % dueShards), due_at: dueAt };
}

export function listWaitingShards(): string[] {
  return listShards(waiting);
}

/** Partition of a job that its system has, and that is due for checks. */
export function checkShard({ hpc }: ProjectKey, id: number): string {
  return dueShard(checksOf(hpc), id % dueShards);
}

/** Lists all partitions of a system's jobs that wait to be handed over. */
export function listHandOverShards(hpc: SystemName): string[] {
  return listShards(hpc);
}

/** Lists all partitions of the jobs that a system has. */
export function listCheckShards(hpc: SystemName): string[] {
  return listShards(checksOf(hpc));
}

function checksOf(hpc: SystemName): DueKind {
  return `${hpc}#LOOKS`;
}

function listShards(kind: DueKind): string[] {
  return Array.from({ length: dueShards }, (_, shard) => dueShard(kind, shard));
}

export type JobIndex = 'jobs_by_id' | 'jobs_by_system' | 'jobs_by_project';

/** Returns the index that serves a list, and the range of its sort keys. Both ids are included. */
export function jobListRange(
  within: { readonly hpc?: SystemName | undefined; readonly project?: ProjectName | undefined },
  first: number,
  last: number,
): { index: JobIndex; from: string; to: string } {
  const index: JobIndex =
    within.project === undefined
      ? within.hpc === undefined
        ? 'jobs_by_id'
        : 'jobs_by_system'
      : 'jobs_by_project';
  const prefix = [within.hpc, within.project].flatMap((part) =>
    part === undefined ? [] : [part, '#'],
  );
  return {
    index,
    from: [...prefix, padId(first)].join(''),
    to: [...prefix, padId(last)].join(''),
  };
}

/** Reads the id from the end of a sort key, where every job index has it. */
export function idOfIndexKey(sortKey: unknown): number | undefined {
  return typeof sortKey === 'string'
    ? Number(sortKey.slice(sortKey.lastIndexOf('#') + 1))
    : undefined;
}

export const firstId = 1;
export const lastId = Number.MAX_SAFE_INTEGER;

/** A budget is a quota of the project itself, in a partition of its own. */
export function quotaKey({ user, hpc, project }: AccountKey): PrimaryKey {
  if (user === budgetHolder) return { PK: budgetPartition({ hpc, project }), SK: 'BUDGET' };
  return { PK: userPartition(user), SK: `${quotaPrefix(hpc)}${project}` };
}

/** Selects the quotas of one system, or of all systems. */
export function quotaPrefix(hpc?: SystemName): string {
  return hpc === undefined ? 'QUOTA#' : `QUOTA#${hpc}#`;
}

export function leadersKey(project: ProjectKey): PrimaryKey {
  return { PK: budgetPartition(project), SK: 'LEADERS' };
}

function budgetPartition({ hpc, project }: ProjectKey): string {
  return `BUDGET#${hpc}#${project}`;
}

export function leadKey({ user, hpc, project }: AccountKey): PrimaryKey {
  return { PK: userPartition(user), SK: `${leadPrefix}${hpc}#${project}` };
}

export const leadPrefix = 'LEADS#';

export function profileKey(user: UserId): PrimaryKey {
  return { PK: userPartition(user), SK: 'PROFILE' };
}

export function loginKey(user: UserId, hpc: SystemName): PrimaryKey {
  return { PK: userPartition(user), SK: `${loginPrefix}${hpc}` };
}

export const loginPrefix = 'LOGIN#';

export function idempotencyKey(user: UserId, key: string): PrimaryKey {
  return { PK: userPartition(user), SK: `IDEMPOTENCY#${key}` };
}

/** Names a row by the administrator who sent it, its line, and the Idempotency-Key. */
export function grantedRowKey(administrator: UserId, line: number, key: string): PrimaryKey {
  return { PK: userPartition(administrator), SK: `GRANTED#${line}#${key}` };
}

export function uploadKey(user: UserId, uploadId: string): PrimaryKey {
  return { PK: userPartition(user), SK: `UPLOAD#${uploadId}` };
}

/** Does not start with the prefix of the uploads, so that no list of uploads includes it. */
export function openUploadsKey(user: UserId): PrimaryKey {
  return { PK: userPartition(user), SK: 'UPLOADS' };
}

export function relayRecordKey(owner: UserId, jobId: JobId, fileId: string): PrimaryKey {
  return { PK: userPartition(owner), SK: `${relayPrefix}${jobId}#${fileId}` };
}

/** Selects the relayed files of one job, or of all jobs of a user. */
export function relaysOf(owner: UserId, jobId?: JobId) {
  const prefix = jobId === undefined ? relayPrefix : `${relayPrefix}${jobId}#`;
  return { PK: userPartition(owner), prefix };
}

const relayPrefix = 'RELAY#';

/** Does not start with the prefix of the relayed files, so that no list of them includes it. */
export function relaysKey(owner: UserId): PrimaryKey {
  return { PK: userPartition(owner), SK: 'RELAYS' };
}

export function webhookKey(user: UserId, webhookId: string): PrimaryKey {
  return { PK: userPartition(user), SK: `${webhookPrefix}${webhookId}` };
}

export const webhookPrefix = 'WEBHOOK#';

/**
 * Uses a partition apart from the user's own, so that a flood of calls does not slow down other
 * access to the user's items.
 */
export function callCountKey(user: UserId, minute: Date, endpoint: string): PrimaryKey {
  return { PK: `CALLS#${user}`, SK: `${minute.toISOString()}#${endpoint}` };
}

/** Does not start with the prefix of the webhooks, so that no list of webhooks includes it. */
export function webhookCountKey(user: UserId): PrimaryKey {
  return { PK: userPartition(user), SK: 'WEBHOOKS' };
}

/** Keys in the registry for webhooks that are told what happens to everybody. */
export function webhookRegistryKeys(webhookId: string) {
  return { registry: webhookRegistry, registry_key: webhookId };
}

export const webhookRegistry = 'REGISTRY#WEBHOOKS';

/** A request id contains its user, so the user need not be looked up. */
export function quotaRequestKey(request: RequestId): PrimaryKey {
  const [user = ''] = request.split('-');
  return { PK: `${userPrefix}${user}`, SK: `${quotaRequestPrefix}${request}` };
}

export const quotaRequestPrefix = 'ASKED#';

/** Returns the request of a key found in the registry. */
export function requestOfKey({ SK }: PrimaryKey): RequestId {
  const request = SK.slice(quotaRequestPrefix.length);
  if (!isRequestId(request)) throw new Error(`'${SK}' is not the key of a request.`);
  return request;
}

export function openRequestsKey(user: UserId): PrimaryKey {
  return { PK: userPartition(user), SK: 'ASKING' };
}

export function quotaRequestRegistryKeys(state: string, request: RequestId) {
  return { registry: quotaRequestRegistry(state), registry_key: registryRequest(request) };
}

export function quotaRequestRegistry(state: string): string {
  return `REGISTRY#REQUESTS#${state}`;
}

/** Sorts requests of all users by time. The part after the user begins with the moment. */
export function registryRequest(request: RequestId): string {
  return request.slice(request.indexOf('-') + 1);
}

/** Sorts by time, so that the log of a webhook can be read newest first. */
export function deliveryKey(webhookId: string, at: Date, eventId: string): PrimaryKey {
  return { PK: deliveryPartition(webhookId), SK: `${at.toISOString()}#${eventId}` };
}

export function deliveryPartition(webhookId: string): string {
  return `WEBHOOK#${webhookId}`;
}

/** Upper case, because names of systems are lower case. */
const deliveries = 'DELIVERIES';

export function deliveryDueKeys(dueAt: string, random = Math.random) {
  return { due: dueShard(deliveries, Math.floor(random() * dueShards)), due_at: dueAt };
}

export function listDeliveryShards(): string[] {
  return listShards(deliveries);
}

export function notificationsKey(user: UserId): PrimaryKey {
  return { PK: userPartition(user), SK: 'NOTIFICATIONS' };
}

export function mailboxKey(user: UserId): PrimaryKey {
  return { PK: userPartition(user), SK: 'MAILBOX' };
}

export function mailedKey(user: UserId, eventId: string): PrimaryKey {
  return { PK: userPartition(user), SK: `MAILED#${eventId}` };
}

/** Upper case, because names of systems are lower case. */
const mail = 'MAIL';

export function mailboxDueKeys(dueAt: string, random = Math.random) {
  return { due: dueShard(mail, Math.floor(random() * dueShards)), due_at: dueAt };
}

export function listMailboxShards(): string[] {
  return listShards(mail);
}

/**
 * For the end and the renewal of quotas. The name dates from when quotas could only end. Upper
 * case, because names of systems are lower case.
 */
const quotas = 'EXPIRY';

export function quotaDueKeys(quotaId: number, dueAt: string) {
  return { due: dueShard(quotas, quotaId % dueShards), due_at: dueAt };
}

export function listQuotaShards(): string[] {
  return listShards(quotas);
}

const batches = 'BATCHES';

/** Active batches are few, and each is attended once a minute, so one partition is enough. */
export function batchDueKeys(dueAt: string) {
  return { due: dueShard(batches, 0), due_at: dueAt };
}

export function listBatchShards(): string[] {
  return [dueShard(batches, 0)];
}

/** Upper case, because names of systems are lower case. */
const uploads = 'UPLOADS';

/** Unused uploads are few and nobody waits for their removal, so one partition is enough. */
export function uploadDueKeys(dueAt: string) {
  return { due: dueShard(uploads, 0), due_at: dueAt };
}

export function listUploadShards(): string[] {
  return [dueShard(uploads, 0)];
}

const relays = 'RELAYS';

/** Written only for files above a few megabytes, so one partition is enough. */
export function relayDueKeys(dueAt: string) {
  return { due: dueShard(relays, 0), due_at: dueAt };
}

export function listRelayShards(): string[] {
  return [dueShard(relays, 0)];
}

/** Keeps a month of acts in one partition, because administrators are few. */
export function auditKey(at: Date, actId: string): PrimaryKey {
  return { PK: auditPartition(at), SK: `${at.toISOString()}#${actId}` };
}

export function auditPartition(month: Date): string {
  return `AUDIT#${month.toISOString().slice(0, 7)}`;
}

/**
 * Returns a place in the audit after everything done up to that moment. '$' sorts right after '#'.
 */
export function auditPlace(until: Date): string {
  return `${until.toISOString()}$`;
}

/** Returns the partition of a place. Places and sort keys begin with their month. */
export function auditPartitionOf(place: string): string {
  return `AUDIT#${place.slice(0, monthLength)}`;
}

/** Returns the end of the month before a place. '~' sorts after every character of a time. */
export function endOfPreviousMonth(place: string): string {
  const month = new Date(`${place.slice(0, monthLength)}-01T00:00:00Z`);
  month.setUTCMonth(month.getUTCMonth() - 1);
  return `${month.toISOString().slice(0, monthLength)}~`;
}

const monthLength = 'YYYY-MM'.length;

export function ledgerKey(account: AccountKey, at: Date, cause: string): PrimaryKey {
  return { PK: ledgerPartition(account), SK: `${at.toISOString()}#${cause}` };
}

/**
 * Sorts before every other line of the same moment, because '!' comes before any letter. An act
 * that welcomes its user has the same moment as the welcome, and the account must be opened before
 * it changes.
 */
export function openingLedgerKey(account: AccountKey, at: Date, cause: string): PrimaryKey {
  return ledgerKey(account, at, `!${cause}`);
}

export function ledgerPartition({ user, hpc, project }: AccountKey): string {
  return `LEDGER#${user}#${hpc}#${project}`;
}

/** Returns the range of lines between two moments, both included. '$' sorts right after '#'. */
export function ledgerRange(since?: Date, until?: Date): { from: string; to: string } {
  return {
    from: since?.toISOString() ?? '0',
    to: until ? `${until.toISOString()}$` : ':',
  };
}

/** Returns the account of a ledger. Names of users, systems and projects contain no '#'. */
export function accountOfLedger(partition: string): AccountKey {
  const [, user, hpc = '', project = ''] = partition.split('#');
  if (!isStoredUserId(user)) throw new Error(`'${partition}' is not the partition of a ledger.`);
  return { user, hpc: systemName(hpc), project: projectName(project) };
}

/** Days are `2026-11-15`, months `2026-11`, both in UTC. */
export function userDayKey({ user, hpc, project }: AccountKey, day: string): PrimaryKey {
  return { PK: userDaysPartition(user), SK: `${day}#${hpc}#${project}` };
}

export function userDaysPartition(user: UserId): string {
  return `USAGE#USER#${user}`;
}

export function projectDayKey(project: ProjectKey, day: string): PrimaryKey {
  return { PK: projectDaysPartition(project), SK: day };
}

export function projectDaysPartition({ hpc, project }: ProjectKey): string {
  return `USAGE#PROJECT#${hpc}#${project}`;
}

/** Returns the range of usage between two days, both included. '$' sorts right after '#'. */
export function dayRange(since: string, until: string): { from: string; to: string } {
  return { from: since, to: `${until}$` };
}

export function userMonthKey({ user, hpc, project }: AccountKey, month: string): PrimaryKey {
  return { PK: userMonthPartition(month), SK: `${userPlace(user)}#${hpc}#${project}` };
}

/** Sorts the sums of users in a month by user number. */
export function userPlace(user: UserId): string {
  return registryUser(user);
}

export function userMonthPartition(month: string): string {
  return `USAGE#USERS#${month}`;
}

export function projectMonthKey(project: ProjectKey, month: string): PrimaryKey {
  return { PK: projectMonthPartition(month), SK: projectPlace(project) };
}

/** Sorts the sums of projects in a month by name. */
export function projectPlace({ hpc, project }: ProjectKey): string {
  return `${hpc}#${project}`;
}

/** Returns a key after all sums of a place. '$' sorts right after '#', and before any name. */
export function behindPlace(place: string): string {
  return `${place}$`;
}

export function projectMonthPartition(month: string): string {
  return `USAGE#PROJECTS#${month}`;
}

/**
 * Marks the end of a job as counted. Written together with the sums, so that nothing counts twice.
 */
export function countedEndKey({ user, hpc, project }: AccountKey, jobId: JobId): PrimaryKey {
  return { PK: `USAGE#COUNTED#${user}#${hpc}#${project}`, SK: jobId };
}

/** One item for all systems with a price, because they share the month's budget. */
export function spendingKey(): PrimaryKey {
  return { PK: partitionPatterns.spending, SK: 'MONTHS' };
}

export function systemHealthKey(hpc: SystemName): PrimaryKey {
  return { PK: `SYSTEM#${hpc}`, SK: 'HEALTH' };
}

export function systemBreakerKey(hpc: SystemName): PrimaryKey {
  return { PK: `SYSTEM#${hpc}`, SK: 'BREAKER' };
}

/** Days are `2026-11-15`, in UTC. */
export function systemDayKey(hpc: SystemName, day: string): PrimaryKey {
  return { PK: `SYSTEM#${hpc}`, SK: `DAY#${day}` };
}

/** Selects the days of a system between two, both included. */
export function systemDays(hpc: SystemName, since: string, until: string) {
  const { PK, SK: from } = systemDayKey(hpc, since);
  return { PK, from, to: systemDayKey(hpc, until).SK };
}

/** Key of the progress of the check of all accounts. Names of systems are never upper case. */
export function reconciliationKey(): PrimaryKey {
  return { PK: 'SYSTEM#RECONCILIATION', SK: 'PROGRESS' };
}

/** Key of the last sign of life of the service, and of its absences. */
export function presenceKey(): PrimaryKey {
  return { PK: 'SYSTEM#PRESENCE', SK: 'SIGN' };
}

/** Key of the steps that the data has taken. */
export function dataStepsKey(): PrimaryKey {
  return { PK: partitionPatterns.data, SK: 'STEPS' };
}

export function simulatorPartition(hpc: SystemName): string {
  return `SIMULATOR#${hpc}`;
}

export function simulatorKey(hpc: SystemName, jobId: JobId): PrimaryKey {
  return { PK: simulatorPartition(hpc), SK: jobId };
}

export function simulatorOrderKey(hpc: SystemName, jobId: JobId): PrimaryKey {
  return { PK: simulatorPartition(hpc), SK: `${jobId}#ORDER` };
}

export function openedProjectKey({ hpc, project }: ProjectKey): PrimaryKey {
  return { PK: openedProjects, SK: `${hpc}#${project}` };
}

export function counterKey(name: CounterName): PrimaryKey {
  return { PK: `COUNTER#${name}`, SK: 'COUNTER' };
}

export const counterNames = ['job', 'quota', 'project', 'user'] as const;

export type CounterName = (typeof counterNames)[number];

/**
 * Key by a hash of issuer and subject. Its 64 hexadecimal digits are longer than any user number.
 */
export function userNumberKey(hash: string): PrimaryKey {
  return { PK: `IDENTITY#${hash}`, SK: 'NUMBER' };
}

export function subjectKey(user: UserId): PrimaryKey {
  return { PK: `IDENTITY#${user}`, SK: 'SUBJECT' };
}

type DueKind =
  | SystemName
  | `${SystemName}#LOOKS`
  | typeof deliveries
  | typeof mail
  | typeof quotas
  | typeof batches
  | typeof relays
  | typeof waiting
  | typeof uploads;

function dueShard(kind: DueKind, shard: number): string {
  return `DUE#${kind}#${shard}`;
}

function padId(id: number): string {
  return String(id).padStart(idDigits, '0');
}
