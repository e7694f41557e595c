import * as v from 'valibot';
import type { Batch } from '#lib/batches/batch.ts';
import { projectName, systemName } from '#lib/catalog/identifiers.ts';
import type { Job } from '#lib/jobs/job.ts';
import { openQuota, type Quota } from '#lib/quotas/quota.ts';
import { endRequest, type QuotaRequest } from '#lib/requests/quota-request.ts';
import {
  StoredBatchId,
  StoredJobId,
  StoredRequestId,
  StoredUserId,
} from '#lib/table/stored-names.ts';

/** When the story begins. */
export const beginning = new Date('2026-11-15T08:30:00Z');

/** What things are called in the paths of the story. */
export const names = {
  user_id: '306328',
  hpc: 'hpc_one',
  project_name: 'proj_hpc_one_01',
  any_project_name: 'spring_2027',
  job_id: 'AF17D39A-9E15-4FE3-9F84-0EAEB4CC94AA',
  batch_id: '019A8B6C-4E00-7A10-9C55-1F0A7D5C2E11',
  webhook_id: '0b3cbf0a-58a5-4ba3-9b0f-0e8f6f5b1d0e',
  request_id: '306328-01a1de53db405c6a1f0e9b7d4c21a3f0',
  window_name: '2099-12-01',
};

export type Names = Readonly<typeof names>;

const project = { number: 1, hpc: systemName(names.hpc), name: projectName(names.project_name) };

/** A job that was just submitted. */
export function submittedJob({ user_id, job_id }: Names = names, at = beginning): Job {
  return {
    id: 1,
    jobId: v.parse(StoredJobId, job_id),
    owner: v.parse(StoredUserId, user_id),
    project,
    title: 'a job title',
    runtime: 2,
    stage: 'QUEUED',
    terminal: false,
    failed: false,
    submittedAt: at,
    endedAt: null,
    hold: { seconds: 14_400, kilobytes: 1 },
  };
}

/** A batch of which no job exists yet. */
export function submittedBatch({ user_id, batch_id }: Names = names, at = beginning): Batch {
  return {
    id: v.parse(StoredBatchId, batch_id),
    owner: v.parse(StoredUserId, user_id),
    project,
    title: 'alpha {alpha}',
    runtime: 0.5,
    count: 500,
    firstId: 2,
    jobSeconds: 1800,
    maxRunning: 4,
    submittedAt: at,
    unfolded: 0,
    dropped: 0,
    nextRelease: 0,
    released: 0,
    endedParked: 0,
    counts: { running: 0, done: 0, failed: 0, cancelled: 0 },
    held: { seconds: 900_000, kilobytes: 12 },
    usedSeconds: 0,
    cancelPending: false,
    limited: true,
    serviceFetches: false,
    doubted: false,
    inputUsers: 1,
    inputLeft: false,
  };
}

const user = v.parse(StoredUserId, names.user_id);

export const endedAt = new Date('2026-11-15T10:06:00Z');

export const job = submittedJob();
export const endedJob: Job = { ...job, stage: 'SUCCESSFUL', terminal: true, endedAt };

const toolProject = {
  number: 2,
  hpc: systemName('hpc_two'),
  name: projectName('proj_hpc_two_01'),
};

/** A job on a system that names its jobs and its stages otherwise. */
export const toolJob: Job = {
  ...endedJob,
  id: 2,
  jobId: v.parse(StoredJobId, 'NGBW-JOB-NEURON74_TG-85CB59F5CD5A4FBCBCBA5DABCC420280'),
  project: toolProject,
  runtime: 0.5,
  stage: 'COMPLETED',
};

export const batch: Batch = {
  ...submittedBatch(),
  counts: { running: 4, done: 7, failed: 1, cancelled: 0 },
  held: { seconds: 885_600, kilobytes: 12 },
  usedSeconds: 9120,
};

const welcome = { seconds: 18_000_000, kilobytes: 10_000_000 };

/** A quota of which nothing has been used. */
export const quota: Quota = openQuota({ id: 1, user, project }, welcome);
export const toolQuota: Quota = openQuota({ id: 2, user, project: toolProject }, welcome);

export const request: QuotaRequest = {
  id: v.parse(StoredRequestId, names.request_id),
  user,
  project,
  wanted: { seconds: 36_000, kilobytes: 1000 },
  reason: 'a course in spring',
  openedAt: beginning,
  state: 'open',
};

const decidedAt = new Date('2026-11-16T09:00:00Z');

export const withdrawnRequest = endRequest(request, { state: 'withdrawn' }, decidedAt);

export const approvedRequest = endRequest(
  request,
  {
    state: 'approved',
    decision: {
      by: '100001',
      reason: 'as every year',
      granted: { seconds: 18_000, kilobytes: 0 },
      validUntil: new Date('2027-07-01T00:00:00Z'),
    },
  },
  decidedAt,
);

export const declinedRequest = endRequest(
  request,
  {
    state: 'declined',
    decision: { by: '100001', reason: 'the course has a project of its own' },
  },
  decidedAt,
);
