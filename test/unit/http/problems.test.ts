import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { OutOfTimeError } from '#lib/accounts/judge-account.ts';
import * as batches from '#lib/batches/errors.ts';
import * as budgets from '#lib/budgets/errors.ts';
import * as catalog from '#lib/catalog/errors.ts';
import { budgetHolder } from '#lib/catalog/identifiers.ts';
import { DomainError, IdempotencyKeyReusedError } from '#lib/errors/domain-error.ts';
import { EventsNotPublishedError } from '#lib/events/publish-events.ts';
import * as files from '#lib/files/errors.ts';
import * as hpc from '#lib/hpc/errors.ts';
import * as http from '#lib/http/errors.ts';
import { explainError } from '#lib/http/problems.ts';
import * as chains from '#lib/jobs/chains/errors.ts';
import * as jobs from '#lib/jobs/errors.ts';
import * as mail from '#lib/mail/errors.ts';
import * as projects from '#lib/projects/errors.ts';
import * as quotas from '#lib/quotas/errors.ts';
import * as requests from '#lib/requests/errors.ts';
import { requestFromItem } from '#lib/requests/quota-request.ts';
import * as spending from '#lib/spending/errors.ts';
import * as statements from '#lib/statements/errors.ts';
import * as systems from '#lib/systems/errors.ts';
import * as table from '#lib/table/errors.ts';
import { NewerDataError } from '#lib/table/taken-steps.ts';
import * as users from '#lib/users/errors.ts';
import * as logins from '#lib/users/logins/errors.ts';
import * as webhooks from '#lib/webhooks/errors.ts';
import * as zips from '#lib/zips/errors.ts';
import { jobId, projectName, systemName, userId } from '#test/fixtures/names.ts';
import { request, requestItem } from '#test/fixtures/requests.ts';

const account = { hpc: systemName('hpc_one'), project: projectName('proj_hpc_one_01') };
const budget = { ...account, user: budgetHolder };
const user = userId('7');
const asked = { seconds: 100, kilobytes: 20 };
const left = { seconds: 99, kilobytes: 5 };
const inUse = {
  time: { granted: 10, left: 1, held: 2, used: 7 },
  space: { granted: 9, left: 4, held: 5, used: 0 },
  activeJobs: 2,
};
const someJobs = { ended: 900, countedAll: false, discarded: 70 };
const noJobs = { ended: 0, countedAll: true, discarded: 0 };
const day = new Date('2027-01-31T12:00:00Z');
const failedFirst = {
  id: jobId('3A5F'),
  ...account,
  key: { PK: '', SK: '' },
  title: '',
  stage: 'FAILED',
  state: 'failed',
  givesInput: false,
  seen: {},
} as const;

/** What an HPC system says, or its connector, may name hosts, as causes do: no client is shown it. */
const secret = 'GET SECRET.example.org: HTTP 500.';
const cause = { cause: new Error(secret) };

const wrong = (name: string) => ({ location: 'query', name, message: 'No.' }) as const;
const listParts = (count: number) =>
  Array.from({ length: count }, (_, index) => wrong(`p${index}`));
const listLines = (count: number) =>
  Array.from({ length: count }, (_, line) => ({ line, message: 'No.' }));
const month = new Date('2026-12-01T00:00:00Z');
const plan = { estimate: 99_200_000, asked: 3_800_000, budget: 100_000_000 };

