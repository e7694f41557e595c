import { headUnit, writeLedger, writeSize } from '#client/src/format/amounts/amounts.ts';
import { writeShortId } from '#client/src/format/jobs/write-short-id.ts';
import { describeReason } from '#client/src/format/quotas/describe-reason.ts';
import { tell } from '#client/src/format/sentences/tell.ts';
import type { LedgerLine } from '#client/src/index.ts';
import { term } from '#client/src/words/terms.ts';
import { addressOf, type ProjectPlace } from '../browser/address.ts';
import { pageNames } from '../browser/page-names.ts';
import { chargingOf } from '../live/catalog.ts';
import { Moment } from '../parts/moment.tsx';
import { Table } from '../parts/table.tsx';
import { phrase } from './words.ts';

interface LedgerTableProps {
  readonly lines: readonly LedgerLine[];
  readonly at: ProjectPlace;
  readonly jobAddress?: typeof addressOf.job;
}

export function LedgerTable({ lines, at, jobAddress = addressOf.job }: LedgerTableProps) {
  const charging = chargingOf(at.hpc.toUpperCase());
  const write = writeLedger(lines);
  const place = { project_hpc: at.hpc, project_name: at.project };
  return (
    <Table
      folds
      rows={lines}
      keyOf={(line) => `${line.at}${line.kind}${line.job_id}`}
      columns={[
        { head: phrase('when'), cell: (line) => <Moment at={line.at} /> },
        { head: phrase('kind'), cell: ({ kind }) => term(kind) },
        // Only lines of a budget name the members that they are about.
        lines.some(({ user }) => user !== undefined) && {
          head: phrase('member'),
          cell: ({ user }) => user,
        },
        {
          head: headUnit(charging),
          cell: (line) => write(line).change,
          title: ({ time }) => phrase('seconds', { count: time }),
          class: 'number',
        },
        {
          head: phrase('remaining'),
          cell: (line) => write(line).after,
          title: (line) => phrase('seconds', { count: line.time_left }),
          class: 'number',
        },
        {
          head: phrase('space'),
          cell: ({ space }) => space !== 0 && `${sign(space)}${writeSize(space * 1000)}`,
          title: ({ space }) => phrase('kilobytes', { count: space }),
          class: 'number',
        },
        {
          head: phrase('reason'),
          cell: (line) => (
            <>
              {describeReason(line, charging, { withId: false })}{' '}
              <span class="quiet">({line.by})</span>
            </>
          ),
          title: ({ reason }) => tell(reason),
        },
        lines.some(({ job_id: id }) => id !== null) && {
          head: pageNames.job(),
          cell: ({ job_id: id }: LedgerLine) =>
            id !== null && (
              <a href={jobAddress({ ...place, job_id: id })}>
                <code>{writeShortId(id)}</code>
              </a>
            ),
        },
      ]}
    />
  );
}

function sign(amount: number): string {
  return amount > 0 ? '+' : '';
}
