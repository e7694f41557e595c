import { describe, expect, it } from 'vitest';
import * as budgetErrors from '#lib/budgets/errors.ts';
import * as catalogErrors from '#lib/catalog/errors.ts';
import { ProjectNotFoundError, SystemNotFoundError } from '#lib/catalog/errors.ts';
import { IdempotencyKeyReusedError } from '#lib/errors/domain-error.ts';
import * as httpErrors from '#lib/http/errors.ts';
import { explainError } from '#lib/http/problems.ts';
import * as afterErrors from '#lib/jobs/chains/errors.ts';
import * as jobErrors from '#lib/jobs/errors.ts';
import * as mailErrors from '#lib/mail/errors.ts';
import * as projectErrors from '#lib/projects/errors.ts';
import * as quotaErrors from '#lib/quotas/errors.ts';
import * as requestErrors from '#lib/requests/errors.ts';
import { requestFromItem } from '#lib/requests/quota-request.ts';
import * as spendingErrors from '#lib/spending/errors.ts';
import * as tableErrors from '#lib/table/errors.ts';
import * as userErrors from '#lib/users/errors.ts';
import * as webhookErrors from '#lib/webhooks/errors.ts';
import { jobId, projectName, systemName, userId } from '#test/fixtures/names.ts';
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
function invalid(location: string, name: string, message: string): Record<string, unknown> {
  return {
    status: 400,
    name: 'invalid-request',
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
      members: { errors: oneProblem },
    },
  },
  {
    error: new httpErrors.InvalidRequestError(twoProblems),
    expected: {
      status: 400,
      name: 'invalid-request',
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
      headers: { 'www-authenticate': 'Bearer error="invalid_token"' },
    },
  },
  {
    error: new httpErrors.NotAdministratorError(),
    expected: {
      status: 403,
      name: 'not-administrator',
    },
  },
  {
    error: new quotaErrors.SubmissionBannedError(account, 'A loop went wrong.'),
    expected: {
      status: 403,
      name: 'banned',
      members: { reason: 'A loop went wrong.' },
    },
  },
  {
    error: new quotaErrors.QuotaInUseError('lower', account, inUse),
    expected: {
      status: 409,
      name: 'quota-in-use',
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
    { jobs: { ended: 3, countedAll: true } },
    { jobs: { ended: 900, countedAll: false, discarded: 70 } },
  ].map(({ jobs }) => ({
    error: new quotaErrors.QuotaInUseError('remove', account, inUse, jobs),
    expected: {
      status: 409,
      name: 'quota-in-use',
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
    },
  },
  {
    error: new quotaErrors.QuotaExpiredError(account, new Date('2027-01-31T12:00:00Z')),
    expected: {
      status: 403,
      name: 'quota-expired',
    },
  },
  {
    error: new httpErrors.TooManyCallsError({ rate: 10, burst: 500 }, 1001),
    expected: {
      status: 429,
      name: 'too-many-calls',
      members: { limit: 10 },
      headers: { 'retry-after': '2' },
    },
  },
  {
    error: new quotaErrors.TooManyJobsError(account, 10, 10),
    expected: {
      status: 409,
      name: 'too-many-jobs',
      members: { limit: 10, count: 10 },
    },
  },
  {
    error: new quotaErrors.QuotaExceededError(account, asked, left),
    expected: {
      status: 403,
      name: 'quota-exceeded',
      members: { ...place, asked: { time: 100, space: 20 }, left: { time: 99, space: 5 } },
    },
  },
  {
    error: new spendingErrors.BudgetSpentError(
      { estimate: 99_200_000, asked: 3_800_000, budget: 100_000_000 },
      new Date('2026-12-01T00:00:00Z'),
    ),
    expected: {
      status: 403,
      name: 'budget-spent',
      members: { estimate: 99.2, cost: 3.8, budget: 100, opens_at: '2026-12-01T00:00:00Z' },
    },
  },
  {
    error: new quotaErrors.ProjectClosedError(account),
    expected: {
      status: 403,
      name: 'project-closed',
    },
  },
  {
    error: new budgetErrors.NotLeaderError(account),
    expected: { status: 403, name: 'not-leader' },
  },
  {
    error: new quotaErrors.BudgetNotFoundError(account),
    expected: { status: 404, name: 'budget-not-found' },
  },
  {
    error: new quotaErrors.BudgetTooSmallError(
      account,
      { seconds: 2, kilobytes: 0 },
      { seconds: 1, kilobytes: 5 },
    ),
    expected: {
      status: 409,
      name: 'budget-too-small',
      members: {
        project_hpc: 'HPC_ONE',
        project_name: 'proj_hpc_one_01',
        charging: 'node',
        asked: { time: 2, space: 0 },
        left: { time: 1, space: 5 },
      },
    },
  },
  {
    error: new quotaErrors.BudgetEndsError(account, new Date('2027-01-31T12:00:00Z')),
    expected: { status: 409, name: 'budget-ends' },
  },
  {
    error: new quotaErrors.NotFromBudgetError(account, { seconds: 1, kilobytes: 0 }),
    expected: { status: 409, name: 'not-from-budget' },
  },
  {
    error: new projectErrors.ProjectInCatalogError(account),
    expected: {
      status: 409,
      name: 'project-in-catalog',
    },
  },
  {
    error: new quotaErrors.NoBudgetError(account),
    expected: { status: 403, name: 'no-budget' },
  },
  {
    error: new quotaErrors.NotMemberError(account),
    expected: { status: 403, name: 'not-member' },
  },
  {
    error: new quotaErrors.NoQuotaError(account),
    expected: {
      status: 403,
      name: 'no-quota',
    },
  },
  {
    error: new httpErrors.PathNotFoundError(),
    expected: {
      status: 404,
      name: 'path-not-found',
    },
  },
  {
    error: new SystemNotFoundError('x'),
    expected: {
      status: 404,
      name: 'system-not-found',
    },
  },
  {
    error: new ProjectNotFoundError('hpc_one', 'y'),
    expected: {
      status: 404,
      name: 'project-not-found',
    },
  },
  {
    error: new jobErrors.JobRunsElsewhereError(),
    expected: { status: 409, name: 'job-runs-elsewhere' },
  },
  {
    error: new jobErrors.JobNotFoundError(),
    expected: {
      status: 404,
      name: 'job-not-found',
    },
  },
  {
    error: new quotaErrors.QuotaNotFoundError(account),
    expected: {
      status: 404,
      name: 'quota-not-found',
    },
  },
  {
    error: new webhookErrors.WebhookNotFoundError(),
    expected: {
      status: 404,
      name: 'webhook-not-found',
    },
  },
  {
    error: new mailErrors.LinkNotValidError(),
    expected: {
      status: 404,
      name: 'link-not-valid',
    },
  },
  {
    error: new mailErrors.MailNotSetUpError(),
    expected: {
      status: 409,
      name: 'mail-not-set-up',
    },
  },
  {
    error: new mailErrors.TooManyLinksError(5, 60),
    expected: {
      status: 429,
      name: 'too-many-links',
      headers: { 'retry-after': '60' },
    },
  },
  {
    error: new webhookErrors.DeliveryNotFoundError(),
    expected: {
      status: 404,
      name: 'delivery-not-found',
    },
  },
  {
    error: new webhookErrors.EventForAdministratorsError('request.opened'),
    expected: {
      status: 403,
      name: 'event-for-administrators',
    },
  },
  {
    error: new requestErrors.RequestNotFoundError(),
    expected: {
      status: 404,
      name: 'request-not-found',
    },
  },
  {
    error: new requestErrors.RequestOpenError(account, request),
    expected: {
      status: 409,
      name: 'request-open',
      members: { request_id: request },
    },
  },
  {
    error: new requestErrors.TooManyOpenRequestsError(20),
    expected: {
      status: 409,
      name: 'too-many-open-requests',
      members: { limit: 20 },
    },
  },
  {
    error: new requestErrors.RequestEndedError(requestFromItem(requestItem('declined'))),
    expected: {
      status: 409,
      name: 'request-ended',
      members: { state: 'declined', by: '100001' },
    },
  },
  {
    error: new webhookErrors.TooManyWebhooksError(10),
    expected: {
      status: 409,
      name: 'too-many-webhooks',
    },
  },
  {
    error: new httpErrors.MethodNotAllowedError('PUT', ['GET', 'POST']),
    expected: {
      status: 405,
      name: 'method-not-allowed',
      headers: { allow: 'GET, POST' },
    },
  },
  {
    error: new afterErrors.AwaitedNotFoundError([{ id: jobId('3A5F'), field: 'after_any' }]),
    expected: {
      status: 400,
      name: 'invalid-request',
      members: {
        errors: [
          {
            location: 'payload',
            name: 'after_any',
            message: 'You have no job or batch 3A5F. Name what you have submitted, by its id.',
          },
        ],
      },
    },
  },
  {
    error: new afterErrors.AwaitedFailedError(failedFirst),
    expected: { status: 409, name: 'awaited-failed', members: { job_id: '3A5F' } },
  },
  {
    error: new jobErrors.IdempotencyKeyInUseError(secret),
    expected: {
      status: 409,
      name: 'idempotency-key-in-use',
      headers: retryIn(1),
    },
  },
  {
    error: new jobErrors.ResultsTooLargeError(11, 10),
    expected: {
      status: 413,
      name: 'results-too-large',
      members: { limit: 10 },
    },
  },
  {
    error: new httpErrors.BodyTooLargeError(11, 10),
    expected: {
      status: 413,
      name: 'body-too-large',
    },
  },
  {
    error: new httpErrors.UnsupportedBodyError('text/plain'),
    expected: {
      status: 415,
      name: 'unsupported-body',
    },
  },
  {
    error: new IdempotencyKeyReusedError(),
    expected: {
      status: 422,
      name: 'idempotency-key-reused',
    },
  },
  {
    error: new httpErrors.IdentityProviderUnavailableError(secret),
    expected: {
      status: 503,
      name: 'identity-unavailable',
      headers: retryIn(10),
    },
  },
  {
    error: new tableErrors.TableBusyError(secret),
    expected: {
      status: 503,
      name: 'busy',
      headers: retryIn(1),
    },
  },
  {
    error: new jobErrors.SubmissionUncertainError(true, secret),
    expected: {
      status: 503,
      name: 'submission-uncertain',
      headers: retryIn(10),
    },
  },
  {
    error: new tableErrors.TableUnavailableError(secret),
    expected: {
      status: 503,
      name: 'unavailable',
      headers: retryIn(10),
    },
  },
  {
    error: new tableErrors.PartitionFullError(secret),
    expected: {
      status: 507,
      name: 'records-full',
    },
  },
  {
    error: new httpErrors.TimeoutError(),
    expected: {
      status: 503,
      name: 'timeout',
      headers: retryIn(1),
    },
  },
  {
    error: new userErrors.UserNotFoundError(userId('7')),
    expected: {
      status: 404,
      name: 'user-not-found',
    },
  },
];

const failedFirst = {
  id: jobId('3A5F'),
  hpc: systemName('hpc_one'),
  project: projectName('p'),
  key: { PK: '', SK: '' },
  title: '',
  stage: 'FAILED',
  state: 'failed',
  isJob: true,
  seen: {},
} as const;

const table = listErrors();

describe('explainError', () => {
  it.each(table)('explains $error.name as $expected.status', ({ error, expected }) => {
    const { title, detail, ...facts } = explainError(error);
    expect(facts).toEqual(expected);
    expect(title).toMatch(/^[A-Z][^.]+$/);
    expect(detail).not.toBe('');
    expect(JSON.stringify(explainError(error))).not.toContain('SECRET');
  });

  it('names a next step in the message of every refusal', () => {
    const messages = listErrors()
      .map(({ error }) => explainError(error))
      .filter(({ status }) => status > 401)
      .map(({ detail }) => detail);
    // The first sentence says what is wrong, and another one says what to do.
    expect(messages.filter((message) => !/[.;] \S.*[.\w]$/.test(message))).toEqual([]);
  });

  it('says which job has failed that a new one would wait for', () => {
    expect(new afterErrors.AwaitedFailedError(failedFirst).message).toBe(
      '3A5F on hpc_one has failed, so a job that runs after it would never run. Submit that one ' +
        'again first, or wait with after_any, which accepts any end.',
    );
  });

  it('names the jobs that keep a quota, and how to go on', () => {
    const explain = (jobs: { ended: number; countedAll: boolean; discarded?: number }) =>
      new quotaErrors.QuotaInUseError('remove', account, inUse, jobs).message;
    expect(explain({ ended: 3, countedAll: true })).toMatch(/2, ended jobs: 3\).*with_jobs=true/);
    const some = explain({ ended: 900, countedAll: false, discarded: 70 });
    expect(some).toMatch(/ended jobs: at least 900\).* 70\. Send the same request again/);
  });

  it('names the field if only one part of a request is wrong', () => {
    expect(explainError(new httpErrors.InvalidRequestError(oneProblem)).detail).toBe(
      'limit: At least 1.',
    );
    expect(explainError(new httpErrors.InvalidRequestError(twoProblems)).detail).toMatch(
      /^2 parts/,
    );
  });

  it('lists no more parts than somebody fixes at once', () => {
    const wrongParts = (count: number) =>
      Array.from({ length: count }, (_, index) => ({ ...oneProblem[0]!, name: `p${index}` }));
    const listed = (count: number) =>
      new httpErrors.InvalidRequestError(wrongParts(count)).problems;
    expect(listed(21)).toEqual(wrongParts(21));
    expect(listed(8000)).toEqual([
      ...wrongParts(20),
      {
        ...oneProblem[0],
        name: 'more',
        message: '7980 more parts are not valid. Fix the others first.',
      },
    ]);
  });

  it('names the amounts that are missing, and only those', () => {
    const { message } = new quotaErrors.QuotaExceededError(account, asked, left);
    expect(message).toMatch(/100 seconds.*only 99.*; .*20 kilobytes.*only 5/);
    const enough = { seconds: 100, kilobytes: 5 };
    expect(new quotaErrors.QuotaExceededError(account, asked, enough).message).not.toContain(
      'seconds',
    );
  });

  it('is of errors that the log tells apart by their names, whatever a bundler calls them', () => {
    for (const { error } of listErrors()) expect(error.name).toBe(error.constructor.name);
  });

  it('has a row for every error class that there is', () => {
    const modules = [
      budgetErrors,
      catalogErrors,
      httpErrors,
      { IdempotencyKeyReusedError },
      jobErrors,
      afterErrors,
      mailErrors,
      projectErrors,
      quotaErrors,
      requestErrors,
      spendingErrors,
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
      '429 too-many-links',
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
    const problem = explainError(error);
    expect(problem).toMatchObject({ status: 500, name: 'internal-error' });
    expect(JSON.stringify(problem)).not.toContain('SECRET');
    expect(problem.detail).toContain('request id');
  });
});
