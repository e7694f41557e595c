import { describe, expect, it } from 'vitest';
import * as catalogErrors from '#lib/catalog/errors.ts';
import { ProjectNotFoundError, SystemNotFoundError } from '#lib/catalog/errors.ts';
import { IdempotencyKeyReusedError } from '#lib/errors/domain-error.ts';
import * as httpErrors from '#lib/http/errors.ts';
import { explainError } from '#lib/http/problems.ts';
import * as jobErrors from '#lib/jobs/errors.ts';
import * as projectErrors from '#lib/projects/errors.ts';
import * as quotaErrors from '#lib/quotas/errors.ts';
import * as requestErrors from '#lib/requests/errors.ts';
import { requestFromItem } from '#lib/requests/request-item.ts';
import * as tableErrors from '#lib/table/errors.ts';
import * as userErrors from '#lib/users/errors.ts';
import * as webhookErrors from '#lib/webhooks/errors.ts';
import { projectName, systemName, userId } from '#test/fixtures/names.ts';
import { request, requestItem } from '#test/fixtures/requests.ts';

const account = { hpc: systemName('hpc_one'), project: projectName('proj_hpc_one_01') };
const asked = { seconds: 100, kilobytes: 20 };
const left = { seconds: 99, kilobytes: 5 };
const place = { project_hpc: 'HPC_ONE', project_name: 'proj_hpc_one_01', charging: 'node' };
const inUse = {
  time: { granted: 10, left: 1, held: 2, used: 7 },
  space: { granted: 9, left: 4, held: 5, used: 0 },
  activeJobs: 2,
};
const secret = { cause: new Error('SECRET') };

const oneProblem = [{ location: 'query', name: 'limit', message: 'At least 1.' }] as const;
const twoProblems = [
  ...oneProblem,
  { location: 'body', name: 'body', message: 'No zip.' },
] as const;

const retryIn = (seconds: number) => ({ 'retry-after': String(seconds) });

/** A fault of the request that only a later look shows. */
function invalid(location: string, name: string, message: string) {
  return {
    status: 400,
    name: 'invalid-request',
    title: 'The request is not valid',
    detail: `${name}: ${message}`,
    members: { errors: [{ location, name, message }] },
  };
}

