import { describe, expect, it } from 'vitest';
import { FileTooLargeError } from '../../../lib/files/errors.ts';
import { AnswerTooLargeError } from '../../../lib/hpc/call-upstream.ts';
import * as hpcErrors from '../../../lib/hpc/errors.ts';
import { explainError } from '../../../lib/http/problems.ts';

/** What an HPC system says, or its connector, may name hosts: no client is shown it. */
const secret = 'GET SECRET.example.org: HTTP 500.';
const down = {
  status: 503,
  name: 'system-unavailable',
  title: 'The HPC system is down',
  detail: 'The HPC system cannot be reached now. Nothing is lost: ask again later.',
  headers: { 'retry-after': '30' },
};

describe('an error of an HPC system', () => {
  it.each([
    { error: new hpcErrors.SystemUnavailableError(secret), expected: down },
    { error: new AnswerTooLargeError(secret), expected: down },
    {
      error: new hpcErrors.CredentialsRefusedError(secret),
      expected: {
        ...down,
        detail: 'The HPC system does not let this service in now.',
        headers: { 'retry-after': '60' },
      },
    },
    {
      error: new hpcErrors.SystemBusyError(secret, 7),
      expected: {
        status: 503,
        name: 'system-busy',
        title: 'The HPC system is busy',
        detail: 'The HPC system takes no more requests now. Ask again later.',
        headers: { 'retry-after': '7' },
      },
    },
    {
      error: new hpcErrors.RemoteFileNotFoundError(),
      expected: {
        status: 404,
        name: 'file-not-found',
        title: 'Unknown file',
        detail: 'There is no such file.',
      },
    },
    {
      error: new FileTooLargeError(70_000_000, 64_000_000),
      expected: {
        status: 413,
        name: 'file-too-large',
        title: 'The file is too large',
        detail:
          'The file has 70000000 bytes, and at most 64000000 are passed on. ' +
          'Fetch it from the HPC system itself, or let the job write smaller files.',
      },
    },
  ])('is explained as $expected.name', ({ error, expected }) => {
    const problem = explainError(error);
    expect(problem).toEqual(expected);
    expect(JSON.stringify(problem)).not.toContain('SECRET');
  });
});
