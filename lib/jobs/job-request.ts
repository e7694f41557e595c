import * as v from 'valibot';
import type { HpcSystem } from '#lib/catalog/hpc-system.ts';
import { offersTasks, type Resources } from '#lib/catalog/resources.ts';
import { changeOf } from '#lib/table/change.ts';
import {
  type Attributes,
  attribute,
  defineItem,
  group,
  optional,
  type Stored,
  text,
} from '#lib/table/define-item.ts';
import { jobRequestKey } from '#lib/table/keys.ts';
import { readItem } from '#lib/table/reads.ts';
import type { Table } from '#lib/table/table.ts';
import type { Step } from '#lib/table/transaction.ts';
import { accountOf, type Job } from './job.ts';
import { putOnce } from './job-store.ts';
import { fetchedFiles, sentFiles, storedResources } from './stored-resources.ts';

/**
 * The program, resources and input that a job asked for. They are stored in an item next to the
 * job, because a command of 4,096 characters would make every read, list and stage change of the
 * job several times as expensive.
 */
export const storedRequest = defineItem('job-request', () => ({
  program: text('program'),
  ...storedResources,
  extras: attribute('extras', v.record(v.string(), v.string())),
  /** Variables that a job of a batch finds in its environment. */
  environment: optional(attribute('environment', v.record(v.string(), v.string()))),
  /** Files that the job fetches by itself. */
  fetches: optional(attribute('inputs', fetchedFiles)),
  /** Files that it sends by itself. */
  sends: optional(attribute('outputs', sentFiles)),
  input: group({
    /** Asked for even without a zip. */
    fileName: attribute('input_file', v.optional(v.string(), '')),
    bytes: attribute('input_bytes', v.optional(v.number(), 0)),
    sha256: optional(text('input_sha256')),
    /** Object key of the zip. Missing for a job without input. */
    key: optional(text('input_key')),
  }),
}));

export interface JobRequest extends Stored<typeof storedRequest> {}

export type StoredZip = Omit<JobRequest['input'], 'fileName'>;

export function requestToItem(job: Job, request: JobRequest): Attributes {
  return { ...jobRequestKey(accountOf(job), job.jobId), ...storedRequest.format(request) };
}

export function keepRequest(job: Job, request: JobRequest): Step {
  return putOnce(requestToItem(job, request));
}

/** Gives a waiting job another zip, which nobody has hashed. */
export function replaceInput(job: Job, { key, bytes }: Required<Omit<StoredZip, 'sha256'>>): Step {
  return {
    Update: changeOf(jobRequestKey(accountOf(job), job.jobId), {
      set: { input_key: key, input_bytes: bytes, input_sha256: undefined },
    }),
    refuse: () => new Error('The request of a job is missing.'),
  };
}

/**
 * Returns what a job was granted. Reads nothing on a system that offers only nodes and cores, and
 * returns undefined there and for imported jobs.
 */
export async function readResources(
  table: Table,
  system: HpcSystem,
  job: Job,
): Promise<Resources | undefined> {
  const { memoryPerNode, gpusPerNode, classes, containers } = system;
  const offered = [memoryPerNode, gpusPerNode, classes, containers];
  if (offered.every((each) => each === undefined) && !offersTasks(system)) return undefined;
  return readRequest(table, job);
}

/** Returns undefined for an imported job. */
export function readRequest(table: Table, job: Job): Promise<JobRequest | undefined> {
  return readItem(table, jobRequestKey(accountOf(job), job.jobId), storedRequest.parse);
}
