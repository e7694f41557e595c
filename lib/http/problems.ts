import {
  BadTableError,
  BatchInputGoneError,
  BatchNotFoundError,
  NothingFailedError,
} from '#lib/batches/errors.ts';
import { NotLeaderError } from '#lib/budgets/errors.ts';
import { catalog } from '#lib/catalog/catalog.ts';
import { ProjectNotFoundError, SystemNotFoundError } from '#lib/catalog/errors.ts';
import { wordOfCharging } from '#lib/catalog/hpc-system.ts';
import { microsPerDollar } from '#lib/charging/price-job.ts';
import { DomainError, IdempotencyKeyReusedError } from '#lib/errors/domain-error.ts';
import {
  FileTooLargeError,
  StorageUnavailableError,
  TooManyDownloadsError,
  TooManyUploadsError,
  UploadNotFoundError,
  UploadsTooLargeError,
  UploadUnfinishedError,
  UploadUsedError,
} from '#lib/files/errors.ts';
import {
  CredentialsRefusedError,
  RemoteFileNotFoundError,
  SystemBusyError,
  SystemUnavailableError,
} from '#lib/hpc/errors.ts';
import { AwaitedFailedError, AwaitedNotFoundError } from '#lib/jobs/chains/errors.ts';
import {
  IdempotencyKeyInUseError,
  JobNotFoundError,
  JobRunsElsewhereError,
  ResultsTooLargeError,
  SubmissionUncertainError,
} from '#lib/jobs/errors.ts';
import { LinkNotValidError, MailNotSetUpError, TooManyLinksError } from '#lib/mail/errors.ts';
import { ProjectInCatalogError } from '#lib/projects/errors.ts';
import {
  BudgetEndsError,
  BudgetNotFoundError,
  BudgetTooSmallError,
  GrantTooLargeError,
  LedgerTooLongError,
  NoBudgetError,
  NoQuotaError,
  NotFromBudgetError,
  NotMemberError,
  ProjectClosedError,
  QuotaExceededError,
  QuotaExpiredError,
  QuotaInUseError,
  QuotaNotFoundError,
  SubmissionBannedError,
  TooManyJobsError,
} from '#lib/quotas/errors.ts';
import {
  RequestEndedError,
  RequestNotFoundError,
  RequestOpenError,
  TooManyOpenRequestsError,
} from '#lib/requests/errors.ts';
import { BudgetSpentError } from '#lib/spending/errors.ts';
import { PartitionFullError, TableBusyError, TableUnavailableError } from '#lib/table/errors.ts';
import type { ProjectKey } from '#lib/table/keys.ts';
import { UserNotFoundError } from '#lib/users/errors.ts';
import {
  AccountMissingError,
  AccountNotFoundError,
  AccountsNotUsedError,
} from '#lib/users/logins/errors.ts';
import {
  DeliveryNotFoundError,
  EventForAdministratorsError,
  TooManyWebhooksError,
  WebhookNotFoundError,
} from '#lib/webhooks/errors.ts';
import { UnsafeZipError } from '#lib/zips/errors.ts';
import {
  BodyTooLargeError,
  type FieldProblem,
  IdentityProviderUnavailableError,
  InvalidRequestError,
  InvalidTokenError,
  MethodNotAllowedError,
  NotAdministratorError,
  PathNotFoundError,
  TimeoutError,
  TooManyCallsError,
  UnsupportedBodyError,
} from './errors.ts';

/** An error as a client sees it (RFC 9457). */
export interface Problem {
  readonly status: number;
  /** The last part of its `type`, which is also a dimension of the metric of refusals. */
  readonly name: string;
  readonly title: string;
  readonly detail: string;
  readonly members?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string>>;
}

type ErrorClass<E extends DomainError> = new (...parameters: never[]) => E;
/** `detail` replaces the error's own message if clients must not see that. */
type Extras<E> = (error: E) => Partial<Pick<Problem, 'detail' | 'members' | 'headers'>>;

interface ProblemRow {
  readonly status: number;
  readonly name: string;
  readonly title: string;
  readonly explain: (error: DomainError) => Problem | undefined;
}

