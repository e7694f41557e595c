import { describe, expect, it } from 'vitest';
import * as fileErrors from '#lib/files/errors.ts';
import * as hpcErrors from '#lib/hpc/errors.ts';
import { explainError } from '#lib/http/problems.ts';

/** What an HPC system says, or its connector, may name hosts: no client is shown it. */
const secret = 'GET SECRET.example.org: HTTP 500.';
const down = {
  status: 503,
  name: 'system-unavailable',
  title: 'The HPC system is down',
  detail: 'The HPC system cannot be reached right now. Nothing is lost: try again later.',
  headers: { 'retry-after': '30' },
};

/** Every error of systems and of files that reaches a client, and what it is told. */
const table: { error: Error; expected: Record<string, unknown> }[] = [
  { error: new hpcErrors.SystemUnavailableError(secret), expected: down },
  { error: new hpcErrors.AnswerTooLargeError(secret), expected: down },
  { error: new hpcErrors.TransferTooSlowError(secret), expected: down },
  {
    error: new hpcErrors.CredentialsRefusedError(secret),
    expected: {
      ...down,
      detail: 'The HPC system does not let this service in right now. Try again later.',
      headers: { 'retry-after': '60' },
    },
  },
  {
    error: new hpcErrors.SystemBusyError(secret, 7),
    expected: {
      status: 503,
      name: 'system-busy',
      title: 'The HPC system is busy',
      detail: 'The HPC system accepts no more requests right now. Try again later.',
      headers: { 'retry-after': '7' },
    },
  },
  {
    error: new fileErrors.StorageUnavailableError({ cause: new Error(secret) }),
    expected: {
      status: 503,
      name: 'storage-unavailable',
      title: 'The file storage is down',
      detail: 'The service cannot reach its file storage. Try again later.',
      headers: { 'retry-after': '10' },
    },
  },
  {
    error: new fileErrors.UploadUnfinishedError(100, undefined),
    expected: {
      status: 409,
      name: 'upload-unfinished',
      title: 'The upload is not complete',
      detail:
        "The file for this upload has not arrived. Send its 100 bytes to the upload's " +
        'address, then submit again.',
    },
  },
  {
    error: new fileErrors.UploadNotFoundError(),
    expected: {
      status: 400,
      name: 'invalid-request',
      title: 'The request is not valid',
      detail: 'Upload-Id: There is no such upload, or it is older than 24 hours. Create a new one.',
      members: {
        errors: [
          {
            location: 'header',
            name: 'Upload-Id',
            message: 'There is no such upload, or it is older than 24 hours. Create a new one.',
          },
        ],
      },
    },
  },
  {
    error: new fileErrors.UnsafeZipError(['It is damaged.', 'It is cut off.']),
    expected: {
      status: 400,
      name: 'invalid-request',
      title: 'The request is not valid',
      detail: "2 parts of the request are not valid; 'errors' names each.",
      members: {
        errors: [
          { location: 'header', name: 'Upload-Id', message: 'It is damaged.' },
          { location: 'header', name: 'Upload-Id', message: 'It is cut off.' },
        ],
      },
    },
  },
  {
    error: new fileErrors.TooManyDownloadsError(),
    expected: {
      status: 429,
      name: 'too-many-downloads',
      title: 'Too many large files at once',
      detail:
        'Too many large files are being handed out at once. Try again in a few minutes, ' +
        'or download the files one after the other.',
      headers: { 'retry-after': '60' },
    },
  },
  {
    error: new fileErrors.TooManyUploadsError(10, 10),
    expected: {
      status: 409,
      name: 'too-many-uploads',
      title: 'Too many uploads at once',
      detail:
        'You have 10 uploads that no job has begun with, and at most 10 are allowed at once. ' +
        'Submit jobs with them, or wait: each is forgotten 24 hours after it was created.',
      members: { limit: 10, count: 10 },
    },
  },
  {
    error: new fileErrors.UploadsTooLargeError(7, 9),
    expected: {
      status: 409,
      name: 'uploads-too-large',
      title: 'Too much is uploaded',
      detail:
        'This upload and those that no job has begun with have 9 kilobytes together, but your ' +
        'quotas have 7 left. Submit jobs with them, or wait: each is forgotten 24 hours after it ' +
        'was created.',
      members: { limit: 7, count: 9 },
    },
  },
  {
    error: new fileErrors.UploadUsedError(),
    expected: {
      status: 409,
      name: 'upload-used',
      title: 'The upload was already used',
      detail: 'Another job has already used this upload. Create a new one.',
    },
  },
  {
    error: new hpcErrors.RemoteFileNotFoundError(),
    expected: {
      status: 404,
      name: 'file-not-found',
      title: 'Unknown file',
      detail: 'There is no such file. The list of the files of the job shows those that there are.',
    },
  },
  {
    error: new fileErrors.FileTooLargeError(6_000_000_000, 5_000_000_000),
    expected: {
      status: 413,
      name: 'file-too-large',
      title: 'The file is too large',
      detail:
        'The file has 6000000000 bytes, but at most 5000000000 can be passed on. ' +
        'Download it from the HPC system itself, or let the job write smaller files.',
    },
  },
];

/** These are answered before they come so far: as a problem of the request, or of the job. */
const elsewhere = [
  'OpenUploadsChangedError',
  'RelayChangedError',
  'JobRefusedError',
  'ObjectNotFoundError',
];

describe('an error of an HPC system, or of a file', () => {
  it.each(table)('is explained as $expected.name', ({ error, expected }) => {
    const problem = explainError(error);
    expect(problem).toEqual(expected);
    expect(JSON.stringify(problem)).not.toContain('SECRET');
  });

  it('has a row for every error class that there is', () => {
    const exported = [hpcErrors, fileErrors].flatMap((module) => Object.keys(module));
    const classes = exported.filter((name) => name.endsWith('Error'));
    const explained = table.map(({ error }) => error.constructor.name);
    const known = new Set([...explained, ...elsewhere]);
    expect(classes.filter((name) => !known.has(name))).toEqual([]);
    expect(elsewhere.filter((name) => !classes.includes(name))).toEqual([]);
  });
});
