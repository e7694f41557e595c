import { useState } from 'preact/hooks';
import { nameUnit, writeSize } from '#client/src/format/amounts/amounts.ts';
import { writeNumber } from '#client/src/format/numbers/write-number.ts';
import { roundStatement, writeExactHours } from '#client/src/format/quotas/exact-hours.ts';
import type { Statement } from '#client/src/index.ts';
import { currentLanguage } from '#client/src/words/language.ts';
import { accountAt, goTo, ledAddress, type ProjectPlace, query } from '../../browser/address.ts';
import { saveText } from '../../browser/save.ts';
import { useService } from '../../connection/session.ts';
import { chargingOf } from '../../live/catalog.ts';
import { clock } from '../../live/clock.ts';
import { useLive } from '../../live/use-live.ts';
import { Button, Choice } from '../../parts/form.tsx';
import { Icon } from '../../parts/icon.tsx';
import { Empty, Loading, ProblemNote } from '../../parts/loading.tsx';
import { Pairs } from '../../parts/pairs.tsx';
import { Table } from '../../parts/table.tsx';
import { ProjectTrail } from '../parts/project-trail.tsx';
import { UserName } from '../parts/user-name.tsx';
import { nameMoment } from '../reports/report-filters.ts';
import { phrase } from './words.ts';

/** Shows a month of a project on one page that can be printed. The month is in the address. */
export function StatementPage({ at }: { readonly at: ProjectPlace }) {
  const { hpc, project } = at;
  const service = useService();
  const months = listMonths(clock.value);
  const asked = query.value.get('month') ?? '';
  const month = months.find((each) => each === asked);
  const where = { hpc, project_name: project, ...(month !== undefined && { month }) };
  const { value, error, refresh } = useLive(
    `statement ${hpc} ${project} ${month ?? ''}`,
    (service, signal) => service.getStatement({ ...where, names: true }, { signal }),
  );
  const [failed, setFailed] = useState<unknown>();
  const save = (name: string) =>
    service
      .getStatementAsCsv(where)
      .then((table) => saveText(table, `statement-${hpc}-${project}-${name}.csv`, 'text/csv'))
      .catch(setFailed);
  const [thisMonth, ...others] = months;
  return (
    <article class="statement">
      <header class="page-head">
        <div>
          <ProjectTrail at={at} />
          <h1>{phrase('title', { project })}</h1>
        </div>
        <p class="line">
          <Choice
            label={phrase('month')}
            all={phrase('thisMonth')}
            values={others}
            write={nameMoment}
            value={month === thisMonth ? '' : (month ?? '')}
            onValue={(chosen) =>
              goTo(ledAddress.statement(accountAt(at), chosen === '' ? undefined : chosen))
            }
          />
          <Button onClick={() => print()}>{phrase('print')}</Button>
          <Button disabled={!value} onClick={() => value && void save(value.month)}>
            <Icon name="download" /> {phrase('downloadCsv')}
          </Button>
        </p>
      </header>
      {failed !== undefined && <ProblemNote error={failed} />}
      <Loading value={value} error={error} refresh={refresh} rows={8} />
      {value && <Sheet statement={value} />}
    </article>
  );
}

function Sheet({ statement }: { readonly statement: Statement }) {
  const { project_hpc: hpc, project_name: project, month, until, closed, rows } = statement;
  const unit = nameUnit(chargingOf(hpc));
  const moment = writeUntil(until);
  return (
    <>
      <Pairs
        of={[
          [phrase('project'), project],
          [phrase('system'), hpc.toLowerCase()],
          [phrase('month'), nameMoment(month)],
          [phrase('asOf'), closed ? phrase('final', { moment }) : phrase('notFinal', { moment })],
          [phrase('service'), location.host],
        ]}
      />
      {rows.length === 0 ? (
        <Empty title={phrase('empty')}>{phrase('emptyMeans')}</Empty>
      ) : (
        <>
          <h2>{phrase('balances')}</h2>
          <Table
            folds
            rows={statementLines(statement)}
            keyOf={({ part }) => part}
            columns={[
              { head: phrase('part'), cell: ({ part }) => partNames[part]() },
              {
                head: phrase('time', { unit }),
                cell: ({ part, sign }) =>
                  writeExactHours(sign * roundStatement(statement)(statement, part)),
                class: 'number',
              },
              {
                head: phrase('space'),
                cell: ({ space }) => writeSize(space * 1000),
                class: 'number',
              },
            ]}
          />
          <h2>{phrase('byAccount')}</h2>
          <Accounts statement={statement} />
          <p class="quiet">{phrase('note', { unit })}</p>
        </>
      )}
    </>
  );
}

