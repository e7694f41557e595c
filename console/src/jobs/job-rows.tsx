import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Job } from '#client/src/index.ts';
import { JobRow } from './job-row.tsx';
import { visibleRows } from './visible-rows.ts';

/** So near to its end a list asks for more: as many rows as one scrolls while they come. */
const nearEnd = 200;

interface JobRowsProps {
  readonly jobs: readonly Job[];
  readonly children?: (job: Job) => ComponentChildren;
  readonly onNearEnd: () => void;
  /** Told which rows are there, whenever these are others. */
  readonly onSeen?: (seen: readonly Job[]) => void;
}

/** Only what is seen is there: ten thousand rows scroll like ten. */
export function JobRows({
  jobs,
  children = (job) => <JobRow job={job} />,
  onNearEnd,
  onSeen,
}: JobRowsProps) {
  const list = useRef<HTMLUListElement>(null);
  const [seen, setSeen] = useState({ top: 0, height: 1200, rowHeight: 40 });
  useEffect(() => {
    const look = () => {
      if (!list.current) return;
      const { top } = list.current.getBoundingClientRect();
      // How high a row is depends on the screen, and the style says it.
      const said = getComputedStyle(list.current).getPropertyValue('--row');
      setSeen({ top: Math.max(0, -top), height: innerHeight, rowHeight: Number.parseFloat(said) });
    };
    look();
    addEventListener('scroll', look, { passive: true });
    addEventListener('resize', look);
    return () => {
      removeEventListener('scroll', look);
      removeEventListener('resize', look);
    };
  }, []);
  const { rowHeight } = seen;
  const { first, end } = visibleRows(seen, rowHeight, jobs.length);
  useEffect(() => {
    if (end + nearEnd >= jobs.length) onNearEnd();
  }, [end, jobs.length]);
  useEffect(() => onSeen?.(jobs.slice(first, end)), [first, end, jobs]);
  return (
    <ul
      ref={list}
      class="rows jobs"
      style={{ height: `${jobs.length * rowHeight}px`, paddingTop: `${first * rowHeight}px` }}
    >
      {jobs.slice(first, end).map((job) => (
        <li key={job.job_id} data-row>
          {children(job)}
        </li>
      ))}
    </ul>
  );
}
