import type { ComponentChildren } from 'preact';
import { writeDuration } from '#client/src/format/write-duration.ts';
import { writeShortId } from '#client/src/format/write-short-id.ts';
import type { Job } from '#client/src/index.ts';
import { addressOf } from '../address/address-of.ts';
import { systemOf } from '../address/system-of.ts';
import { Moment } from '../parts/moment.tsx';
import { StageMark } from '../parts/stage-mark.tsx';

interface JobRowProps {
  readonly job: Job;
  /** Among everybody's jobs it says whose it is, and leads to the administrators' page of it. */
  readonly address?: string;
  readonly owner?: string;
  /** How far it is, where that is known. */
  readonly time?: ComponentChildren;
}

export function JobRow({ job, address = addressOf.job(job), owner, time }: JobRowProps) {
  const { title, project_name: project, runtime, init_date: since } = job;
  return (
    <a href={address} class="job-row">
      <StageMark job={job} />
      <span class="title">{title === '' ? <em class="quiet">no title</em> : title}</span>
      <span class="quiet where">
        {owner !== undefined && `${owner} · `}
        {systemOf(job)} · {project}
      </span>
      <span class="number time" title={`${runtime} hours granted`}>
        {time ?? writeDuration(runtime * 3600)}
      </span>
      <span class="number age">
        <Moment at={since} />
      </span>
      <code class="quiet id" title={job.job_id}>
        {writeShortId(job.job_id)}
      </code>
    </a>
  );
}