/** Every error of the domain, and the whole of what a client is told of it. */
const listErrors = (): { error: Error; expected: Record<string, unknown> }[] => [
  {
    error: new httpErrors.InvalidRequestError(oneProblem),
    expected: {
      status: 400,
      name: 'invalid-request',
      title: 'The request is not valid',
      detail: 'limit: At least 1.',
      members: { errors: oneProblem },
    },
  },
  {
    error: new httpErrors.InvalidRequestError(twoProblems),
    expected: {
      status: 400,
      name: 'invalid-request',
      title: 'The request is not valid',
      detail: "2 parts of the request are not valid; 'errors' names each.",
      members: { errors: twoProblems },
    },
  },
  {
    error: new quotaErrors.LedgerTooLongError('period', 5),
    expected: invalid('query', 'since', new quotaErrors.LedgerTooLongError('period', 5).message),
  },
  {
    error: new quotaErrors.LedgerTooLongError('newer', 5),
    expected: invalid('query', 'until', new quotaErrors.LedgerTooLongError('newer', 5).message),
  },
  {
    error: new httpErrors.InvalidTokenError(secret),
    expected: {
      status: 401,
      name: 'invalid-token',
      title: 'Missing or invalid access token',
      detail: 'A valid access token is required: Authorization: Bearer <ACCESS_TOKEN>.',
      headers: { 'www-authenticate': 'Bearer error="invalid_token"' },
    },
  },
  {
    error: new httpErrors.NotAdministratorError(),
    expected: {
      status: 403,
      name: 'not-administrator',
      title: 'Administrators only',
      detail: 'Only administrators may use this path.',
    },
  },
  {
    error: new quotaErrors.SubmissionBannedError(account, 'A loop went wrong.'),
    expected: {
      status: 403,
      name: 'banned',
      title: 'Submitting is not allowed',
      detail:
        "You may not submit to the project 'proj_hpc_one_01' on 'hpc_one': A loop went wrong.",
      members: { reason: 'A loop went wrong.' },
    },
  },
  {
    error: new quotaErrors.QuotaInUseError('lower', account, inUse),
    expected: {
      status: 409,
      name: 'quota-in-use',
      title: 'The quota is in use',
      detail:
        "The quota of 'proj_hpc_one_01' on 'hpc_one' cannot be set below 9 seconds and 5 kilobytes: " +
        'so much was used by jobs or is held for them. Set that or more, or wait until jobs end ' +
        'and are deleted.',
      members: {
        ...place,
        time: { granted: 10, left: 1, held: 2, used: 7 },
        space: { granted: 9, left: 4, held: 5, used: 0 },
        living_jobs: 2,
        lowest: { time: 9, space: 5 },
      },
    },
  },
  ...[
    {
      jobs: { ended: 3, countedAll: true },
      counts: 'living jobs: 2, ended jobs: 3',
      advice:
        'Cancel the living jobs and delete the ended ones, whose space is held until then, or ' +
        'send ?with_jobs=true, which does both.',
    },
    {
      jobs: { ended: 900, countedAll: false, discarded: 70 },
      counts: 'living jobs: 2, ended jobs: at least 900',
      advice: 'Cancelled or deleted this time: 70. Send the same request again.',
    },
  ].map(({ jobs, counts, advice }) => ({
    error: new quotaErrors.QuotaInUseError('remove', account, inUse, jobs),
    expected: {
      status: 409,
      name: 'quota-in-use',
      title: 'The quota is in use',
      detail:
        `The quota of 'proj_hpc_one_01' on 'hpc_one' is in use (${counts}): 2 seconds and 5 ` +
        `kilobytes are held. ${advice}`,
      members: {
        ...place,
        time: inUse.time,
        space: inUse.space,
        living_jobs: 2,
        ended_jobs: jobs.ended,
        ...('discarded' in jobs && { discarded_jobs: jobs.discarded }),
      },
    },
  })),
  {
    error: new quotaErrors.GrantTooLargeError(account, 1000),
    expected: {
      status: 409,
      name: 'grant-too-large',
      title: 'The quota would be too large',
      detail: "The quota of 'proj_hpc_one_01' on 'hpc_one' would be above 1000. Grant less.",
    },
  },
  {
    error: new quotaErrors.QuotaExpiredError(account, new Date('2027-01-31T12:00:00Z')),
    expected: {
      status: 403,
      name: 'quota-expired',
      title: 'The quota has expired',
      detail:
        "The quota of 'proj_hpc_one_01' on 'hpc_one' was valid until 2027-01-31. " +
        'An administrator can prolong it.',
    },
  },
  {
    error: new httpErrors.TooManyCallsError({ rate: 10, burst: 500 }, 1001),
    expected: {
      status: 429,
      name: 'too-many-calls',
      title: 'Too many calls in a short time',
      detail:
        'You call too often: after 500 calls at once, 10 a second are allowed. Nothing was done: ' +
        'send it again in 2 s. Webhooks tell you what changes without calling.',
      members: { limit: 10 },
      headers: { 'retry-after': '2' },
    },
  },
  {
    error: new quotaErrors.TooManyJobsError(account, 10, 10),
    expected: {
      status: 409,
      name: 'too-many-jobs',
      title: 'Too many jobs at once',
      detail:
        "You have 10 living jobs in the project 'proj_hpc_one_01' on 'hpc_one', and at most " +
        '10 are allowed at once. Wait until one ends, or cancel one.',
      members: { limit: 10, count: 10 },
    },
  },
  {
    error: new quotaErrors.QuotaExceededError(account, asked, left),
    expected: {
      status: 403,
      name: 'quota-exceeded',
      title: 'The quota is too small',
      detail:
        "The quota of 'proj_hpc_one_01' on 'hpc_one' is too small: " +
        '100 seconds of time were asked for, but only 99 are left; ' +
        '20 kilobytes of space were asked for, but only 5 are left.',
      members: { ...place, asked: { time: 100, space: 20 }, left: { time: 99, space: 5 } },
    },
  },
  {
    error: new quotaErrors.ProjectClosedError(account),
    expected: {
      status: 403,
      name: 'project-closed',
      title: 'The project is closed',
      detail:
        "The project 'proj_hpc_one_01' on 'hpc_one' is closed, so nothing can be submitted to it. " +
        'Submit to another project, or ask an administrator to open it again.',
    },
  },
  {
    error: new projectErrors.ProjectInCatalogError(account),
    expected: {
      status: 409,
      name: 'project-in-catalog',
      title: "The project is the operator's",
      detail:
        "The project 'proj_hpc_one_01' on 'hpc_one' is in the catalog of this service, so it cannot be changed here. " +
        'Ask the operator to change the catalog, or choose another name.',
    },
  },
  {
    error: new quotaErrors.NoQuotaError(account),
    expected: {
      status: 403,
      name: 'no-quota',
      title: 'No quota in this project',
      detail:
        "You have no quota in the project 'proj_hpc_one_01' on 'hpc_one'. " +
        'An administrator can grant one.',
    },
  },
  {
    error: new httpErrors.PathNotFoundError(),
    expected: {
      status: 404,
      name: 'path-not-found',
      title: 'Path not found',
      detail: 'There is nothing at this path. /docs/ lists all paths.',
    },
  },
  {
    error: new SystemNotFoundError('x'),
    expected: {
      status: 404,
      name: 'system-not-found',
      title: 'Unknown HPC system',
      detail: "There is no HPC system 'x'. GET /hpc/ lists those that there are.",
    },
  },
  {
    error: new ProjectNotFoundError('hpc_one', 'y'),
    expected: {
      status: 404,
      name: 'project-not-found',
      title: 'Unknown project',
      detail:
        "The HPC system 'hpc_one' has no project 'y'. GET /projects/hpc_one/ lists those that it has.",
    },
  },
  {
    error: new jobErrors.JobNotFoundError(),
    expected: {
      status: 404,
      name: 'job-not-found',
      title: 'Unknown job',
      detail:
        'There is no such job here. The list of jobs with ?job_id=... looks for it in all systems and projects.',
    },
  },
  {
    error: new quotaErrors.QuotaNotFoundError(account),
    expected: {
      status: 404,
      name: 'quota-not-found',
      title: 'Unknown quota',
      detail:
        "There is no quota in the project 'proj_hpc_one_01' on 'hpc_one'. The list of quotas shows those that there are; an administrator can grant one.",
    },
  },
  {
    error: new webhookErrors.WebhookNotFoundError(),
    expected: {
      status: 404,
      name: 'webhook-not-found',
      title: 'Unknown webhook',
      detail: 'There is no such webhook. GET /webhooks/ lists yours.',
    },
  },
  {
    error: new webhookErrors.EventForAdministratorsError('request.opened'),
    expected: {
      status: 403,
      name: 'event-for-administrators',
      title: 'An event for administrators',
      detail: 'Only administrators are told of request.opened. Leave it out of events.',
    },
  },
  {
    error: new requestErrors.RequestNotFoundError(),
    expected: {
      status: 404,
      name: 'request-not-found',
      title: 'Unknown request',
      detail: 'There is no such request.',
    },
  },
  {
    error: new requestErrors.RequestOpenError(account, request),
    expected: {
      status: 409,
      name: 'request-open',
      title: 'A request is still open',
      detail: `Your request ${request} for the project 'proj_hpc_one_01' on 'hpc_one' is still open. Wait for its decision, or withdraw it first.`,
      members: { request_id: request },
    },
  },
  {
    error: new requestErrors.TooManyOpenRequestsError(20),
    expected: {
      status: 409,
      name: 'too-many-open-requests',
      title: 'Too many open requests',
      detail:
        'You have 20 open requests, and no more are allowed. Wait for a decision, or withdraw one.',
      members: { limit: 20 },
    },
  },
  {
    error: new requestErrors.RequestEndedError(requestFromItem(requestItem('declined'))),
    expected: {
      status: 409,
      name: 'request-ended',
      title: 'The request is not open any more',
      detail: `The request ${request} was declined by 100001 on 2026-11-16. Nothing was changed.`,
      members: { state: 'declined', by: '100001' },
    },
  },
  {
    error: new webhookErrors.TooManyWebhooksError(),
    expected: {
      status: 409,
      name: 'too-many-webhooks',
      title: 'Webhook limit reached',
      detail: 'You have 10 webhooks, and no more are allowed. Delete one first.',
    },
  },
  {
    error: new httpErrors.MethodNotAllowedError('PUT', ['GET', 'POST']),
    expected: {
      status: 405,
      name: 'method-not-allowed',
      title: 'Method not allowed',
      detail: 'PUT is not allowed at this path. Allowed: GET, POST.',
      headers: { allow: 'GET, POST' },
    },
  },
  {
    error: new jobErrors.IdempotencyKeyInUseError(secret),
    expected: {
      status: 409,
      name: 'idempotency-key-in-use',
      title: 'The first request is still running',
      detail:
        'The first request with this Idempotency-Key is still running. Try again in a moment.',
      headers: retryIn(1),
    },
  },
  {
    error: new jobErrors.ResultsTooLargeError(11, 10),
    expected: {
      status: 413,
      name: 'results-too-large',
      title: 'The results are too large',
      detail:
        'The results have 11 bytes, but at most 10 are taken. ' +
        'Let the job remove what is not needed before it ends.',
      members: { limit: 10 },
    },
  },
  {
    error: new httpErrors.BodyTooLargeError(11, 10),
    expected: {
      status: 413,
      name: 'body-too-large',
      title: 'The body is too large',
      detail:
        'The body has 11 bytes, but at most 10 are allowed. ' +
        'Use POST /uploads/ to send a larger file.',
    },
  },
  {
    error: new httpErrors.UnsupportedBodyError('text/plain'),
    expected: {
      status: 415,
      name: 'unsupported-body',
      title: 'Unsupported content type',
      detail:
        "The content type 'text/plain' is not supported here. " +
        "Send the bytes of the zip as they are, with 'Content-Type: application/zip'.",
    },
  },
  {
    error: new IdempotencyKeyReusedError(),
    expected: {
      status: 422,
      name: 'idempotency-key-reused',
      title: 'The key belongs to another request',
      detail:
        'This Idempotency-Key was used for a different request. Send a new key with a new request.',
    },
  },
  {
    error: new httpErrors.IdentityProviderUnavailableError(secret),
    expected: {
      status: 503,
      name: 'identity-unavailable',
      title: 'Tokens cannot be checked',
      detail:
        'The identity provider cannot be reached, so tokens cannot be checked. Try again later.',
      headers: retryIn(10),
    },
  },
  {
    error: new tableErrors.TableBusyError(secret),
    expected: {
      status: 503,
      name: 'busy',
      title: 'Too many changes at once',
      detail: 'Too many changes to the same account at once. Try again in a moment.',
      headers: retryIn(1),
    },
  },
  {
    error: new jobErrors.SubmissionUncertainError(true, secret),
    expected: {
      status: 503,
      name: 'submission-uncertain',
      title: 'The job may exist',
      detail:
        'The job may have been accepted: the service lost contact with its data while it was stored. ' +
        'Send the same request with the same Idempotency-Key again: it makes no second job.',
      headers: retryIn(10),
    },
  },
  {
    error: new tableErrors.TableUnavailableError(secret),
    expected: {
      status: 503,
      name: 'unavailable',
      title: 'The service is down',
      detail: 'The service cannot reach its data. Try again later.',
      headers: retryIn(10),
    },
  },
  {
    error: new tableErrors.PartitionFullError(secret),
    expected: {
      status: 507,
      name: 'records-full',
      title: 'No room for more records',
      detail:
        'There is no room for more records of this user. Nothing was changed. Tell the operator of the service.',
    },
  },
  {
    error: new httpErrors.TimeoutError(),
    expected: {
      status: 503,
      name: 'timeout',
      title: 'The request took too long',
      detail:
        'The request took too long. What it was to change may have been changed all the same: look ' +
        'first, then try again. A submission with an Idempotency-Key can simply be sent again.',
      headers: retryIn(1),
    },
  },
  {
    error: new userErrors.UserNotFoundError(userId('7')),
    expected: {
      status: 404,
      name: 'user-not-found',
      title: 'Unknown user',
      detail: "The user '7' is not known here. GET /admin/users/ lists those who are.",
    },
  },
];