/** Leaves out what is 0 in every row, so that a page has room for the rest. */
function Accounts({ statement }: { readonly statement: Statement }) {
  const { rows } = statement;
  const together = { ...statement, user: undefined };
  const hours = roundStatement(statement);
  const times = (head: string, part: StatementTime) =>
    rows.some((row) => row[part].time !== 0) && {
      head,
      cell: (row: Sum) => writeExactHours(hours(row, part)),
      class: 'number',
    };
  return (
    <Table<Sum>
      folds
      rows={[...rows, together]}
      keyOf={({ user }) => String(user)}
      columns={[
        { head: phrase('account'), cell: nameAccount },
        times(phrase('headOpening'), 'opening'),
        times(phrase('granted'), 'granted'),
        times(phrase('shared'), 'shared'),
        times(phrase('expired'), 'expired'),
        times(phrase('corrected'), 'corrected'),
        times(phrase('headUsed'), 'used'),
        times(phrase('drawn'), 'drawn'),
        times(phrase('headReserved'), 'reserved'),
        {
          head: phrase('jobs'),
          cell: ({ jobs_ended: jobs }) => writeNumber(jobs),
          class: 'number',
        },
        times(phrase('headClosing'), 'closing'),
      ]}
    />
  );
}

type Sum = Omit<StatementRow, 'user'> & { readonly user?: string | null | undefined };

function nameAccount({ user, name }: Sum) {
  if (user === undefined) return <strong>{phrase('all')}</strong>;
  return (
    <>
      {user ?? phrase('budget')}
      <UserName name={name} />
    </>
  );
}

/** Writes `19 November 2026 at 18:00`, in the reader's time zone, as a letter would. */
export function writeUntil(moment: string): string {
  const { days } = currentLanguage();
  return new Date(moment).toLocaleString(days, { dateStyle: 'long', timeStyle: 'short' });
}

const partNames = {
  opening: () => phrase('opening'),
  granted: () => phrase('granted'),
  expired: () => phrase('expired'),
  corrected: () => phrase('corrected'),
  used: () => phrase('used'),
  reserved: () => phrase('reserved'),
  closing: () => phrase('closing'),
};

type StatementRow = Statement['rows'][number];

/** The amounts of a row. */
type StatementTime = Exclude<keyof StatementRow, 'user' | 'name' | 'jobs_ended'>;

const shownMonths = 36;

/** Lists this month and those before it, the newest first. */
export function listMonths(now: Date): readonly string[] {
  const [year, month] = [now.getUTCFullYear(), now.getUTCMonth()];
  return Array.from({ length: shownMonths }, (_, back) =>
    new Date(Date.UTC(year, month - back)).toISOString().slice(0, 7),
  );
}

/** What changes a balance, with its sign. */
const lines = [
  ['opening', 1],
  ['granted', 1],
  ['expired', -1],
  ['corrected', 1],
  ['used', -1],
  ['reserved', -1],
  ['closing', 1],
] as const;

const alwaysShown: readonly string[] = ['opening', 'granted', 'used', 'closing'];

/** Returns the lines from the opening to the closing balance, which add up from top to bottom. */
export function statementLines(statement: Statement) {
  return lines
    .map(([part, sign]) => ({
      part,
      sign,
      time: sign * statement[part].time || 0,
      space: sign * statement[part].space || 0,
    }))
    .filter(({ part, time, space }) => alwaysShown.includes(part) || time !== 0 || space !== 0);
}