/** Every error of the domain, with each way to say it. */
const errors: readonly DomainError[] = [
  new http.InvalidRequestError(listParts(1)),
  new http.InvalidRequestError(listParts(2)),
  new http.InvalidRequestError(listParts(21)),
  new http.InvalidRequestError(listParts(22)),
  new quotas.LedgerTooLongError('period', 5),
  new quotas.LedgerTooLongError('newer', 5),
  new statements.StatementTooLongError('2026-11', 5),
  new statements.StatementNotReadyError(),
  new zips.UnsafeZipError(['It is damaged.', 'It is cut off.']),
  new zips.UnsafeZipError(listParts(22).map(({ name }) => name)),
  new batches.BadTableError('rows.csv', [{ message: 'It is empty.' }]),
  new batches.BadTableError('rows.csv', listLines(2)),
  new batches.BadTableError('rows.csv', listLines(101)),
  new files.UploadNotFoundError(),
  new files.UploadGoneError(),
  new chains.AwaitedNotFoundError([{ id: jobId('3A5F'), field: 'after_any' }]),
  new chains.AwaitedNotFoundError([
    { id: jobId('3A5F'), field: 'input_from' },
    { id: jobId('3A60'), field: 'after' },
  ]),
  new http.InvalidTokenError(cause),
  new http.NotAdministratorError(),
  new budgets.NotLeaderError(account),
  new webhooks.EventForAdministratorsError('request.opened'),
  new quotas.QuotaExceededError(account, asked, left),
  new quotas.QuotaExceededError(account, asked, { ...left, seconds: 100 }, 'budget'),
  new quotas.QuotaExceededError({ ...account, hpc: systemName('gone') }, asked, left),
  new spending.BudgetSpentError(plan, month),
  new spending.BudgetSpentError({ ...plan, estimate: plan.budget, asked: 5000 }, month),
  new quotas.SubmissionBannedError(account, 'A loop went wrong.'),
  new quotas.QuotaExpiredError(account, day),
  new quotas.QuotaExpiredError(account, day, 'budget'),
  new quotas.NoQuotaError(account),
  new quotas.NoBudgetError(account),
  new quotas.NotMemberError(account),
  new logins.AccountMissingError(user, account.hpc),
  new quotas.ProjectClosedError(account),
  new http.PathNotFoundError(),
  new catalog.SystemNotFoundError('x'),
  new catalog.ProjectNotFoundError('hpc_one', 'y'),
  new jobs.JobNotFoundError(),
  new batches.BatchNotFoundError(),
  new hpc.RemoteFileNotFoundError(),
  new quotas.QuotaNotFoundError(account),
  new quotas.BudgetNotFoundError(account),
  new users.UserNotFoundError(user),
  new logins.AccountNotFoundError(user, account.hpc),
  new webhooks.WebhookNotFoundError(),
  new webhooks.DeliveryNotFoundError(),
  new mail.LinkNotValidError(),
  new requests.RequestNotFoundError(),
  new http.MethodNotAllowedError('PUT', ['GET', 'POST']),
  new jobs.IdempotencyKeyInUseError(cause),
  new quotas.QuotaInUseError('lower', account, inUse),
  new quotas.QuotaInUseError('lower', budget, inUse),
  new quotas.QuotaInUseError('remove', account, inUse),
  new quotas.QuotaInUseError('remove', account, inUse, { ended: 3, countedAll: true }),
  new quotas.QuotaInUseError('remove', account, inUse, someJobs),
  new quotas.QuotaInUseError('remove', account, { ...inUse, activeJobs: 0 }, noJobs),
  new chains.AwaitedFailedError(failedFirst),
  new chains.AwaitedFailedError({ ...failedFirst, givesInput: true }),
  new chains.AwaitedFailedError({
    ...failedFirst,
    givesInput: true,
    jobs: { firstId: 1, count: 40 },
  }),
  new chains.TooManyResultsError({ count: 1001 }),
  new jobs.JobRunsElsewhereError(),
  new logins.AccountsNotUsedError(account.hpc),
  new quotas.GrantTooLargeError(account, 1000),
  new quotas.BudgetTooSmallError(account, asked, left),
  new quotas.BudgetEndsError(account, day),
  new quotas.NotFromBudgetError(account, left),
  new projects.ProjectInCatalogError(account),
  new systems.MaintenanceNotFoundError('hpc_one', '2026-12-01'),
  new systems.MaintenanceNotFoundError('hpc_one', 'pause'),
  new files.UploadUnfinishedError(100, undefined),
  new files.UploadUnfinishedError(100, 99),
  new files.UploadUsedError(),
  new files.UploadsTooLargeError(7, 9),
  new files.TooManyUploadsError(10, 11),
  new quotas.TooManyJobsError(account, 10, 9),
  new quotas.TooManyJobsError(account, 10, 9, 3),
  new batches.NothingFailedError(),
  new batches.BatchInputGoneError(),
  new mail.MailNotSetUpError(),
  new webhooks.TooManyWebhooksError(10),
  new requests.RequestOpenError(account, request),
  new requests.TooManyOpenRequestsError(20),
  new requests.RequestEndedError(requestFromItem(requestItem('declined'))),
  new requests.RequestEndedError(requestFromItem(requestItem('withdrawn'))),
  new files.FileTooLargeError(6_000_000_000, 5_000_000_000),
  new files.FolderNotFoundError(account),
  new files.FolderFullError(account, 60_000, 50_000),
  new files.FolderOutOfReachError(account),
  new budgets.NotLeaderError(account, 'empty its folder'),
  new files.EmptyingUnconfirmedError(account, 2, 60_000),
  new jobs.ResultsTooLargeError(11, 10),
  new http.BodyTooLargeError(11, 10),
  new http.BodyTooLargeError(11, 10, 'Send less.'),
  new http.UnsupportedBodyError('text/plain'),
  new http.UnsupportedBodyError('text/plain', 'Send JSON.'),
  new http.UnsupportedBodyError('gzip', 'Send the bytes as they are.', 'encoding'),
  new IdempotencyKeyReusedError(),
  new http.TooManyCallsError({ rate: 10, burst: 500 }, 0),
  new http.TooManyCallsError({ rate: 10, burst: 500 }, 1001),
  new mail.TooManyLinksError(5, 60),
  new files.TooManyDownloadsError(),
  new http.IdentityProviderUnavailableError(cause),
  new hpc.SystemUnavailableError(secret, { said: secret, ...cause }),
  new hpc.AnswerTooLargeError(secret),
  new hpc.TransferTooSlowError(secret),
  new hpc.SystemBusyError(secret),
  new hpc.SystemBusyError(secret, 7, { said: secret, ...cause }),
  new hpc.CredentialsRefusedError(secret, cause),
  new files.StorageUnavailableError(cause),
  new jobs.SubmissionUncertainError(true, cause),
  new jobs.SubmissionUncertainError(false),
  new table.TableBusyError(cause),
  new table.TableUnavailableError(cause),
  new NewerDataError([{ number: 3, since: '0.3.0', brings: 'totals' }]),
  new table.PartitionFullError(cause),
  new http.TimeoutError(),
  // These are answered before they come so far: as a problem of the request, or of the job.
  new table.StaleReadError(secret),
  new quotas.AccountChangedError(secret),
  new files.RelayChangedError(secret),
  new files.ObjectNotFoundError(secret),
  new files.InputNotFetchedError(secret),
  new files.FetchingInterruptedError(),
  new hpc.JobRefusedError(secret),
  new EventsNotPublishedError(secret, 0),
  new OutOfTimeError(),
];

