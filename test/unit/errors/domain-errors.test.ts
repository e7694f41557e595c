import { describe, expect, it } from 'vitest';
import { DomainError, IdempotencyKeyReusedError, isMistake } from '#lib/errors/domain-error.ts';
import { EventsNotPublishedError } from '#lib/events/publish-events.ts';
import * as files from '#lib/files/errors.ts';
import * as hpc from '#lib/hpc/errors.ts';
import * as jobs from '#lib/jobs/errors.ts';
import * as projects from '#lib/projects/errors.ts';
import * as quotas from '#lib/quotas/errors.ts';
import * as requests from '#lib/requests/errors.ts';
import { requestFromItem } from '#lib/requests/quota-request.ts';
import * as table from '#lib/table/errors.ts';
import * as users from '#lib/users/errors.ts';
import * as webhooks from '#lib/webhooks/errors.ts';
import * as zips from '#lib/zips/errors.ts';
import { projectName, systemName, userId } from '#test/fixtures/names.ts';
import { requestItem } from '#test/fixtures/requests.ts';

const project = { hpc: systemName('hpc_one'), project: projectName('proj_hpc_one_01') };
const request = requestFromItem(requestItem('declined'));
const amount = { seconds: 1, kilobytes: 1 };
const balance = { granted: 1, left: 1, held: 0, used: 0 };
const account = { time: balance, space: balance, activeJobs: 0 };

describe('an error of the domain', () => {
  it.each([
    { name: 'AccountChangedError', make: () => new quotas.AccountChangedError() },
    { name: 'StaleReadError', make: () => new table.StaleReadError() },
  ])('says that something has changed meanwhile: $name', ({ name, make }) => {
    expect(make()).toBeInstanceOf(table.StaleReadError);
    expect(make().name).toBe(name);
  });

  it.each([
    { name: 'EventsNotPublishedError', make: () => new EventsNotPublishedError('a', 0) },
    { name: 'ObjectNotFoundError', make: () => new files.ObjectNotFoundError('a') },
    { name: 'StorageUnavailableError', make: () => new files.StorageUnavailableError() },
    { name: 'UnsafeZipError', make: () => new zips.UnsafeZipError(['a']) },
    { name: 'UploadNotFoundError', make: () => new files.UploadNotFoundError() },
    { name: 'UploadUnfinishedError', make: () => new files.UploadUnfinishedError(1, 2) },
    { name: 'UploadUsedError', make: () => new files.UploadUsedError() },
    { name: 'FileTooLargeError', make: () => new files.FileTooLargeError(2, 1) },
    { name: 'SystemUnavailableError', make: () => new hpc.SystemUnavailableError('a') },
    { name: 'SystemBusyError', make: () => new hpc.SystemBusyError('a') },
    { name: 'JobRefusedError', make: () => new hpc.JobRefusedError('a') },
    { name: 'CredentialsRefusedError', make: () => new hpc.CredentialsRefusedError('a') },
    { name: 'RemoteFileNotFoundError', make: () => new hpc.RemoteFileNotFoundError() },
    {
      name: 'QuotaExceededError',
      make: () => new quotas.QuotaExceededError(project, amount, amount),
    },
    { name: 'ProjectClosedError', make: () => new quotas.ProjectClosedError(project) },
    { name: 'ProjectInCatalogError', make: () => new projects.ProjectInCatalogError(project) },
    { name: 'NoQuotaError', make: () => new quotas.NoQuotaError(project) },
    { name: 'QuotaNotFoundError', make: () => new quotas.QuotaNotFoundError(project) },
    {
      name: 'SubmissionBannedError',
      make: () => new quotas.SubmissionBannedError(project, 'a loop'),
    },
    { name: 'QuotaExpiredError', make: () => new quotas.QuotaExpiredError(project, new Date()) },
    { name: 'TooManyJobsError', make: () => new quotas.TooManyJobsError(project, 1, 1) },
    {
      name: 'QuotaInUseError',
      make: () => new quotas.QuotaInUseError('remove', project, account),
    },
    { name: 'GrantTooLargeError', make: () => new quotas.GrantTooLargeError(project, 1) },
    { name: 'LedgerTooLongError', make: () => new quotas.LedgerTooLongError('newer', 1) },
    { name: 'JobNotFoundError', make: () => new jobs.JobNotFoundError() },
    { name: 'IdempotencyKeyReusedError', make: () => new IdempotencyKeyReusedError() },
    { name: 'IdempotencyKeyInUseError', make: () => new jobs.IdempotencyKeyInUseError() },
    { name: 'UserNotFoundError', make: () => new users.UserNotFoundError(userId('7')) },
    { name: 'TableBusyError', make: () => new table.TableBusyError() },
    { name: 'TableUnavailableError', make: () => new table.TableUnavailableError() },
    { name: 'WebhookNotFoundError', make: () => new webhooks.WebhookNotFoundError() },
    { name: 'TooManyWebhooksError', make: () => new webhooks.TooManyWebhooksError(10) },
    {
      name: 'EventForAdministratorsError',
      make: () => new webhooks.EventForAdministratorsError('request.opened'),
    },
    { name: 'RequestNotFoundError', make: () => new requests.RequestNotFoundError() },
    { name: 'RequestOpenError', make: () => new requests.RequestOpenError(project, request.id) },
    { name: 'TooManyOpenRequestsError', make: () => new requests.TooManyOpenRequestsError(20) },
    { name: 'RequestEndedError', make: () => new requests.RequestEndedError(request) },
  ])('shows itself in the log as $name', ({ name, make }) => {
    const error = make();
    expect(error).toBeInstanceOf(DomainError);
    expect(error.name).toBe(name);
    expect(error.message).not.toBe('');
  });

  it('says all that is wrong with a zip in one message', () => {
    expect(new zips.UnsafeZipError(['One.', 'Two.']).message).toBe('One. Two.');
  });
});

describe('a mistake', () => {
  it('is an error that only code can cause, and never data', () => {
    const decode = () => new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from([255]));
    const badData = (() => {
      try {
        return decode();
      } catch (error) {
        return error;
      }
    })();
    expect(badData).toBeInstanceOf(TypeError);
    const judged = [new TypeError('x is not a function'), new ReferenceError('x'), badData];
    expect(judged.map(isMistake)).toEqual([true, true, false]);
    expect([new Error('end of central directory not found'), undefined].map(isMistake)).toEqual([
      false,
      false,
    ]);
  });
});
