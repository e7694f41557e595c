import { describe, expect, it } from 'vitest';
import { DomainError } from '#lib/errors/domain-error.ts';
import { EventsNotPublishedError } from '#lib/events/publish-events.ts';
import * as files from '#lib/files/errors.ts';
import * as hpc from '#lib/hpc/errors.ts';
import * as table from '#lib/table/errors.ts';
import * as webhooks from '#lib/webhooks/errors.ts';

describe('an error of the domain', () => {
  it.each([
    { name: 'EventsNotPublishedError', make: () => new EventsNotPublishedError(1, ['a']) },
    { name: 'ObjectNotFoundError', make: () => new files.ObjectNotFoundError('a') },
    { name: 'StorageUnavailableError', make: () => new files.StorageUnavailableError() },
    { name: 'UnsafeZipError', make: () => new files.UnsafeZipError(['a']) },
    { name: 'UploadNotFoundError', make: () => new files.UploadNotFoundError() },
    { name: 'UploadUnfinishedError', make: () => new files.UploadUnfinishedError(1, 2) },
    { name: 'UploadUsedError', make: () => new files.UploadUsedError() },
    { name: 'FileTooLargeError', make: () => new files.FileTooLargeError(2, 1) },
    { name: 'SystemUnavailableError', make: () => new hpc.SystemUnavailableError('a') },
    { name: 'SystemBusyError', make: () => new hpc.SystemBusyError('a') },
    { name: 'JobRefusedError', make: () => new hpc.JobRefusedError('a') },
    { name: 'CredentialsRefusedError', make: () => new hpc.CredentialsRefusedError('a') },
    { name: 'RemoteFileNotFoundError', make: () => new hpc.RemoteFileNotFoundError() },
    { name: 'TableBusyError', make: () => new table.TableBusyError() },
    { name: 'TableUnavailableError', make: () => new table.TableUnavailableError() },
    { name: 'WebhookNotFoundError', make: () => new webhooks.WebhookNotFoundError() },
    { name: 'TooManyWebhooksError', make: () => new webhooks.TooManyWebhooksError() },
  ])('shows itself in the log as $name', ({ name, make }) => {
    const error = make();
    expect(error).toBeInstanceOf(DomainError);
    expect(error.name).toBe(name);
    expect(error.message).not.toBe('');
  });
});
