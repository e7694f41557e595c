import { describeStage } from '../../../format/describe-stage.ts';
import { writeLargest } from '../../../format/write-age.ts';
import { writeDuration } from '../../../format/write-duration.ts';
import { writeShortId } from '../../../format/write-short-id.ts';
import { colourOf, type Paint } from '../../screen/paint.ts';
import type { Column } from '../../screen/write-table.ts';
import type { JobInProgress } from './read-progress.ts';

export function writeStage({ job }: Pick<JobInProgress, 'job'>): string {
  const { icon, meaning } = describeStage(job);
  return job.stage === 'DELETED' ? `${icon} deleted` : `${icon} ${meaning}`;
}

/** A list of jobs as people read it. */
export function jobColumns(now: Date, paint: Paint): readonly Column<JobInProgress>[] {
  return [
    {
      head: 'STAGE',
      cell: writeStage,
      paint: (row, text) => paint(colourOf[describeStage(row.job).meaning], text),
    },
    { head: 'JOB', cell: ({ job }) => writeShortId(job.job_id) },
    { head: 'TITLE', cell: ({ job }) => job.title || '(no title)', shrinks: true },
    { head: 'SYSTEM', cell: ({ job }) => job.project_hpc.toLowerCase(), spare: 1 },
    { head: 'TIME', cell: writeTime, align: 'right', spare: 2 },
    { head: 'AGE', cell: ({ job }) => writeAgeOf(job.init_date, now), align: 'right', spare: 3 },
    { head: '', cell: ({ reason = '' }) => reason, shrinks: true, spare: 4 },
  ];
}

/** `12 min of 30 min` while it runs. */
function writeTime({ job, ran }: JobInProgress): string {
  const granted = writeDuration(job.runtime * 3600);
  return ran === undefined || job.terminal_stage ? granted : `${writeDuration(ran)} of ${granted}`;
}

function writeAgeOf(moment: string, now: Date): string {
  return writeLargest(Math.max(0, (now.getTime() - Date.parse(moment)) / 1000));
}
