import { GetCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { jobRequestKey } from '#lib/table/keys.ts';
import { parseItem } from '#lib/table/parse-item.ts';
import type { Table } from '#lib/table/table.ts';
import type { Step } from '#lib/table/writes/transaction.ts';
import { accountOf, type Job } from './job.ts';
import { putOnce } from './job-store.ts';

/** What the job was asked to run. */
export interface JobRequest {
  readonly program: string;
  readonly nodes: number;
  readonly coresPerNode: number;
  readonly extras: Readonly<Record<string, string>>;
  readonly input: RequestInput;
}

export interface RequestInput extends StoredZip {
  /** Asked for also where there is no zip. */
  readonly fileName: string;
}

/** The zip of a job in the storage. */
export interface StoredZip {
  readonly bytes: number;
  readonly sha256?: string;
  /** Nothing for a job without input. */
  readonly key?: string;
}

const RequestItem = v.object({
  type: v.literal('job-request'),
  schema_version: v.literal(1),
  program: v.string(),
  nodes: v.number(),
  cores_per_node: v.number(),
  extras: v.record(v.string(), v.string()),
  input_file: v.optional(v.string(), ''),
  input_bytes: v.optional(v.number(), 0),
  input_sha256: v.optional(v.string()),
  input_key: v.optional(v.string()),
});

/**
 * Beside the job and not in it: a command of 4,096 characters would make every read, list and stage
 * change of the job cost several times its worth.
 */
export function requestToItem(job: Job, { input, ...request }: JobRequest) {
  return {
    ...jobRequestKey(accountOf(job), job.jobId),
    type: 'job-request',
    schema_version: 1,
    program: request.program,
    nodes: request.nodes,
    cores_per_node: request.coresPerNode,
    extras: request.extras,
    input_file: input.fileName,
    input_bytes: input.bytes,
    input_sha256: input.sha256,
    input_key: input.key,
  };
}

export function requestFromItem(stored: unknown): JobRequest {
  const item = parseItem(RequestItem, stored);
  return {
    program: item.program,
    nodes: item.nodes,
    coresPerNode: item.cores_per_node,
    extras: item.extras,
    input: {
      fileName: item.input_file,
      bytes: item.input_bytes,
      ...(item.input_sha256 !== undefined && { sha256: item.input_sha256 }),
      ...(item.input_key !== undefined && { key: item.input_key }),
    },
  };
}

export function keepRequest(job: Job, request: JobRequest): Step {
  return putOnce(requestToItem(job, request));
}

/** Nothing for a job that was brought in from elsewhere. */
export async function readRequest(table: Table, job: Job): Promise<JobRequest | undefined> {
  const { Item } = await table.client.send(
    new GetCommand({
      TableName: table.name,
      Key: jobRequestKey(accountOf(job), job.jobId),
      ConsistentRead: true,
    }),
  );
  return Item && requestFromItem(Item);
}