const told = errors.map((error) => explainError(error));

describe('explainError', () => {
  it('tells a client of every error what it always told', async () => {
    const lines = errors.map(({ name }, index) => JSON.stringify({ error: name, ...told[index] }));
    expect(lines.join('\n')).not.toContain('SECRET');
    await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('problems.jsonl');
  });

  it('knows every error class that there is', async () => {
    const lib = join(import.meta.dirname, '../../../lib');
    const paths = readdirSync(lib, { recursive: true, encoding: 'utf8' });
    const modules: object[] = await Promise.all(
      paths.filter((path) => /\berrors\.ts$/.test(path)).map((path) => import(join(lib, path))),
    );
    const exported = modules.flatMap((module) => Object.values(module));
    const classes = exported.filter((each) => each?.prototype instanceof DomainError);
    const made = new Set<unknown>(errors.map((error) => error.constructor));
    expect(classes.length).toBeGreaterThan(70);
    // Nothing makes an error of what those of a hold share.
    expect(classes.filter((each) => !made.has(each))).toEqual([quotas.HoldRefusedError]);
  });

  it('is of errors that the log tells apart by their names, whatever a bundler calls them', () => {
    for (const error of errors) expect(error.name).toBe(error.constructor.name);
  });

  it('names a next step in the message of every refusal', () => {
    const details = told.filter(({ status }) => status > 401).map(({ detail }) => detail);
    // The first sentence says what is wrong, and another one says what to do.
    const without = details.filter((detail) => !/[.;] \S.*[.\w]$/.test(detail));
    expect(without).toEqual([new batches.NothingFailedError().message]);
  });

  it('asks to come again only where waiting helps', () => {
    const passing = told.filter(({ status }) => status === 429 || status === 503);
    for (const { headers } of passing) expect(headers).toHaveProperty('retry-after');
    const others = told.filter(
      ({ status, headers = {} }) => status < 429 && 'retry-after' in headers,
    );
    expect(others.map(({ name }) => name)).toEqual(['idempotency-key-in-use']);
  });

  it.each([
    new Error('SECRET'),
    new TypeError('SECRET'),
    Object.assign(new Error('SECRET'), { status: 400, statusCode: 400, expose: true }),
    'SECRET',
    { message: 'SECRET', status: 404 },
    undefined,
    null,
  ])('shows nothing of an error it does not know: %j', (error) => {
    const problem = explainError(error);
    expect(problem).toMatchObject({ status: 500, name: 'internal-error' });
    expect(JSON.stringify(problem)).not.toContain('SECRET');
    expect(problem.detail).toContain('request id');
  });
});