const table = listErrors();

describe('explainError', () => {
  it.each(table)('explains $error.name as $expected.status', ({ error, expected }) => {
    expect(explainError(error)).toEqual(expected);
    expect(JSON.stringify(explainError(error))).not.toContain('SECRET');
  });

  it('is of errors that the log tells apart by their names, whatever a bundler calls them', () => {
    for (const { error } of listErrors()) expect(error.name).toBe(error.constructor.name);
  });

  it('has a row for every error class that there is', () => {
    const modules = [
      catalogErrors,
      httpErrors,
      { IdempotencyKeyReusedError },
      jobErrors,
      projectErrors,
      quotaErrors,
      requestErrors,
      tableErrors,
      userErrors,
      webhookErrors,
    ];
    // What they share is no error by itself: nothing makes one of it.
    const bases = ['HoldRefusedError', 'StaleReadError'];
    const classes = modules
      .flatMap((module) => Object.entries(module))
      // Whoever decided by what has changed decides again: no client hears of it.
      .filter(([, { prototype }]) => !(prototype instanceof tableErrors.StaleReadError))
      .map(([name]) => name)
      .filter((name) => !bases.includes(name));
    const explained = table.map(({ error }) => error.constructor.name);
    expect([...new Set(explained)].sort()).toEqual(classes.sort());
  });

  it('gives two kinds of errors two names, but for what is wrong with a request', () => {
    const others = table.filter(({ expected }) => expected.status !== 400);
    const names = new Map(others.map(({ error, expected }) => [expected.name, error.name]));
    expect(names.size).toBe(new Set(others.map(({ error }) => error.name)).size);
    expect(names.has('invalid-request')).toBe(false);
  });

  it('asks to come again only where waiting helps', () => {
    const all = table.map(({ error }) => explainError(error));
    const limits = all.filter(({ name }) => name.startsWith('too-many-'));
    expect(limits.map(({ name, status }) => `${status} ${name}`).sort()).toEqual([
      '409 too-many-jobs',
      '409 too-many-open-requests',
      '409 too-many-webhooks',
      '429 too-many-calls',
    ]);
    const passing = all.filter(({ status }) => status === 429 || status === 503);
    for (const { headers } of passing) expect(headers).toHaveProperty('retry-after');
    const repeated = all.filter(({ headers = {} }) => 'retry-after' in headers);
    expect(repeated.filter(({ status }) => status === 409).map(({ name }) => name)).toEqual([
      'idempotency-key-in-use',
    ]);
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
    expect(explainError(error)).toEqual({
      status: 500,
      name: 'internal-error',
      title: 'Something went wrong',
      detail:
        'The service could not answer. Report the request id in `instance`: it leads to the reason in the log.',
    });
  });
});
