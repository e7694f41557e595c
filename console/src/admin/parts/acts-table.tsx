import type { ComponentChildren } from 'preact';
import { describeChange } from '#client/src/changes/describe-change.ts';
import { writeShortId } from '#client/src/format/jobs/write-short-id.ts';
import type { Act } from '#client/src/index.ts';
import { term } from '#client/src/words/terms.ts';
import { adminAddress } from '../../browser/address.ts';
import { chargingOf } from '../../live/catalog.ts';
import { Moment } from '../../parts/moment.tsx';
import { Table } from '../../parts/table.tsx';
import { UserName } from './user-name.tsx';
import { phrase } from './words.ts';

interface ActsTableProps {
  readonly acts: readonly Act[];
  /** The user whose page it is on. Their number is not repeated in every row. */
  readonly of?: string;
}

export function ActsTable({ acts, of }: ActsTableProps) {
  return (
    <Table
      folds
      rows={acts}
      keyOf={(act) => act.act_id}
      columns={[
        { head: phrase('when'), cell: ({ at }) => <Moment at={at} /> },
        { head: phrase('act'), cell: ({ kind }) => term(kind), class: 'one-line' },
        of === undefined && {
          head: phrase('user'),
          cell: ({ user, name }) =>
            user !== null && (
              <>
                <a href={adminAddress.person(user)}>{user}</a>
                <UserName name={name} />
              </>
            ),
          class: 'person',
        },
        {
          head: phrase('project'),
          cell: (act) => act.project_name ?? act.project_hpc?.toLowerCase(),
        },
        { head: phrase('change'), cell: writeChange, class: 'words' },
        { head: phrase('reason'), cell: ({ reason }) => reason, class: 'words' },
        {
          head: phrase('by'),
          cell: ({ by, by_name: name }) => (
            <>
              {by}
              <UserName name={name} />
            </>
          ),
          class: 'person',
        },
      ]}
    />
  );
}

function writeChange(act: Act): ComponentChildren {
  const { job_id: id, project_hpc: hpc, project_name: project } = act;
  if (id !== null && hpc !== null && project !== null) {
    return (
      <a href={adminAddress.job({ project_hpc: hpc, project_name: project, job_id: id })}>
        <code>{writeShortId(id)}</code>
      </a>
    );
  }
  return describeChange(act.details, chargingOf(hpc ?? ''));
}
