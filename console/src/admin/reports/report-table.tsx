import { writeDuration } from '#client/src/format/duration.ts';
import {
  headUnit,
  joinCharging,
  writeNodeHours,
  writeNodeTime,
} from '#client/src/format/node-time.ts';
import type { ReportRow } from '#client/src/index.ts';
import { adminAddress } from '../../browser/routes.ts';
import type { UnitOf } from './report-chart.tsx';
import { type Group, nameRow } from './report-filters.ts';

interface ReportTableProps {
  readonly rows: readonly ReportRow[];
  readonly by: Group;
  readonly unitOf: UnitOf;
}

export function ReportTable({ rows, by, unitOf }: ReportTableProps) {
  const unit = joinCharging(rows.map((row) => unitOf(row.project_hpc)));
  return (
    <div class="scrolls">
      <table>
        <thead>
          <tr>
            <th>{`${by[0]?.toUpperCase()}${by.slice(1)}`}</th>
            <th class="number">{unit === 'mixed' ? 'Used' : headUnit(unit)}</th>
            <th class="number">Jobs</th>
            <th class="number">Failed</th>
            <th class="number">Cancelled</th>
            <th class="number" title="Median and 95th percentile of the waiting time">
              Waited
            </th>
            <th class="number" title="Median and 95th percentile of the running time">
              Ran
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={`${row.user}${row.project_hpc}${row.project_name}${row.day}${row.month}`}>
              <td>
                <NameOfRow row={row} by={by} />
              </td>
              <td class="number" title={`${row.time_used} seconds`}>
                {unit === 'mixed'
                  ? writeNodeTime(row.time_used, unitOf(row.project_hpc))
                  : writeNodeHours(row.time_used)}
              </td>
              <td class="number">{row.jobs_ended.toLocaleString('en-US')}</td>
              <td class="number">{row.jobs_failed.toLocaleString('en-US')}</td>
              <td class="number">{row.jobs_cancelled.toLocaleString('en-US')}</td>
              <td class="number">{writeSpans(row.queue_time_median, row.queue_time_p95)}</td>
              <td class="number">{writeSpans(row.run_time_median, row.run_time_p95)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function NameOfRow({ row, by }: { readonly row: ReportRow; readonly by: Group }) {
  const name = nameRow(row, by);
  const { user, project_hpc: hpc, project_name: project } = row;
  if (by === 'user' && user !== undefined) return <a href={adminAddress.person(user)}>{name}</a>;
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
