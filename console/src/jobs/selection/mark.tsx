import type { Job } from '#client/src/index.ts';

interface MarkProps {
  readonly job: Job;
  readonly marked: boolean;
  readonly onMark: (how: { readonly range: boolean }) => void;
}

export function Mark({ job, marked, onMark }: MarkProps) {
  const name = job.title === '' ? job.job_id : job.title;
  return (
    <label class="mark">
      <input
        type="checkbox"
        aria-label={`Select ${name}`}
        checked={marked}
        onClick={({ shiftKey: range }) => onMark({ range })}
      />
    </label>
  );
}
