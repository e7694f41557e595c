import { expect, it } from 'vitest';
import * as keys from '#lib/table/keys.ts';
import { batchSample } from '#test/fixtures/batches.ts';
import { jobId, projectName, requestId, systemName, userId } from '#test/fixtures/names.ts';

const user = userId('306328');
const hpc = systemName('one');
const account = { user, hpc, project: projectName('proj') };
const job = jobId('A-1');
const batch = batchSample.id;
const request = requestId(`306328-${'0a'.repeat(16)}`);
const at = new Date('2019-02-10T22:40:01.789Z');
const due = at.toISOString();
const last = () => 0.999;

type Builder = Exclude<
  keyof typeof keys,
  'counterNames' | 'firstId' | 'lastId' | 'partitionPatterns'
>;

/** What every function gives. Tables hold these texts, so none of them may ever change. */
const stored = {
  userPartition: [keys.userPartition(user), 'USER#306328'],
  userOfPartition: [keys.userOfPartition('USER#306328'), '306328'],
  jobKey: [keys.jobKey(account, job), 'PK USER#306328, SK JOB#one#proj#A-1'],
  jobRequestKey: [keys.jobRequestKey(account, job), 'PK USER#306328, SK REQUEST#one#proj#A-1'],
  jobFollowerKey: [keys.jobFollowerKey(account, job), 'PK USER#306328, SK FOLLOWER#one#proj#A-1'],
  jobLifeKey: [keys.jobLifeKey(account, job), 'PK USER#306328, SK LIFE#one#proj#A-1'],
  awaitedKey: [
    keys.awaitedKey(user, batch, job),
    'PK USER#306328, SK AWAITED#019A8B6C-4E00-7A10-9C55-1F0A7D5C2E11#A-1',
  ],
  waitingFor: [
    keys.waitingFor(user, batch),
    'PK USER#306328, prefix AWAITED#019A8B6C-4E00-7A10-9C55-1F0A7D5C2E11#',
  ],
  batchKey: [
    keys.batchKey(user, batch),
    'PK USER#306328, SK BATCH#019A8B6C-4E00-7A10-9C55-1F0A7D5C2E11',
  ],
  batchPrefix: [keys.batchPrefix, 'BATCH#'],
  batchOrderKey: [
    keys.batchOrderKey(user, batch),
    'PK USER#306328, SK ORDER#019A8B6C-4E00-7A10-9C55-1F0A7D5C2E11',
  ],
  jobIndexKeys: [
    keys.jobIndexKeys(account, 83),
    'jobs_by_id 0000000000000083, jobs_by_system one#0000000000000083, jobs_by_project one#proj#0000000000000083, project_jobs PROJECT#one#proj',
  ],
  projectPartition: [keys.projectPartition(account), 'PROJECT#one#proj'],
  quotaRegistryKeys: [
    keys.quotaRegistryKeys(account),
    'registry REGISTRY#QUOTAS#one#proj, registry_key 00000000000000000000000000306328#306328',
  ],
  quotaRegistry: [keys.quotaRegistry(account), 'REGISTRY#QUOTAS#one#proj'],
  profileRegistryKeys: [
    keys.profileRegistryKeys(user),
    'registry REGISTRY#USERS, registry_key 00000000000000000000000000306328#306328',
  ],
  userRegistry: [keys.userRegistry, 'REGISTRY#USERS'],
  jobRegistryKeys: [keys.jobRegistryKeys(job), 'registry REGISTRY#JOB#A-1, registry_key JOB'],
  jobRegistry: [keys.jobRegistry(job), 'REGISTRY#JOB#A-1'],
  registryUser: [keys.registryUser(user), '00000000000000000000000000306328#306328'],
  handOverDueKeys: [
    keys.handOverDueKeys(account, 83, due),
    'due DUE#one#3, due_at 2019-02-10T22:40:01.789Z',
  ],
  waitingDueKeys: [
    keys.waitingDueKeys(83, due),
    'due DUE#WAITING#3, due_at 2019-02-10T22:40:01.789Z',
  ],
  listWaitingShards: [
    keys.listWaitingShards(),
    '0 DUE#WAITING#0, 1 DUE#WAITING#1, 2 DUE#WAITING#2, 3 DUE#WAITING#3',
  ],
  checkShard: [keys.checkShard(account, 83), 'DUE#one#LOOKS#3'],
  listHandOverShards: [
    keys.listHandOverShards(hpc),
    '0 DUE#one#0, 1 DUE#one#1, 2 DUE#one#2, 3 DUE#one#3',
  ],
  listCheckShards: [
    keys.listCheckShards(hpc),
    '0 DUE#one#LOOKS#0, 1 DUE#one#LOOKS#1, 2 DUE#one#LOOKS#2, 3 DUE#one#LOOKS#3',
  ],
  jobListRange: [
    keys.jobListRange(account, 5, 83),
    'index jobs_by_project, from one#proj#0000000000000005, to one#proj#0000000000000083',
  ],
  idOfIndexKey: [keys.idOfIndexKey('one#0000000000000083'), '83'],
  quotaKey: [keys.quotaKey(account), 'PK USER#306328, SK QUOTA#one#proj'],
  quotaPrefix: [keys.quotaPrefix(hpc), 'QUOTA#one#'],
  leadersKey: [keys.leadersKey(account), 'PK BUDGET#one#proj, SK LEADERS'],
  leadKey: [keys.leadKey(account), 'PK USER#306328, SK LEADS#one#proj'],
  leadPrefix: [keys.leadPrefix, 'LEADS#'],
  profileKey: [keys.profileKey(user), 'PK USER#306328, SK PROFILE'],
  loginKey: [keys.loginKey(user, hpc), 'PK USER#306328, SK LOGIN#one'],
  loginPrefix: [keys.loginPrefix, 'LOGIN#'],
  idempotencyKey: [keys.idempotencyKey(user, 'a#key'), 'PK USER#306328, SK IDEMPOTENCY#a#key'],
  grantedRowKey: [keys.grantedRowKey(user, 4, 'a#key'), 'PK USER#306328, SK GRANTED#4#a#key'],
  uploadKey: [keys.uploadKey(user, 'u-1'), 'PK USER#306328, SK UPLOAD#u-1'],
  openUploadsKey: [keys.openUploadsKey(user), 'PK USER#306328, SK UPLOADS'],
  relayRecordKey: [keys.relayRecordKey(user, job, 'a/file'), 'PK USER#306328, SK RELAY#A-1#a/file'],
  relaysOf: [keys.relaysOf(user, job), 'PK USER#306328, prefix RELAY#A-1#'],
  relaysKey: [keys.relaysKey(user), 'PK USER#306328, SK RELAYS'],
  webhookKey: [keys.webhookKey(user, 'w-1'), 'PK USER#306328, SK WEBHOOK#w-1'],
  webhookPrefix: [keys.webhookPrefix, 'WEBHOOK#'],
  callCountKey: [
    keys.callCountKey(user, at, 'readJobs'),
    'PK CALLS#306328, SK 2019-02-10T22:40:01.789Z#readJobs',
  ],
  webhookCountKey: [keys.webhookCountKey(user), 'PK USER#306328, SK WEBHOOKS'],
  webhookRegistryKeys: [
    keys.webhookRegistryKeys('w-1'),
    'registry REGISTRY#WEBHOOKS, registry_key w-1',
  ],
  webhookRegistry: [keys.webhookRegistry, 'REGISTRY#WEBHOOKS'],
  quotaRequestKey: [
    keys.quotaRequestKey(request),
    'PK USER#306328, SK ASKED#306328-0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a',
  ],
  quotaRequestPrefix: [keys.quotaRequestPrefix, 'ASKED#'],
  requestOfKey: [
    keys.requestOfKey(keys.quotaRequestKey(request)),
    '306328-0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a',
  ],
  openRequestsKey: [keys.openRequestsKey(user), 'PK USER#306328, SK ASKING'],
  quotaRequestRegistryKeys: [
    keys.quotaRequestRegistryKeys('open', request),
    'registry REGISTRY#REQUESTS#open, registry_key 0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a',
  ],
  quotaRequestRegistry: [keys.quotaRequestRegistry('open'), 'REGISTRY#REQUESTS#open'],
  registryRequest: [keys.registryRequest(request), '0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a'],
  deliveryKey: [
    keys.deliveryKey('w-1', at, 'e-1'),
    'PK WEBHOOK#w-1, SK 2019-02-10T22:40:01.789Z#e-1',
  ],
  deliveryPartition: [keys.deliveryPartition('w-1'), 'WEBHOOK#w-1'],
  deliveryDueKeys: [
    keys.deliveryDueKeys(due, last),
    'due DUE#DELIVERIES#3, due_at 2019-02-10T22:40:01.789Z',
  ],
  listDeliveryShards: [
    keys.listDeliveryShards(),
    '0 DUE#DELIVERIES#0, 1 DUE#DELIVERIES#1, 2 DUE#DELIVERIES#2, 3 DUE#DELIVERIES#3',
  ],
  notificationsKey: [keys.notificationsKey(user), 'PK USER#306328, SK NOTIFICATIONS'],
  mailboxKey: [keys.mailboxKey(user), 'PK USER#306328, SK MAILBOX'],
  mailedKey: [keys.mailedKey(user, 'e-1'), 'PK USER#306328, SK MAILED#e-1'],
  mailboxDueKeys: [
    keys.mailboxDueKeys(due, last),
    'due DUE#MAIL#3, due_at 2019-02-10T22:40:01.789Z',
  ],
  listMailboxShards: [
    keys.listMailboxShards(),
    '0 DUE#MAIL#0, 1 DUE#MAIL#1, 2 DUE#MAIL#2, 3 DUE#MAIL#3',
  ],
  quotaDueKeys: [keys.quotaDueKeys(83, due), 'due DUE#EXPIRY#3, due_at 2019-02-10T22:40:01.789Z'],
  listQuotaShards: [
    keys.listQuotaShards(),
    '0 DUE#EXPIRY#0, 1 DUE#EXPIRY#1, 2 DUE#EXPIRY#2, 3 DUE#EXPIRY#3',
  ],
  batchDueKeys: [keys.batchDueKeys(due), 'due DUE#BATCHES#0, due_at 2019-02-10T22:40:01.789Z'],
  listBatchShards: [keys.listBatchShards(), '0 DUE#BATCHES#0'],
  uploadDueKeys: [keys.uploadDueKeys(due), 'due DUE#UPLOADS#0, due_at 2019-02-10T22:40:01.789Z'],
  listUploadShards: [keys.listUploadShards(), '0 DUE#UPLOADS#0'],
  relayDueKeys: [keys.relayDueKeys(due), 'due DUE#RELAYS#0, due_at 2019-02-10T22:40:01.789Z'],
  listRelayShards: [keys.listRelayShards(), '0 DUE#RELAYS#0'],
  auditKey: [keys.auditKey(at, 'act'), 'PK AUDIT#2019-02, SK 2019-02-10T22:40:01.789Z#act'],
  auditPartition: [keys.auditPartition(at), 'AUDIT#2019-02'],
  auditPlace: [keys.auditPlace(at), '2019-02-10T22:40:01.789Z$'],
  auditPartitionOf: [keys.auditPartitionOf('2019-02-10T'), 'AUDIT#2019-02'],
  endOfPreviousMonth: [keys.endOfPreviousMonth('2019-02-10T'), '2019-01~'],
  ledgerKey: [
    keys.ledgerKey(account, at, 'cause'),
    'PK LEDGER#306328#one#proj, SK 2019-02-10T22:40:01.789Z#cause',
  ],
  openingLedgerKey: [
    keys.openingLedgerKey(account, at, 'cause'),
    'PK LEDGER#306328#one#proj, SK 2019-02-10T22:40:01.789Z#!cause',
  ],
  ledgerPartition: [keys.ledgerPartition(account), 'LEDGER#306328#one#proj'],
  ledgerRange: [
    keys.ledgerRange(at, at),
    'from 2019-02-10T22:40:01.789Z, to 2019-02-10T22:40:01.789Z$',
  ],
  accountOfLedger: [
    keys.accountOfLedger('LEDGER#306328#one#proj'),
    'user 306328, hpc one, project proj',
  ],
  userDayKey: [
    keys.userDayKey(account, '2019-02-10'),
    'PK USAGE#USER#306328, SK 2019-02-10#one#proj',
  ],
  userDaysPartition: [keys.userDaysPartition(user), 'USAGE#USER#306328'],
  projectDayKey: [
    keys.projectDayKey(account, '2019-02-10'),
    'PK USAGE#PROJECT#one#proj, SK 2019-02-10',
  ],
  projectDaysPartition: [keys.projectDaysPartition(account), 'USAGE#PROJECT#one#proj'],
  dayRange: [keys.dayRange('2019-02-10', '2019-02-11'), 'from 2019-02-10, to 2019-02-11$'],
  userMonthKey: [
    keys.userMonthKey(account, '2019-02'),
    'PK USAGE#USERS#2019-02, SK 00000000000000000000000000306328#306328#one#proj',
  ],
  userPlace: [keys.userPlace(user), '00000000000000000000000000306328#306328'],
  userMonthPartition: [keys.userMonthPartition('2019-02'), 'USAGE#USERS#2019-02'],
  projectMonthKey: [
    keys.projectMonthKey(account, '2019-02'),
    'PK USAGE#PROJECTS#2019-02, SK one#proj',
  ],
  projectPlace: [keys.projectPlace(account), 'one#proj'],
  behindPlace: [keys.behindPlace('one#proj'), 'one#proj$'],
  projectMonthPartition: [keys.projectMonthPartition('2019-02'), 'USAGE#PROJECTS#2019-02'],
  countedEndKey: [keys.countedEndKey(account, job), 'PK USAGE#COUNTED#306328#one#proj, SK A-1'],
  spendingKey: [keys.spendingKey(), 'PK SPENDING, SK MONTHS'],
  systemHealthKey: [keys.systemHealthKey(hpc), 'PK SYSTEM#one, SK HEALTH'],
  systemBreakerKey: [keys.systemBreakerKey(hpc), 'PK SYSTEM#one, SK BREAKER'],
  systemDayKey: [keys.systemDayKey(hpc, '2019-02-10'), 'PK SYSTEM#one, SK DAY#2019-02-10'],
  systemDays: [
    keys.systemDays(hpc, '2019-02-10', '2019-02-11'),
    'PK SYSTEM#one, from DAY#2019-02-10, to DAY#2019-02-11',
  ],
  reconciliationKey: [keys.reconciliationKey(), 'PK SYSTEM#RECONCILIATION, SK PROGRESS'],
  presenceKey: [keys.presenceKey(), 'PK SYSTEM#PRESENCE, SK SIGN'],
  dataStepsKey: [keys.dataStepsKey(), 'PK SYSTEM#DATA, SK STEPS'],
  simulatorPartition: [keys.simulatorPartition(hpc), 'SIMULATOR#one'],
  simulatorKey: [keys.simulatorKey(hpc, job), 'PK SIMULATOR#one, SK A-1'],
  simulatorOrderKey: [keys.simulatorOrderKey(hpc, job), 'PK SIMULATOR#one, SK A-1#ORDER'],
  openedProjectKey: [keys.openedProjectKey(account), 'PK PROJECTS, SK one#proj'],
  openedProjects: [keys.openedProjects, 'PROJECTS'],
  counterKey: [keys.counterKey('job'), 'PK COUNTER#job, SK COUNTER'],
  userNumberKey: [keys.userNumberKey('hash'), 'PK IDENTITY#hash, SK NUMBER'],
  subjectKey: [keys.subjectKey(user), 'PK IDENTITY#306328, SK SUBJECT'],
} satisfies Record<Builder, readonly [built: unknown, as: string]>;

it.each(Object.entries(stored))('%s is as tables hold it', (_, [built, as]) => {
  expect(write(built)).toBe(as);
});

function write(built: unknown): string {
  return typeof built === 'object' && built !== null
    ? Object.entries(built)
        .map((attribute) => attribute.join(' '))
        .join(', ')
    : String(built);
}
