import type { Amount } from '#lib/quotas/quota.ts';
import type { Statement } from '#lib/statements/read-statement.ts';
import { sumRows } from '#lib/statements/statement.ts';
import { unitOf, writeAmount } from './amounts.ts';
import { type Note, pageOf, writePlace } from './describe-event.ts';

/** Describes the statement of a closed month for a leader. The page has the other sums. */
export function describeStatement({ project, month, until, rows }: Statement): Note {
  const { hpc, name } = project;
  const inProject = { project_hpc: hpc, project_name: name };
  const { opening, granted, used, closing } = sumRows(rows);
  const unit = unitOf(hpc);
  const write = ({ seconds, kilobytes }: Amount) =>
    writeAmount({ time: seconds, space: kilobytes }, unit);
  return {
    id: `statement/${hpc}/${name}/${month}`,
    topic: 'project.statement',
    at: until,
    headline: `Statement of ${name} for ${nameMonth(month)}`,
    place: writePlace(inProject),
    facts: [
      ['Opening balance', write(opening)],
      ['Granted', write(granted)],
      ['Used by jobs that ended', write(used)],
      ['Closing balance', write(closing)],
    ],
    page: `${pageOf('projects', inProject, 'statement')}?month=${month}`,
    command: `slipway project statement ${name} --month ${month}`,
  };
}

function nameMonth(month: string): string {
  const options = { month: 'long', year: 'numeric', timeZone: 'UTC' } as const;
  return new Date(month).toLocaleString('en-US', options);
}
