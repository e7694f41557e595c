import {
  headUnit,
  joinCharging,
  writeColumn,
  writeNodeTime,
} from '#client/src/format/amounts/amounts.ts';
import { writeUsedShare } from '#client/src/format/jobs/describe-usage.ts';
import { writeNumber } from '#client/src/format/numbers/write-number.ts';
import { writeDuration } from '#client/src/format/times/duration.ts';
import type { ReportRow } from '#client/src/index.ts';
import { accountAt, adminAddress, type ProjectPlace } from '../../browser/address.ts';
import { chargingOf } from '../../live/catalog.ts';
import { Table } from '../../parts/table.tsx';
import { useLinks } from '../parts/use-links.ts';
import { UserName } from '../parts/user-name.tsx';
import { type Group, nameGroup, nameRow, type ReportFilters } from './report-filters.ts';
import { phrase } from './words.ts';

interface ReportTableProps {
  readonly rows: readonly ReportRow[];
  readonly filters: ReportFilters;
  /** The project of all rows, which do not name it. */
  readonly at?: ProjectPlace;
}

/** Keeps the order of the service within a day or month. */
function byMoment(one: ReportRow, other: ReportRow): number {
  const [first = '', second = ''] = [one, other].map(({ day, month }) => day ?? month);
  return first < second ? -1 : Number(first > second);
}

export function ReportTable({ rows, filters: { by, split }, at }: ReportTableProps) {
  const unit = joinCharging(
    rows.map(({ project_hpc: hpc = at?.hpc.toUpperCase() }) => chargingOf(hpc)),
  );
  const count = (head: string, countOf: (row: ReportRow) => number) => ({
    head,
    cell: (row: ReportRow) => writeNumber(countOf(row)),
    class: 'number',
  });
  const write = writeColumn(rows, (row) => row.time_used);
  const half = phrase('halfTookNoLonger');
  const most = phrase('mostTookNoLonger');
  return (
    <Table
      folds
      rows={split === '' ? rows : rows.toSorted(byMoment)}
      keyOf={(row) => `${row.user}${row.project_hpc}${row.project_name}${row.day}${row.month}`}
      columns={[
        {
          head: headGroup(by),
          cell: (row) => <NameOfRow row={row} by={by} {...(at && { at })} />,
        },
        split !== '' && {
          head: headGroup(split),
          cell: (row) => <NameOfRow row={row} by={split} {...(at && { at })} />,
        },
        {
          head: unit === 'mixed' ? phrase('used') : headUnit(unit),
          cell: (row) =>
            unit === 'mixed'
              ? writeNodeTime(row.time_used, chargingOf(row.project_hpc))
              : write(row),
          title: (row) => phrase('seconds', { count: row.time_used }),
          class: 'number',
        },
        count(phrase('jobs'), (row) => row.jobs_ended),
        count(phrase('failed'), (row) => row.jobs_failed),
        count(phrase('cancelled'), (row) => row.jobs_cancelled),
        span(phrase('waitedMedian'), half, (row) => row.queue_time_median),
        span(phrase('waitedMost'), most, (row) => row.queue_time_p95),
        span(phrase('ranMedian'), half, (row) => row.run_time_median),
        span(phrase('ranMost'), most, (row) => row.run_time_p95),
        {
          head: <span title={phrase('shareOfGranted')}>{phrase('ofAsked')}</span>,
          label: phrase('ofAsked'),
          cell: writeUsedShare,
          class: 'number',
        },
      ]}
    />
  );
}

type NameOfRowProps = Pick<ReportTableProps, 'at'> & {
  readonly row: ReportRow;
  readonly by: Group;
};

function NameOfRow({ row, by, at }: NameOfRowProps) {
  const links = useLinks();
  const name = nameRow(row, by);
  const { user, project_hpc: hpc, project_name: project } = row;
  if (by === 'user' && user !== undefined) {
    const address = at ? links.person(user, accountAt(at)) : adminAddress.person(user);
    return (
      <>
        <a href={address}>{name}</a>
        <UserName name={row.name} />
      </>
    );
  }
  if (by === 'project' && hpc !== undefined && project !== undefined) {
    return (
      <>
        <a href={adminAddress.project({ project_hpc: hpc, project_name: project })}>{name}</a>{' '}
        <span class="quiet">{hpc.toLowerCase()}</span>
      </>
    );
  }
  return <>{name}</>;
}

function headGroup(group: Group): string {
  const name = nameGroup(group);
  return `${name[0]?.toUpperCase()}${name.slice(1)}`;
}

/** Shows a time that half of the jobs, or 95 of 100, did not exceed. */
function span(head: string, title: string, secondsOf: (row: ReportRow) => number | null) {
  return {
    head: <span title={title}>{head}</span>,
    label: head,
    cell: (row: ReportRow) => {
      const seconds = secondsOf(row);
      return seconds === null ? '' : writeDuration(seconds);
    },
    class: 'number',
  };
}
