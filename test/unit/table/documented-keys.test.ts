import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { budgetHolder } from '#lib/catalog/identifiers.ts';
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
const index = keys.jobIndexKeys(account, 83);

/** What the page calls the arguments below. */
const parts: Readonly<Record<string, string>> = {
  user,
  owner: user,
  administrator: user,
  'padded user': '00000000000000000000000000306328',
  hpc,
  login: 'ada',
  project: account.project,
  job_id: job,
  batch_id: batch,
  'awaited id': batch,
  id: '0000000000000083',
  shard: '3',
  request_id: request,
  'request_id without its user': '0a'.repeat(16),
  time: '2019-02-10T22:40:01.789Z',
  beginning: 'beginning',
  line: '4',
  name: 'job',
  minute: '2019-02-10T22:40:01.789Z',
  day: '2019-02-10',
  month: '2019-02',
};

/** Every access of the page, built with these arguments. A word stands for itself. */
const built: Readonly<Record<string, object>> = {
  'a job': keys.jobKey(account, job),
  'what a job was asked to run': keys.jobRequestKey(account, job),
  "a job's way through its system": keys.jobLifeKey(account, job),
  'whether somebody follows a running job': keys.jobFollowerKey(account, job),
  'all jobs of a user, by id': { jobs_by_id: index.jobs_by_id },
  'those on one system': { jobs_by_system: index.jobs_by_system },
  'those in one project': { jobs_by_project: index.jobs_by_project },
  'which jobs wait for a job or batch': keys.awaitedKey(user, batch, job),
  'a batch of a user, by time': keys.batchKey(user, batch),
  'what the jobs of a batch are to run': keys.batchOrderKey(user, batch),
  'quotas of a user': keys.quotaKey(account),
  'profile of a user': keys.profileKey(user),
  'a beginning that a user is found by': keys.nameStartKey(user, 'beginning'),
  'which projects a user leads': keys.leadKey(account),
  "a user's login on a system": keys.loginKey(user, hpc),
  "the login that a user's token named last": keys.claimedLoginKey(user, hpc),
  'whose a login is': keys.loginHolderKey(hpc, 'ada'),
  'an Idempotency-Key of a user': keys.idempotencyKey(user, 'key'),
  'a row of grants that is done': keys.grantedRowKey(user, 4, 'key'),
  'an upload of a user': keys.uploadKey(user, 'upload_id'),
  'which uploads of a user wait for a job': keys.openUploadsKey(user),
  'a file that is handed out by address': keys.relayRecordKey(user, job, 'file_id'),
  "how much of a user's is handed out so": keys.relaysKey(user),
  'what a user has asked for, by time': keys.quotaRequestKey(request),
  'which of it is open': keys.openRequestsKey(user),
  'webhooks of a user': keys.webhookKey(user, 'webhook_id'),
  'how many webhooks a user has': keys.webhookCountKey(user),
  'deliveries of a webhook, or runs of hooks for `<hpc>/<user or project>`, by time':
    keys.deliveryKey('webhook_id', at, 'event id'),
  'what a user wants to be told by mail': keys.notificationsKey(user),
  'what a user is told next by mail': keys.mailboxKey(user),
  'whether an event was put there': keys.mailedKey(user, 'event id'),
  'ledger of a quota, by time': keys.ledgerKey(account, at, 'cause'),
  'the line that opens it': keys.openingLedgerKey(account, at, 'cause'),
  'what administrators did, by time': keys.auditKey(at, 'act'),
  'jobs that wait to be handed over': keys.dueKeys(keys.handOversOf(hpc), at, 83),
  'jobs that their system has, and are due': keys.dueKeys(keys.checksOf(hpc), at, 83),
  'jobs that wait for other jobs': keys.dueKeys('WAITING', at, 83),
  'deliveries that are due': keys.dueKeys('DELIVERIES', at, 83),
  'runs of hooks that are due, on one machine': keys.dueKeys('HOOKS', at, 83),
  'mailboxes that are due': keys.dueKeys('MAIL', at, 83),
  'batches that need attention': keys.dueKeys('BATCHES', at, 83),
  'uploads that no job has begun with': keys.dueKeys('UPLOADS', at, 83),
  'relayed files nobody fetches any more': keys.dueKeys('RELAYS', at, 83),
  'quotas that end or renew, by the next': keys.dueKeys('EXPIRY', at, 83),
  "everybody's jobs in a project, by id": { project_jobs: index.project_jobs },
  "everybody's quotas in a project, by user": keys.quotaRegistryKeys(account),
  'all users': keys.profileRegistryKeys(user),
  'users by the beginning of a name or mail address': keys.nameStartRegistryKeys(user, 'beginning'),
  'whose job it is': keys.jobRegistryKeys(job),
  "everybody's requests of a state, by time": keys.quotaRequestRegistryKeys('state', request),
  'webhooks for what administrators learn': keys.webhookRegistryKeys(
    'webhook_id',
    keys.webhookRegistry,
  ),
  'webhooks for what happens to systems': keys.webhookRegistryKeys(
    'webhook_id',
    keys.systemWebhookRegistry,
  ),
  'what was last seen of a system': keys.systemHealthKey(hpc),
  'whether a system is called at all': keys.systemBreakerKey(hpc),
  'when a system is in maintenance': keys.systemMaintenanceKey(hpc),
  'how a system was on a day': keys.systemDayKey(hpc, '2019-02-10'),
  'how far the check of all accounts came': keys.reconciliationKey(),
  'how far statements were sent by mail': keys.statementMailsKey(),
  'when the service was there': keys.presenceKey(),
  'which steps the data has taken': keys.dataStepsKey(),
  'what the simulators run': keys.simulatorKey(hpc, job),
  'what they were asked to run, its input': keys.simulatorOrderKey(hpc, job),
  'what a user used, by day': keys.userDayKey(account, '2019-02-10'),
  'what was used in a project, by day': keys.projectDayKey(account, '2019-02-10'),
  'what each user used in a month': keys.userMonthKey(account, '2019-02'),
  'what was used in each project in a month': keys.projectMonthKey(account, '2019-02'),
  'whether the end of a job was counted': keys.countedEndKey(account, job),
  'what jobs with a price cost': keys.spendingKey(),
  'the statement of a project for a month': keys.statementRowKey(account, '2019-02', user),
  'whether that month is closed': keys.closedMonthKey(account, '2019-02'),
  'who was a member of a project': keys.formerMemberKey(account),
  'whether a grant of another system was imported': keys.importedGrantKey(
    account,
    'source',
    'id of the grant',
  ),
  'projects that were opened at run time': keys.openedProjectKey(account),
  'the budget of a project': keys.quotaKey({ ...account, user: budgetHolder }),
  'who leads a project': keys.leadersKey(account),
  'what the folder of a project has': keys.projectFolderKey(account),
  'record numbers': keys.counterKey('job'),
  'calls of a user in a minute': keys.callCountKey(user, at, 'endpoint'),
  'the number given to a subject': keys.userNumberKey('hash'),
  'the subject that a number was given to': keys.subjectKey(user),
};

