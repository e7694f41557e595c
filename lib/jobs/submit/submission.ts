import { createHash } from 'node:crypto';
import { grantRuntime } from '#lib/catalog/grant-runtime.ts';
import type { HpcSystem, Project } from '#lib/catalog/hpc-system.ts';
import type { UserId } from '#lib/catalog/identifiers.ts';
import type { AddressedInput } from '#lib/catalog/input-addresses.ts';
import type { AddressedOutput } from '#lib/catalog/output-addresses.ts';
import { offerIn, type Resources } from '#lib/catalog/resources.ts';
import { chargeJob } from '#lib/charging/charge-job.ts';
import { kilobytesOf } from '#lib/quotas/holds.ts';
import type { Hold } from '#lib/quotas/quota.ts';
import type { Waits } from '../chains/waits.ts';

/** A submission that has passed every check but the quota. */
export interface Submission extends Resources {
  readonly owner: UserId;
  readonly system: HpcSystem;
  readonly project: Project;
  /** The command, or the name of the tool. */
  readonly program: string;
  /** Hours, as asked for. */
  readonly requestedRuntime: number;
  readonly title: string;
  readonly extras: Readonly<Record<string, string>>;
  readonly input: SubmissionInput;
  /** Files that the job fetches by itself. */
  readonly fetches?: readonly AddressedInput[] | undefined;
  /** Files that it sends by itself. */
  readonly sends?: readonly AddressedOutput[] | undefined;
  /** True for a member of the project by a group, who may not have a quota there yet. */
  readonly joins?: boolean | undefined;
  /** The claims of the owner's token that may name an account on the system. */
  readonly claims?: Readonly<Record<string, string>> | undefined;
  /** The jobs and batches that must end before this one runs. */
  readonly waits?: Waits | undefined;
}

interface SubmissionInput {
  /** Asked for even without a zip. */
  readonly fileName: string;
  readonly source: InputSource;
}

export type InputSource =
  | { readonly kind: 'none' }
  | { readonly kind: 'inline'; readonly content: Uint8Array; readonly sha256: string }
  | { readonly kind: 'upload'; readonly uploadId: string };

/** The parts of a submission that decide its price, besides the zip. */
export interface Wish extends Resources {
  readonly system: HpcSystem;
  readonly requestedRuntime: number;
}

/** What a submission is granted, holds and can cost at most. */
export interface Allotment {
  /** Granted hours of each job. */
  readonly runtime: number;
  readonly hold: Hold;
  /** Millionths of a US dollar. Missing on systems without a price. */
  readonly cost: number | undefined;
  /** The shares of each job. */
  readonly jobSeconds: number;
  readonly jobCost: number | undefined;
}

/** Decides it once, for a job or a batch, and for estimates. The jobs of a batch share their zip. */
export function allot(wish: Wish, inputBytes: number, jobs = 1): Allotment {
  const offer = offerIn(wish.system, wish.className);
  const runtime = grantRuntime(offer, wish.requestedRuntime);
  const { seconds, cost } = chargeJob(offer, wish, runtime);
  return {
    runtime,
    hold: { seconds: seconds * jobs, kilobytes: kilobytesOf(inputBytes) },
    cost: cost === undefined ? undefined : cost * jobs,
    jobSeconds: seconds,
    jobCost: cost,
  };
}

/** Returns equal hashes for submissions that mean the same, however their headers were written. */
export function fingerprintSubmission(submission: Submission): string {
  const { owner, system, project, program, nodes, coresPerNode, extras, input, waits } = submission;
  const sortedExtras = Object.entries(extras).sort(([a], [b]) => (a < b ? -1 : 1));
  const meaning = [
    owner,
    system.name,
    project.name,
    program,
    nodes,
    coresPerNode,
    submission.requestedRuntime,
    submission.title,
    sortedExtras,
    input.fileName,
    identifyContent(input.source),
    ...(waits ? [identifyWaits(waits)] : []),
    ...identifyOthers(submission),
    ...(submission.fetches ?? []).map(({ from, to, sha256 = '' }) => [from, to, sha256]),
    ...(submission.sends ?? []).map(({ files, to }) => ['output', files, to]),
  ];
  return createHash('sha256').update(JSON.stringify(meaning)).digest('hex');
}

/** Identifies resources that older submissions do not have. They keep their hashes. */
function identifyOthers(resources: Resources) {
  const { memoryMegabytes, gpusPerNode, gpuKind, className, tasksPerNode, image } = resources;
  const others = { memoryMegabytes, gpusPerNode, gpuKind, className, tasksPerNode, image };
  return Object.values(others).some((each) => each !== undefined) ? [others] : [];
}

/** Ignores the order in which jobs are named. */
function identifyWaits({ after, afterAny, input }: Waits) {
  const named = [after.toSorted(), afterAny.toSorted(), input?.from ?? '', input?.folder ?? ''];
  return input?.leavesOutFailed ? [...named, 'leave_out'] : named;
}

/** Identifies an upload by its id, because its content never changes. */
function identifyContent(source: InputSource): string {
  switch (source.kind) {
    case 'none':
      return createHash('sha256').digest('hex');
    case 'inline':
      return source.sha256;
    case 'upload':
      return `upload ${source.uploadId}`;
  }
}
