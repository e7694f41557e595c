import * as v from 'valibot';
import { decodeText } from '../call-upstream.ts';
import { SystemUnavailableError } from '../errors.ts';
import type { UpstreamAnswer } from '../exchange-bytes.ts';

const Text = v.optional(v.fallback(v.string(), ''), '');

export const UnicoreJob = v.object({
  status: v.string(),
  statusMessage: Text,
  exitCode: Text,
  submissionTime: Text,
  /** The batch system's name for the job; `N/A` before it has one. */
  batchSystemID: Text,
  tags: v.optional(v.array(v.string()), []),
  consumedTime: v.optional(v.record(v.string(), v.pipe(v.unknown(), v.transform(String))), {}),
  _links: v.optional(v.record(v.string(), v.object({ href: v.string() })), {}),
});

export type UnicoreJob = v.InferOutput<typeof UnicoreJob>;

export const JobList = v.object({ jobs: v.array(v.string()) });

/** A working directory is made after its job. Until then it is INITIALIZING. */
export const Storage = v.object({ resourceStatus: Text });

export const Directory = v.object({
  content: v.record(
    v.string(),
    v.object({ isDirectory: v.optional(v.boolean(), false), size: v.optional(v.number(), 0) }),
  ),
});

/** The record of the batch system as it writes it. */
export const Details = v.object({ rawDetailsData: v.string() });

/** As whom UNICORE sees the caller. */
export const Site = v.object({
  client: v.optional(
    v.object({ role: v.optional(v.object({ selected: v.optional(v.string()) })) }),
  ),
});

const Failure = v.object({ errorMessage: v.string() });

/** Treats an unreadable answer (a proxy's page, another version) as an outage. */
export function readAnswer<T extends v.GenericSchema>(schema: T, answer: UpstreamAnswer) {
  requireSuccess(answer);
  const result = v.safeParse(v.pipe(v.string(), v.parseJson(), schema), decodeText(answer));
  if (!result.success)
    throw new SystemUnavailableError('UNICORE: the answer could not be understood.');
  return result.output;
}

export function requireSuccess({ status }: UpstreamAnswer): void {
  if (!isSuccess(status)) throw new SystemUnavailableError(`UNICORE: HTTP ${status}.`);
}

export function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}

export function readErrorMessage(answer: UpstreamAnswer): string | undefined {
  const result = v.safeParse(v.pipe(v.string(), v.parseJson(), Failure), decodeText(answer));
  return result.success ? result.output.errorMessage.slice(0, 500) : undefined;
}

/** The last part of a job's address. */
export function readHandle(address: string | null): string {
  const handle = /\/jobs\/([\w-]{1,100})$/.exec(address ?? '')?.[1];
  if (handle === undefined)
    throw new SystemUnavailableError('UNICORE: the answer has no address of a job.');
  return handle;
}
