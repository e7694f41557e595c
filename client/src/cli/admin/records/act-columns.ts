import { describeChange } from '../../../changes/describe-change.ts';
import { writeMoment } from '../../../format/write-day.ts';
import type { Charging } from '../../../format/write-node-time.ts';
import { writeShortId } from '../../../format/write-short-id.ts';
import type { Act } from '../../../index.ts';
import type { Column } from '../../screen/write-table.ts';

/** What administrators did, a line for each act. */
export function actColumns(chargingOf: (projectHpc: string) => Charging): readonly Column<Act>[] {
  return [
    { head: 'WHEN', cell: ({ at }) => writeMoment(at) },
    { head: 'BY', cell: ({ by }) => by },
    { head: 'WHAT', cell: ({ kind }) => kind.replace('-', ' ') },
    { head: 'USER', cell: ({ user }) => user ?? '' },
    { head: 'WHERE', cell: writePlace, shrinks: true, spare: 1 },
    { head: 'CHANGE', cell: (act) => writeChange(act, chargingOf), shrinks: true, spare: 2 },
    { head: 'REASON', cell: ({ reason }) => reason, shrinks: true },
  ];
}

function writePlace({ project_name: project, project_hpc: hpc }: Act): string {
  return project ?? hpc?.toLowerCase() ?? '';
}

function writeChange(act: Act, chargingOf: (projectHpc: string) => Charging): string {
  const { details, project_hpc: hpc, job_id: job } = act;
  const change = describeChange(details, hpc === null ? 'mixed' : chargingOf(hpc));
  return job === null ? change : `job ${writeShortId(job)}`;
}
