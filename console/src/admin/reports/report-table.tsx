import {
  headUnit,
  joinCharging,
  writeNodeHours,
  writeNodeTime,
} from '#client/src/format/amounts.ts';
import { writeUsedShare } from '#client/src/format/describe-usage.ts';
import { writeDuration } from '#client/src/format/duration.ts';
import type { ReportRow } from '#client/src/index.ts';
import { accountAt, adminAddress, type ProjectPlace } from '../../browser/address.ts';
import { chargingOf } from '../../live/catalog.ts';
import { Table } from '../../parts/table.tsx';
import { useLinks } from '../parts/use-links.ts';
import { type Group, nameRow } from './report-filters.ts';

interface ReportTableProps {
  readonly rows: readonly ReportRow[];
  readonly by: Group;
  /** The project of all rows, which do not name it. */
  readonly at?: ProjectPlace;
}

export function ReportTable({ rows, by, at }: ReportTableProps) {
  const unit = joinCharging(
    rows.map(({ project_hpc: hpc = at?.hpc.toUpperCase() }) => chargingOf(hpc)),
  );
  const count = (head: string, countOf: (row: ReportRow) => number) => ({
    head,
    cell: (row: ReportRow) => countOf(row).toLocaleString('en-US'),
    class: 'number',
  });
  return (
    <Table
      rows={rows}
      keyOf={(row) => `${row.user}${row.project_hpc}${row.project_name}${row.day}${row.month}`}
      columns={[
        {
          head: `${by[0]?.toUpperCase()}${by.slice(1)}`,
          cell: (row) => <NameOfRow row={row} by={by} {...(at && { at })} />,
        },
        {
          head: unit === 'mixed' ? 'Used' : headUnit(unit),
          cell: (row) =>
            unit === 'mixed'
              ? writeNodeTime(row.time_used, chargingOf(row.project_hpc))
              : writeNodeHours(row.time_used),
          title: (row) => `${row.time_used} seconds`,
          class: 'number',
        },
        count('Jobs', (row) => row.jobs_ended),
        count('Failed', (row) => row.jobs_failed),
        count('Cancelled', (row) => row.jobs_cancelled),
        {
          head: <span title="Median and 95th percentile of the waiting time">Waited</span>,
          cell: (row) => writeSpans(row.queue_time_median, row.queue_time_p95),
          class: 'number',
        },
        {
          head: <span title="Median and 95th percentile of the running time">Ran</span>,
          cell: (row) => writeSpans(row.run_time_median, row.run_time_p95),
          class: 'number',
        },
        {
          head: (
            <span title="Used time, as a share of the granted time of jobs that ran">Of asked</span>
          ),
          cell: writeUsedShare,
          class: 'number',
        },
      ]}
    />
  );
}

type NameOfRowProps = Pick<ReportTableProps, 'by' | 'at'> & { readonly row: ReportRow };

function NameOfRow({ row, by, at }: NameOfRowProps) {
  const links = useLinks();
  const name = nameRow(row, by);
  const { user, project_hpc: hpc, project_name: project } = row;
  if (by === 'user' && user !== undefined) {
    const address = at ? links.person(user, accountAt(at)) : adminAddress.person(user);
    return <a href={address}>{name}</a>;
  }
  if (hpc !== undefined && project !== undefined) {
    return (
      <>
        <a href={adminAddress.project({ project_hpc: hpc, project_name: project })}>{name}</a>{' '}
        <span class="quiet">{hpc.toLowerCase()}</span>
      </>
    );
  }
  return <>{name}</>;
}

function writeSpans(median: number | null, most: number | null): string {
  if (median === null || most === null) return '';
  return `${writeDuration(median)}, ${writeDuration(most)}`;
}
