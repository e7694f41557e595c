import { isStoredUserId, type JobId, projectName, systemName } from '#lib/catalog/identifiers.ts';
import { areEqual, signWith } from '#lib/signing/sign-text.ts';
import type { AccountKey } from '#lib/table/keys.ts';
import { JobNotFoundError } from '../errors.ts';

/** How long a signed URL of the storage is valid. A job uses it at once, or asks again. */
export const signedSeconds = 15 * 60;

/**
 * A pass lets a job fetch its script or its input, send its output while it runs, or send its
 * results. A pass for `array` lets all tasks fetch their scripts from the array of its job. Those for
 * `fetch` and `send` are for objects in buckets.
 */
export type PassPurpose = 'script' | 'array' | 'input' | 'output' | 'results' | 'fetch' | 'send';

export interface Pass {
  readonly purpose: PassPurpose;
  readonly account: AccountKey;
  readonly jobId: JobId;
  readonly endsAt: Date;
}

/**
 * Writes and reads passes. With a pass, a job proves from its system that it may fetch its input or
 * send its results. The service signs passes itself, because the storage's credentials expire
 * sooner.
 */
export interface Passes {
  write(pass: Pass): string;
  /**
   * Returns the account whose job the pass is for. An invalid pass throws, as if there were no job.
   */
  read(text: string, use: PassUse): AccountKey;
}

export interface PassUse extends Pick<Pass, 'purpose' | 'jobId'> {
  readonly at: Date;
}

/** Only letters, digits, `_`, `-` and dots, which need no escaping in URLs and scripts. */
const form = /^([0-9]+)\.([a-z0-9_]+)\.([a-z0-9_]+)\.([0-9]{1,12})\.[\w-]{43}$/;

export function createPasses(secret: string): Passes {
  function sign(purpose: PassPurpose, jobId: string, claims: readonly string[]): string {
    const mark = signWith(secret, ['v1', purpose, jobId, ...claims]);
    return [...claims, mark.toString('base64url')].join('.');
  }
  return {
    write: ({ purpose, jobId, account: { user, hpc, project }, endsAt }) =>
      sign(purpose, jobId, [user, hpc, project, String(Math.floor(endsAt.getTime() / 1000))]),
    read(text, { purpose, jobId, at }) {
      const [, user = '', hpc = '', project = '', end = ''] = form.exec(text) ?? [];
      const holds = areEqual(text, sign(purpose, jobId, [user, hpc, project, end]));
      if (!holds || !isStoredUserId(user) || at.getTime() >= Number(end) * 1000) {
        throw new JobNotFoundError();
      }
      return { user, hpc: systemName(hpc), project: projectName(project) };
    },
  };
}
