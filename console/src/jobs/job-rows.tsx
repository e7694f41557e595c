import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Job } from '#client/src/index.ts';
import { JobRow } from './job-row.tsx';
import { isSame, visibleRows } from './visible-rows.ts';

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
  const list = useRef<HTMLDivElement>(null);
  const [rowHeight, setRowHeight] = useState(40);
  const [{ first, end }, setShown] = useState({ first: 0, end: 40 });
  useEffect(() => {
    const measure = () => {
      if (!list.current) return;
      // How high a row is depends on the screen, and the style says it.
      setRowHeight(Number.parseFloat(getComputedStyle(list.current).getPropertyValue('--row')));
    };
    measure();
    addEventListener('resize', measure);
    return () => removeEventListener('resize', measure);
  }, []);
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
    if (end + nearEnd >= jobs.length) onNearEnd();
  }, [end, jobs.length]);
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