/**
 * Maps every domain error to a status. Clients retry after a 429, so only limits that end by waiting
 * use it. Limits that last until somebody does something are 409.
 */
const rows: readonly ProblemRow[] = [
  requestRow(InvalidRequestError, ({ problems }) => problems),
  requestRow(LedgerTooLongError, ({ part, message }) => [
    { location: 'query', name: part === 'period' ? 'since' : 'until', message },
  ]),
  // Only for uploads: problems of a zip in the body are found while the request is parsed.
  requestRow(UnsafeZipError, ({ problems }) => problems.map(wrongUpload)),
  requestRow(BadTableError, ({ table, problems }) =>
    problems.map(({ line, message }) => ({
      location: line === undefined ? ('payload' as const) : ('body' as const),
      name: line === undefined ? table : `${table}:${line}`,
      message,
    })),
  ),
  requestRow(UploadNotFoundError, ({ message }) => [wrongUpload(message)]),
  requestRow(AwaitedNotFoundError, ({ problems }) =>
    problems.map(({ field, message }) => ({ location: 'payload', name: field, message })),
  ),
  row(401, InvalidTokenError, 'invalid-token', 'Missing or invalid access token', () => ({
    headers: { 'www-authenticate': 'Bearer error="invalid_token"' },
  })),
  row(403, NotAdministratorError, 'not-administrator', 'Administrators only'),
  row(403, NotLeaderError, 'not-leader', 'Leaders and administrators only'),
  row(403, EventForAdministratorsError, 'event-for-administrators', 'An event for administrators'),
  row(403, QuotaExceededError, 'quota-exceeded', 'The quota is too small', (error) => ({
    members: {
      ...nameProject(error.project),
      asked: { time: error.asked.seconds, space: error.asked.kilobytes },
      left: { time: error.left.seconds, space: error.left.kilobytes },
    },
  })),
  row(
    403,
    BudgetSpentError,
    'budget-spent',
    "The month's budget is spent",
    ({ plan, opensAt }) => ({
      members: {
        estimate: plan.estimate / microsPerDollar,
        cost: plan.asked / microsPerDollar,
        budget: plan.budget / microsPerDollar,
        opens_at: opensAt.toISOString().replace('.000', ''),
      },
    }),
  ),
  row(403, SubmissionBannedError, 'banned', 'Submitting is not allowed', (error) => ({
    members: { reason: error.reason },
  })),
  row(403, QuotaExpiredError, 'quota-expired', 'The quota has expired'),
  row(403, NoQuotaError, 'no-quota', 'No quota in this project'),
  row(403, NoBudgetError, 'no-budget', 'The project has no budget'),
  row(403, NotMemberError, 'not-member', 'Not a member any more'),
  row(403, AccountMissingError, 'account-missing', 'No account on this HPC system'),
  row(403, ProjectClosedError, 'project-closed', 'The project is closed'),
  row(404, PathNotFoundError, 'path-not-found', 'Path not found'),
  row(404, SystemNotFoundError, 'system-not-found', 'Unknown HPC system'),
  row(404, ProjectNotFoundError, 'project-not-found', 'Unknown project'),
  row(404, JobNotFoundError, 'job-not-found', 'Unknown job'),
  row(404, BatchNotFoundError, 'batch-not-found', 'Unknown batch'),
  row(404, RemoteFileNotFoundError, 'file-not-found', 'Unknown file'),
  row(404, QuotaNotFoundError, 'quota-not-found', 'Unknown quota'),
  row(404, BudgetNotFoundError, 'budget-not-found', 'No budget'),
  row(404, UserNotFoundError, 'user-not-found', 'Unknown user'),
  row(404, AccountNotFoundError, 'account-not-found', 'No such account'),
  row(404, WebhookNotFoundError, 'webhook-not-found', 'Unknown webhook'),
  row(404, DeliveryNotFoundError, 'delivery-not-found', 'Unknown delivery'),
  row(404, LinkNotValidError, 'link-not-valid', 'The link is not valid'),
  row(404, RequestNotFoundError, 'request-not-found', 'Unknown request'),
  row(405, MethodNotAllowedError, 'method-not-allowed', 'Method not allowed', (error) => ({
    headers: { allow: error.allowed.join(', ') },
  })),
  row(
    409,
    IdempotencyKeyInUseError,
    'idempotency-key-in-use',
    'The first request is still running',
    retryAfter(1),
  ),
  row(409, QuotaInUseError, 'quota-in-use', 'The quota is in use', (error) => {
    const { account, lowest, jobs } = error;
    const { time, space, activeJobs } = account;
    return {
      members: {
        ...nameProject(error.project),
        time,
        space,
        living_jobs: activeJobs,
        ...(lowest && { lowest: { time: lowest.seconds, space: lowest.kilobytes } }),
        ...(jobs && { ended_jobs: jobs.ended }),
        ...(jobs?.discarded !== undefined && { discarded_jobs: jobs.discarded }),
      },
    };
  }),
  row(409, AwaitedFailedError, 'awaited-failed', 'An awaited job has not ended well', (error) => ({
    members: { job_id: error.id },
  })),
  row(409, JobRunsElsewhereError, 'job-runs-elsewhere', 'Another run of the job has begun'),
  row(409, AccountsNotUsedError, 'accounts-not-used', 'Accounts are not used there'),
  row(409, GrantTooLargeError, 'grant-too-large', 'The quota would be too large'),
  row(409, BudgetTooSmallError, 'budget-too-small', 'The budget is too small', (error) => ({
    members: {
      ...nameProject(error.project),
      asked: { time: error.asked.seconds, space: error.asked.kilobytes },
      left: { time: error.left.seconds, space: error.left.kilobytes },
    },
  })),
  row(409, BudgetEndsError, 'budget-ends', 'The budget ends before that'),
  row(409, NotFromBudgetError, 'not-from-budget', 'Not all of it came from the budget'),
  row(409, ProjectInCatalogError, 'project-in-catalog', "The project is the operator's"),
  row(409, UploadUnfinishedError, 'upload-unfinished', 'The upload is not complete'),
  row(409, UploadUsedError, 'upload-used', 'The upload was already used'),
  row(409, UploadsTooLargeError, 'uploads-too-large', 'Too much is uploaded', countAgainstLimit),
  row(409, TooManyUploadsError, 'too-many-uploads', 'Too many uploads at once', countAgainstLimit),
  row(409, TooManyJobsError, 'too-many-jobs', 'Too many jobs at once', countAgainstLimit),
  row(409, NothingFailedError, 'nothing-failed', 'No job has failed'),
  row(409, BatchInputGoneError, 'batch-input-gone', 'The input was removed'),
  row(409, MailNotSetUpError, 'mail-not-set-up', 'No mail is sent'),
  row(409, TooManyWebhooksError, 'too-many-webhooks', 'Webhook limit reached'),
  row(409, RequestOpenError, 'request-open', 'A request is still open', (error) => ({
    members: { request_id: error.requestId },
  })),
  row(
    409,
    TooManyOpenRequestsError,
    'too-many-open-requests',
    'Too many open requests',
    (error) => ({ members: { limit: error.limit } }),
  ),
  row(409, RequestEndedError, 'request-ended', 'The request is not open any more', (error) => ({
    members: { state: error.state, by: error.by },
  })),
  row(413, FileTooLargeError, 'file-too-large', 'The file is too large'),
  row(413, ResultsTooLargeError, 'results-too-large', 'The results are too large', (error) => ({
    members: { limit: error.limit },
  })),
  row(413, BodyTooLargeError, 'body-too-large', 'The body is too large'),
  row(415, UnsupportedBodyError, 'unsupported-body', 'Unsupported content type'),
  row(
    422,
    IdempotencyKeyReusedError,
    'idempotency-key-reused',
    'The key belongs to another request',
  ),
  row(429, TooManyCallsError, 'too-many-calls', 'Too many calls in a short time', (error) => ({
    members: { limit: error.limit },
    headers: { 'retry-after': String(error.waitSeconds) },
  })),
  row(429, TooManyLinksError, 'too-many-links', 'Too many links', (error) => ({
    headers: { 'retry-after': String(error.waitSeconds) },
  })),
  row(
    429,
    TooManyDownloadsError,
    'too-many-downloads',
    'Too many large files at once',
    retryAfter(60),
  ),
  row(
    503,
    IdentityProviderUnavailableError,
    'identity-unavailable',
    'Tokens cannot be checked',
    retryAfter(10),
  ),
  row(503, SystemUnavailableError, 'system-unavailable', 'The HPC system is down', () => ({
    detail: 'The HPC system cannot be reached right now. Nothing is lost. Try again later.',
    headers: { 'retry-after': '30' },
  })),
  row(503, SystemBusyError, 'system-busy', 'The HPC system is busy', (error) => ({
    detail: 'The HPC system accepts no more requests right now. Try again later.',
    headers: { 'retry-after': String(error.retryAfterSeconds) },
  })),
  // Callers cannot do anything about it, so they are told that the system is down.
  row(503, CredentialsRefusedError, 'system-unavailable', 'The HPC system is down', () => ({
    detail: 'The HPC system does not accept this service right now. Try again later.',
    headers: { 'retry-after': '60' },
  })),
  row(
    503,
    StorageUnavailableError,
    'storage-unavailable',
    'The file storage is down',
    retryAfter(10),
  ),
  row(503, SubmissionUncertainError, 'submission-uncertain', 'The job may exist', retryAfter(10)),
  row(503, TableBusyError, 'busy', 'Too many changes at once', retryAfter(1)),
  row(503, TableUnavailableError, 'unavailable', 'The service is down', retryAfter(10)),
  row(507, PartitionFullError, 'records-full', 'No room for more records'),
  row(503, TimeoutError, 'timeout', 'The request took too long', retryAfter(1)),
];

