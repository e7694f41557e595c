import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { writeShortId } from '#client/src/format/jobs/write-short-id.ts';
import { writeDuration } from '#client/src/format/times/duration.ts';
import type { Job } from '#client/src/index.ts';
import { addressOf, systemOf } from '../browser/address.ts';
import { Moment } from '../parts/moment.tsx';
import { StageMark } from '../parts/stage-mark.tsx';
import { phrase } from './words.ts';

/** Rows before the end at which more are loaded, so that nobody has to wait while scrolling. */
const nearEnd = 200;

interface JobRowsProps {
  readonly jobs: readonly Job[];
  /** How many jobs were read for these rows. */
  readonly read?: number;
  readonly children?: (job: Job) => ComponentChildren;
  /** Loads more. Undefined if there are no more. */
  readonly onNearEnd?: (() => void) | undefined;
  /** Called with the rendered jobs whenever they change. */
  readonly onSeen?: (seen: readonly Job[]) => void;
  /** Whether rows are lower than usual. */
  readonly compact?: boolean;
}

/** Renders only the visible rows, so that ten thousand scroll like ten. */
export function JobRows({
  jobs,
  read = jobs.length,
  children = (job) => <JobRow job={job} />,
  onNearEnd,
  onSeen,
  compact = false,
}: JobRowsProps) {
  const list = useRef<HTMLDivElement>(null);
  const [rowHeight, setRowHeight] = useState(40);
  const [{ first, end }, setShown] = useState({ first: 0, end: 40 });
  useEffect(() => {
    const measure = () => {
      if (!list.current) return;
      // The style sets the height of a row, depending on the screen.
      setRowHeight(Number.parseFloat(getComputedStyle(list.current).getPropertyValue('--row')));
    };
    measure();
    addEventListener('resize', measure);
    return () => removeEventListener('resize', measure);
  }, [compact]);
  useEffect(() => {
    const look = () => {
      if (!list.current) return;
      const top = Math.max(0, -list.current.getBoundingClientRect().top);
      const rows = visibleRows({ top, height: innerHeight }, rowHeight, jobs.length);
      setShown((before) => (isSame(before, rows) ? before : rows));
    };
    look();
    addEventListener('scroll', look, { passive: true });
    addEventListener('resize', look);
    return () => {
      removeEventListener('scroll', look);
      removeEventListener('resize', look);
    };
  }, [rowHeight, jobs.length]);
  useEffect(() => {
    if (end + nearEnd >= jobs.length) onNearEnd?.();
    // The first job beyond a full page changes neither the rows nor how many jobs were read.
  }, [end, read, onNearEnd !== undefined]);
  useEffect(() => onSeen?.(jobs.slice(first, end)), [first, end, jobs]);
  return (
    <div ref={list} class="long-list" style={{ height: `${jobs.length * rowHeight}px` }}>
      <ul class="rows jobs" style={{ transform: `translateY(${first * rowHeight}px)` }}>
        {jobs.slice(first, end).map((job) => (
          <li key={job.job_id} data-row>
            {children(job)}
          </li>
        ))}
      </ul>
    </div>
  );
}

interface JobRowProps {
  readonly job: Job;
  /** Administrators' lists show the owner, and link to the administrators' page of the job. */
  readonly address?: string;
  readonly owner?: string;
  /** Replaces the system and the project. */
  readonly where?: ComponentChildren;
  /** Replaces the time limit. */
  readonly time?: ComponentChildren;
}

export function JobRow({ job, address = addressOf.job(job), owner, where, time }: JobRowProps) {
  const { title, project_name: project, runtime, init_date: since } = job;
  return (
    <a href={address} class="job-row">
      <StageMark job={job} />
      <span class="title" title={title}>
        {title === '' ? <em class="quiet">{phrase('untitled')}</em> : title}
      </span>
      <span class="quiet where" title={`${systemOf(job)} · ${project}`}>
        {owner !== undefined && `${owner} · `}
        {where ?? `${systemOf(job)} · ${project}`}
      </span>
      <span class="number time" title={phrase('limitInHours', { count: runtime })}>
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

/** Extra rows above and below, so that scrolling shows no gaps. */
const beyond = 6;

interface Rows {
  readonly first: number;
  readonly end: number;
}

/** Returns which rows of equal height to render. */
export function visibleRows(
  {
    top,
    height,
  }: {
    /** How far the list is scrolled. */
    readonly top: number;
    readonly height: number;
  },
  rowHeight: number,
  count: number,
): Rows {
  const first = Math.floor(top / rowHeight) - beyond;
  const end = Math.ceil((top + height) / rowHeight) + beyond;
  return { first: clamp(first, count), end: clamp(end, count) };
}

function isSame(one: Rows, other: Rows): boolean {
  return one.first === other.first && one.end === other.end;
}

function clamp(row: number, count: number): number {
  return Math.max(0, Math.min(count, row));
}
