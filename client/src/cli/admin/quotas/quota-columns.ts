import { writeDay } from '../../../format/write-day.ts';
import {
  type Charging,
  nameUnit,
  writeLeft,
  writeNodeTime,
} from '../../../format/write-node-time.ts';
import { writeSize, writeSizeLeft } from '../../../format/write-size.ts';
import type { Quota } from '../../../index.ts';
import type { Column } from '../../screen/write-table.ts';

/** Everybody's quotas, or one user's, with what jobs hold of them. */
export function quotaColumns(
  chargingOf: (projectHpc: string) => Charging,
): readonly Column<Quota>[] {
  return [
    { head: 'USER', cell: ({ user }) => user },
    { head: 'PROJECT', cell: ({ project_name }) => project_name, shrinks: true },
    { head: 'SYSTEM', cell: ({ project_hpc }) => project_hpc.toLowerCase(), spare: 3 },
    { head: 'LEFT', cell: (quota) => writeTimeLeft(quota, chargingOf), align: 'right' },
    { head: 'SPACE', cell: writeSpaceLeft, align: 'right', spare: 2 },
    {
      head: 'LIVING',
      cell: ({ usage }) => `${usage?.living_jobs ?? ''}`,
      align: 'right',
      spare: 4,
    },
    { head: 'UNTIL', cell: ({ usage }) => (usage?.valid_until ? writeDay(usage.valid_until) : '') },
    { head: '', cell: writeNotes, shrinks: true, spare: 1 },
  ];
}

function writeTimeLeft(quota: Quota, chargingOf: (projectHpc: string) => Charging): string {
  const { time_left: left, usage, project_hpc: hpc } = quota;
  const charging = chargingOf(hpc);
  if (!usage) return writeNodeTime(left, charging);
  return `${writeLeft(left, usage.time.granted)} ${nameUnit(charging)}`;
}

function writeSpaceLeft({ usage, space_left: left }: Quota): string {
  const all = usage ? ` of ${writeSize(usage.space.granted * 1000)}` : '';
  return `${writeSizeLeft(left * 1000)}${all}`;
}

function writeNotes({ usage }: Quota): string {
  return [
    ...(usage?.banned ? [`banned: ${usage.banned}`] : []),
    ...(usage?.renews?.next ? [`renews ${writeDay(usage.renews.next)}`] : []),
  ].join(', ');
}
