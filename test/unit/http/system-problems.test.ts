import { describe, expect, it } from 'vitest';
import * as fileErrors from '#lib/files/errors.ts';
import * as hpcErrors from '#lib/hpc/errors.ts';
import { explainError } from '#lib/http/problems.ts';
import * as zipErrors from '#lib/zips/errors.ts';

/** What an HPC system says, or its connector, may name hosts: no client is shown it. */
const secret = 'GET SECRET.example.org: HTTP 500.';
const down = {
  status: 503,
  name: 'system-unavailable',
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
      headers: { 'retry-after': '60' },
    },
  },
  {
    error: new hpcErrors.SystemBusyError(secret, 7),
    expected: {
      status: 503,
      name: 'system-busy',
      headers: { 'retry-after': '7' },
    },
  },
  {
    error: new fileErrors.StorageUnavailableError({ cause: new Error(secret) }),
    expected: {
      status: 503,
      name: 'storage-unavailable',
      headers: { 'retry-after': '10' },
    },
  },
  {
    error: new fileErrors.UploadUnfinishedError(100, undefined),
    expected: {
      status: 409,
      name: 'upload-unfinished',
    },
  },
  {
    error: new fileErrors.UploadNotFoundError(),
    expected: {
      status: 400,
      name: 'invalid-request',
      members: {
        errors: [
          {
            location: 'header',
            name: 'Upload-Id',
            message:
              'Upload not found, or older than 24 hours. Create a new one with POST /uploads/.',
          },
        ],
      },
    },
  },
  {
    error: new zipErrors.UnsafeZipError(['It is damaged.', 'It is cut off.']),
    expected: {
      status: 400,
      name: 'invalid-request',
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
      headers: { 'retry-after': '60' },
    },
  },
  {
    error: new fileErrors.TooManyUploadsError(10, 10),
    expected: {
      status: 409,
      name: 'too-many-uploads',
      members: { limit: 10, count: 10 },
    },
  },
  {
    error: new fileErrors.UploadsTooLargeError(7, 9),
    expected: {
      status: 409,
      name: 'uploads-too-large',
      members: { limit: 7, count: 9 },
    },
  },
  {
    error: new fileErrors.UploadUsedError(),
    expected: {
      status: 409,
      name: 'upload-used',
    },
  },
  {
    error: new hpcErrors.RemoteFileNotFoundError(),
    expected: {
      status: 404,
      name: 'file-not-found',
    },
  },
  {
    error: new fileErrors.FileTooLargeError(6_000_000_000, 5_000_000_000),
    expected: {
      status: 413,
      name: 'file-too-large',
    },
  },
];

/** These are answered before they come so far: as a problem of the request, or of the job. */
const elsewhere = ['RelayChangedError', 'JobRefusedError', 'ObjectNotFoundError'];

describe('an error of an HPC system, or of a file', () => {
  it.each(table)('is explained as $expected.name', ({ error, expected }) => {
    const problem = explainError(error);
    const { title, detail, ...facts } = problem;
    expect(facts).toEqual(expected);
    expect(title).toMatch(/^[A-Z][^.]+$/);
    expect(detail).not.toBe('');
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
