import {
  type Charging,
  headUnit,
  writeHoursLeft,
  writeNodeHours,
} from '#client/src/format/node-time.ts';
import { writeSize } from '#client/src/format/size.ts';
import { writeShortId } from '#client/src/format/write-short-id.ts';
import type { LedgerLine } from '#client/src/index.ts';
import { addressOf } from '../browser/routes.ts';
import { Moment } from '../parts/moment.tsx';

interface LedgerTableProps {
  readonly lines: readonly LedgerLine[];
  readonly charging: Charging;
  readonly at: { readonly hpc: string; readonly project: string };
  readonly jobAddress?: typeof addressOf.job;
}

export function LedgerTable({ lines, charging, at, jobAddress = addressOf.job }: LedgerTableProps) {
  return (
    <div class="scrolls">
      <table>
        <thead>
          <tr>
            <th>When</th>
            <th>Kind</th>
            <th class="number">{headUnit(charging)}</th>
            <th class="number">Remaining</th>
            <th class="number">Space</th>
            <th>Reason</th>
            <th>Job</th>
          </tr>
        </thead>
        <tbody>
          {lines.map((line) => (
            <tr key={`${line.at}${line.kind}${line.job_id}`}>
              <td>
                <Moment at={line.at} />
              </td>
              <td>{line.kind}</td>
              <td class="number" title={`${line.time} seconds`}>
                {sign(line.time)}
                {writeNodeHours(line.time)}
              </td>
              <td class="number" title={`${line.time_left} seconds`}>
                {writeHoursLeft(line.time_left)}
              </td>
              <td class="number" title={`${line.space} kilobytes`}>
                {line.space === 0 ? '' : `${sign(line.space)}${writeSize(line.space * 1000)}`}
              </td>
              <td>
                {line.reason} <span class="quiet">({line.by})</span>
              </td>
              <td>
                {line.job_id !== null && (
                  <a
                    href={jobAddress({
                      project_hpc: at.hpc,
                      project_name: at.project,
                      job_id: line.job_id,
                    })}
                  >
                    <code>{writeShortId(line.job_id)}</code>
                  </a>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function sign(amount: number): string {
  return amount > 0 ? '+' : '';
}
