import { describeChange } from '../../../changes/describe-change.ts';
import { describeProblem } from '../../../changes/describe-problem.ts';
import type { Charging } from '../../../format/write-node-time.ts';
import type { GrantedRow, GrantRow } from '../../../index.ts';
import type { Column } from '../../screen/write-table.ts';

/** A row of a file, and what became of it or would. */
export interface GrantOutcome {
  readonly line: number;
  readonly row: GrantRow;
  readonly answer: GrantedRow | undefined;
}

export function grantColumns(
  chargingOf: (projectHpc: string) => Charging,
): readonly Column<GrantOutcome>[] {
  return [
    { head: 'LINE', cell: ({ line }) => String(line), align: 'right' },
    { head: 'USER', cell: ({ row }) => row.user_id },
    { head: 'PROJECT', cell: ({ row }) => row.project_name, shrinks: true },
    { head: 'OUTCOME', cell: ({ answer }) => answer?.outcome ?? 'not-done' },
    { head: 'CHANGE', cell: (row) => describe(row, chargingOf), shrinks: true },
  ];
}

function describe(
  { row, answer }: GrantOutcome,
  chargingOf: (projectHpc: string) => Charging,
): string {
  if (answer === undefined || answer.outcome === 'not-done') return 'run it again';
  if (answer.outcome === 'refused') return describeProblem(answer.problem);
  return describeChange(answer.change, chargingOf(row.hpc.toUpperCase()));
}
