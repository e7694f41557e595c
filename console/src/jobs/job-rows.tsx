import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Job } from '#client/src/index.ts';
import { JobRow } from './job-row.tsx';
import { visibleRows } from './visible-rows.ts';

const rowHeight = 56;
/** So near to its end a list asks for more. */
const nearEnd = 40;

/** Only what is seen is there: ten thousand rows scroll like ten. */
export function JobRows({
  jobs,
  children = (job) => <JobRow job={job} />,
  onNearEnd,
}: {
  readonly jobs: readonly Job[];
  readonly children?: (job: Job) => ComponentChildren;
  readonly onNearEnd: () => void;
}) {
  const list = useRef<HTMLUListElement>(null);
  const [seen, setSeen] = useState({ top: 0, height: 1200 });
  useEffect(() => {
    const look = () => {
      const above = list.current?.getBoundingClientRect().top ?? 0;
      setSeen({ top: Math.max(0, -above), height: innerHeight });
    };
    look();
    addEventListener('scroll', look, { passive: true });
    addEventListener('resize', look);
    return () => {
      removeEventListener('scroll', look);
      removeEventListener('resize', look);
    };
  }, []);
  const { first, end } = visibleRows(seen, rowHeight, jobs.length);
  useEffect(() => {
    if (end + nearEnd >= jobs.length) onNearEnd();
  }, [end, jobs.length]);
  return (
    <ul ref={list} class="rows jobs" style={{ height: `${jobs.length * rowHeight}px` }}>
      {jobs.slice(first, end).map((job, index) => (
        <li
          key={job.job_id}
          data-row
          style={{ transform: `translateY(${(first + index) * rowHeight}px)` }}
        >
          {children(job)}
        </li>
      ))}
    </ul>
  );
}
