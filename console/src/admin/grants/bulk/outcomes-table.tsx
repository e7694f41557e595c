import type { GrantedRow } from '#client/src/index.ts';
import { adminAddress } from '../../../address/admin-address.ts';
import { type Catalog, chargingOf } from '../../../connection/use-catalog.ts';
import { describeOutcome } from '../outcome/describe-outcome.ts';
import type { PastedRow } from './read-pasted.ts';

interface OutcomesTableProps {
  readonly rows: readonly PastedRow[];
  readonly outcomes: readonly GrantedRow[];
  readonly catalog: Catalog | undefined;
  /** Whether it was done, or only would be. */
  readonly done: boolean;
}

const wouldBe: Readonly<Record<GrantedRow['outcome'], string>> = {
  granted: 'would be granted',
  corrected: 'would be corrected',
  unchanged: 'unchanged',
  refused: 'would be refused',
  'not-done': 'not looked at',
};

const was: Readonly<Record<GrantedRow['outcome'], string>> = {
  granted: 'granted',
  corrected: 'corrected',
  unchanged: 'unchanged',
  refused: 'refused',
  'not-done': 'not done',
};

/** A line for each row: what becomes of it, and what it changes. */
export function OutcomesTable({ rows, outcomes, catalog, done }: OutcomesTableProps) {
  const words = done ? was : wouldBe;
  return (
    <div class="scrolls">
      <table>
        <thead>
          <tr>
            <th class="number">Line</th>
            <th>User</th>
            <th>Project</th>
            <th>Outcome</th>
            <th>Change</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ line, row }, index) => {
            const outcome = outcomes[index];
            return (
              <tr key={line}>
                <td class="number">{line}</td>
                <td>
                  <a href={adminAddress.person(row.user_id)}>{row.user_id}</a>
                </td>
                <td>{row.project_name}</td>
                <td>
                  <span class={`state one-line ${outcome?.outcome ?? ''}`}>
                    {outcome && words[outcome.outcome]}
                  </span>
                </td>
                <td class="words">
                  {outcome && describeOutcome(outcome, chargingOf(catalog, row.hpc.toUpperCase()))}
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}