const page = readAccessTable();

describe('the table of accesses in docs/data-model.md', () => {
  it.each(page)('has the keys that are built for $access', ({ access, how }) => {
    const filled = how.replace(/<([^>]+)>/g, (_, part: string) => parts[part] ?? part);
    const attributes = Object.entries(built[access] ?? {}).map((attribute) => attribute.join(' '));
    expect(
      attributes.join(', '),
      'Tables hold these keys, so they never change. A new kind of key needs a row in both lists.',
    ).toBe(filled.replace(/, TTL$/, ''));
  });

  it('has every kind of key, once', () => {
    expect(page.map(({ access }) => access).sort()).toEqual(Object.keys(built).sort());
    expect(new Set(page.map(({ how }) => how)).size).toBe(page.length);
    const source = readFileSync('test/unit/table/documented-keys.test.ts', 'utf8');
    for (const name of Object.keys(keys).filter((each) => /^(?!.*Of).*Keys?$/.test(each))) {
      expect(source.includes(`keys.${name}(`), name).toBe(true);
    }
  });

  it('says what every access costs', () => {
    for (const { access, cost } of page) expect(cost, access).toMatch(/\S/);
  });

  it('names every kind of partition, and no other', () => {
    const partitions = page.flatMap(
      ({ how }) => how.match(/(?<=^(PK|due|registry|project_jobs) )[A-Z]+/g) ?? [],
    );
    const kinds = Object.values(keys.partitionPatterns).map((pattern) => pattern.split('#')[0]);
    expect([...new Set(partitions)].sort()).toEqual([...new Set(kinds)].sort());
  });
});

function readAccessTable() {
  const lines = readFileSync('docs/data-model.md', 'utf8').split('\n');
  const begin = lines.findIndex((line) => line.startsWith('|'));
  const end = lines.findIndex((line, place) => place > begin && !line.startsWith('|'));
  return lines.slice(begin + 2, end).map((line) => {
    const [access = '', how = '', cost = ''] = line.slice(2).split(' | ');
    return { access, how: how.slice(1, -1), cost };
  });
}