/** Errors that are not in the table are bugs, and their messages stay in the log. */
const unexpected: Problem = {
  status: 500,
  name: 'internal-error',
  title: 'Something went wrong',
  detail:
    'The service failed to answer. Report the request id in `instance` to the operator, who can find the cause in the log.',
};

/** An identifier that clients compare. `/docs/#problem-{name}` explains it. */
export function problemType(name: string): string {
  return `urn:slipway:problem:${name}`;
}

/** Returns what all problems of a name share, for the description of the API. */
export function kindOfProblem(name: string): Pick<Problem, 'status' | 'title'> {
  const found = [...rows, unexpected].find((each) => each.name === name);
  if (!found) throw new Error(`Unknown problem '${name}'.`);
  return found;
}

export function explainError(error: unknown): Problem {
  if (!(error instanceof DomainError)) return unexpected;
  for (const { explain } of rows) {
    const problem = explain(error);
    if (problem) return problem;
  }
  return unexpected;
}

function row<E extends DomainError>(
  status: number,
  errorClass: ErrorClass<E>,
  name: string,
  title: string,
  extras?: Extras<E>,
): ProblemRow {
  return {
    status,
    name,
    title,
    explain: (error) =>
      error instanceof errorClass
        ? { status, name, title, detail: error.message, ...extras?.(error) }
        : undefined,
  };
}

function retryAfter(seconds: number) {
  return () => ({ headers: { 'retry-after': String(seconds) } });
}

function countAgainstLimit({ limit, count }: { readonly limit: number; readonly count: number }) {
  return { members: { limit, count } };
}

/** Maps an error to a 400 that names the wrong parts, even if it was found after parsing. */
function requestRow<E extends DomainError>(
  errorClass: ErrorClass<E>,
  find: (error: E) => readonly FieldProblem[],
): ProblemRow {
  return row(400, errorClass, 'invalid-request', 'The request is not valid', (error) => {
    const errors = find(error);
    return { detail: new InvalidRequestError(errors).message, members: { errors } };
  });
}

/** Names the project of the amounts, and how its system charges time. */
function nameProject({ hpc, project }: ProjectKey): Readonly<Record<string, unknown>> {
  const system = catalog.systems.find(({ name }) => name === hpc);
  return {
    project_hpc: hpc.toUpperCase(),
    project_name: project,
    ...(system && { charging: wordOfCharging(system.charging) }),
  };
}

function wrongUpload(message: string): FieldProblem {
  return { location: 'header', name: 'Upload-Id', message };
}
