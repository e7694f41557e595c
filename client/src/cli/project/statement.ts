import { nameUnit } from '../../format/amounts.ts';
import { writeMoment } from '../../format/day.ts';
import { writeExactHours } from '../../format/exact-hours.ts';
import type { Statement } from '../../index.ts';
import { readCharging } from '../session/find.ts';
import { createCommand, type Open } from '../session/session.ts';
import { type Column, column, rightColumn, type Screen } from '../terminal/screen.ts';
import { phrase } from '../words/phrase.ts';
import { findLed } from './find-led.ts';

type Row = Omit<Statement['rows'][number], 'user'> & { readonly user: string | null };

export function createStatement(open: Open) {
  return createCommand('statement', phrase('project.showTheStatement'))
    .examples(
      'slipway project statement lab_42 --month 2026-10',
      'slipway project statement lab_42 --csv > statement.csv',
    )
    .argument('[project]', phrase('project.projectDefault'))
    .option('--month <month>', phrase('project.monthOfStatement'))
    .option('--csv', phrase('shared.printCsvInSecondsAndKilobytes'))
    .action(async (project, { month, csv }, command) => {
      const session = open(command);
      const { client, screen } = session;
      const { hpc, project_name } = await findLed(project)(client);
      const asked = { hpc, project_name, ...(month !== undefined && { month }) };
      if (csv) {
        screen.raw(await client.getStatementAsCsv(asked));
        return;
      }
      const statement = await client.getStatement(asked);
      const unit = nameUnit((await readCharging(client))(statement.project_hpc));
      session.print(statement, ...describeStatement(statement, unit, screen));
    });
}

function describeStatement(statement: Statement, unit: string, screen: Screen): string[] {
  const { project_name: name, project_hpc: hpc, month, until, closed, rows } = statement;
  const moment = writeMoment(until);
  const place = phrase('project.statementOf', {
    name: screen.paint('bold', name),
    hpc: hpc.toLowerCase(),
    month,
    unit,
  });
  const asOf = phrase(closed ? 'project.asOfFinal' : 'project.asOf', { moment });
  if (rows.length === 0) return [place, phrase('project.nothingInMonth')];
  const together = { ...statement, user: phrase('project.together') };
  return [
    place,
    `  ${screen.paint('dim', asOf)}`,
    '',
    ...screen.layOut<Row>([...rows, together], statementColumns()),
  ];
}

/** What expired and what was corrected is one column; `--json` and `--csv` tell them apart. */
function statementColumns(): readonly Column<Row>[] {
  return [
    column('project.headAccount', ({ user }) => user ?? phrase('project.theBudget')),
    rightColumn('project.headOpening', ({ opening }) => writeExactHours(opening.time)),
    rightColumn('project.headGranted', ({ granted }) => writeExactHours(granted.time)),
    rightColumn('project.headShared', ({ shared }) => writeExactHours(shared.time), { spare: 2 }),
    rightColumn(
      'project.headCorrected',
      ({ corrected, expired }) => writeExactHours(corrected.time - expired.time),
      { spare: 3 },
    ),
    rightColumn('shared.headUsed', ({ used }) => writeExactHours(used.time)),
    rightColumn('project.headDrawn', ({ drawn }) => writeExactHours(drawn.time), { spare: 1 }),
    rightColumn('project.headReserved', ({ reserved }) => writeExactHours(reserved.time), {
      spare: 4,
    }),
    rightColumn('project.headClosing', ({ closing }) => writeExactHours(closing.time)),
  ];
}
