import type { HpcSystem } from '#lib/catalog/hpc-system.ts';
import type { Resources } from '#lib/catalog/resources.ts';
import type { FilePage, RemoteFile } from '#lib/hpc/connector.ts';
import type { AfterLine } from '#lib/jobs/chains/read-chain.ts';
import type { Job } from '#lib/jobs/job.ts';
import type { JobRequest } from '#lib/jobs/job-request.ts';
import type { EarlierRun } from '#lib/jobs/life/runs.ts';
import { measureEfficiency } from '#lib/jobs/read/efficiency.ts';
import type { Timeline } from '#lib/jobs/read/read-timeline.ts';
import { presentResources } from './present-estimate.ts';
import { float, timestamp } from './values.ts';

/** Interface 2.2, field for field. A job of a batch also names the batch, and its place there. */
export function presentJob(job: Job) {
  return {
    end_date: job.endedAt && timestamp(job.endedAt),
    failed: job.failed,
    id: job.id,
    init_date: timestamp(job.submittedAt),
    job_id: job.jobId,
    owner: job.owner,
    project: job.project.number,
    project_hpc: job.project.hpc.toUpperCase(),
    project_name: job.project.name,
    runtime: float(job.runtime),
    stage: job.stage,
    terminal_stage: job.terminal,
    title: job.title,
    ...(job.batch && { batch: job.batch.id, index: job.batch.index }),
  };
}

/** Adds what the job asked for. An imported job has no request. */
export function presentJobWithRequest(
  job: Job,
  request: JobRequest | undefined,
  { program }: Pick<HpcSystem, 'program'>,
) {
  return { ...presentJob(job), request: request ? presentRequest(request, program.field) : null };
}

function presentRequest(request: JobRequest, programField: 'command' | 'tool') {
  const { fileName, bytes, key } = request.input;
  return {
    [programField]: request.program,
    node_number: request.nodes,
    core_number: request.coresPerNode,
    ...presentResources(request),
    fields: request.extras,
    ...(request.fetches && { inputs: request.fetches }),
    ...(request.sends && { outputs: request.sends }),
    input: key === undefined ? null : { filename: fileName, length: bytes },
  };
}

export function jobLocation({ project, jobId }: Job): string {
  return `/jobs/${project.hpc}/${project.name}/${jobId}/`;
}

/** Explains a job's stage: all stages, all tries to hand it over, the last reason. */
export function presentTimeline({ job, life, after, successors }: Timeline, granted?: Resources) {
  const efficiency = measureEfficiency(job, life);
  const resources = presentResources(granted);
  return {
    job_id: job.jobId,
    stage: job.stage,
    terminal_stage: job.terminal,
    reason: life.reason || null,
    running_since: life.runningSince ? timestamp(life.runningSince) : null,
    ran_seconds: job.ranSeconds ?? null,
    ...(efficiency && { efficiency }),
    ...(resources && { resources }),
    stages: life.stages.map(({ stage, at }) => ({ stage, since: timestamp(at) })),
    tries: life.handOvers.map(({ at, reason }) => ({
      at: timestamp(at),
      accepted: reason === undefined,
      reason: reason ?? null,
    })),
    ...(life.runs && { earlier_runs: life.runs.map(presentRun) }),
    ...(after.length > 0 && { after: after.map(presentAwaited) }),
    ...(successors.length > 0 && { awaited_by: successors.map(presentSuccessor) }),
  };
}

function presentRun({
  number,
  startedAt,
  endedAt,
  seconds,
  isLost,
  reason,
  sentBytes,
}: EarlierRun) {
  return {
    run: number,
    began: startedAt ? timestamp(startedAt) : null,
    ended: endedAt ? timestamp(endedAt) : null,
    seconds: Math.round(seconds),
    lost: isLost,
    reason,
    sent_bytes: sentBytes ?? null,
  };
}

function presentAwaited({ id, hpc, project, title, stage, state, anyEnd, givesInput }: AfterLine) {
  return {
    job_id: id,
    hpc,
    project_name: project,
    title,
    stage,
    state,
    any_end: anyEnd,
    gives_input: givesInput,
  };
}

function presentSuccessor({ jobId, project, title, stage, terminal, failed }: Job) {
  return {
    job_id: jobId,
    hpc: project.hpc,
    project_name: project.name,
    title,
    stage,
    terminal_stage: terminal,
    failed,
  };
}

/**
 * Ids and names of one answer together. Lambda limits a response to 6 MB, including the escapes of
 * the body inside of JSON, and these make a name of quotes four times as long.
 */
const maxFileCharacters = 2_400_000;

/** Leaves out the last files if their names are too long for one answer. */
export function presentFiles(files: readonly RemoteFile[]) {
  return cutFiles(files).map(presentFile);
}

/** Ends the page early if its names are too long for one answer. */
export function presentFilePage({ files, next }: FilePage) {
  const kept = cutFiles(files);
  return {
    body: kept.map((file) => ({ ...presentFile(file), ...(file.isFolder && { folder: true }) })),
    next: kept.length < files.length ? kept.at(-1)?.position : next,
  };
}

function cutFiles<File extends RemoteFile>(files: readonly File[]): readonly File[] {
  let characters = 0;
  const tooMany = files.findIndex(({ id, name }) => {
    characters += id.length + name.length;
    return characters > maxFileCharacters;
  });
  return tooMany === -1 ? files : files.slice(0, tooMany);
}

function presentFile({ id, name, bytes, startsAt }: RemoteFile) {
  return {
    fileid: id,
    filename: name,
    length: bytes,
    ...(startsAt !== undefined && { starts_at: startsAt }),
  };
}
