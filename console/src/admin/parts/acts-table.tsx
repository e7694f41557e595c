import { describeChange } from '#client/src/changes/describe-change.ts';
import { writeShortId } from '#client/src/format/write-short-id.ts';
import type { Act } from '#client/src/index.ts';
import { adminAddress } from '../../browser/routes.ts';
import { type Catalog, chargingOf } from '../../connection/use-catalog.ts';
import { Moment } from '../../parts/moment.tsx';

interface ActsTableProps {
  readonly acts: readonly Act[];
  readonly catalog: Catalog | undefined;
  /** The user whose page it is on. Their number is not repeated in every row. */
  readonly of?: string;
}

export function ActsTable({ acts, catalog, of }: ActsTableProps) {
  return (
    <div class="scrolls">
      <table>
        <thead>
          <tr>
            <th>When</th>
            <th>Act</th>
            {of === undefined && <th>User</th>}
            <th>Project</th>
            <th>Change</th>
            <th>Reason</th>
            <th>By</th>
          </tr>
        </thead>
        <tbody>
          {acts.map((act) => (
            <tr key={act.act_id}>
              <td>
                <Moment at={act.at} />
              </td>
              <td class="one-line">{act.kind.replaceAll('-', ' ')}</td>
              {of === undefined && (
                <td>
                  {act.user !== null && <a href={adminAddress.person(act.user)}>{act.user}</a>}
                </td>
              )}
              <td>{act.project_name ?? act.project_hpc?.toLowerCase() ?? ''}</td>
              <td class="words">
                <ChangeOf act={act} catalog={catalog} />
              </td>
              <td class="words">{act.reason}</td>
              <td>{act.by}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function ChangeOf({ act, catalog }: { readonly act: Act; readonly catalog: Catalog | undefined }) {
  const { job_id: id, project_hpc: hpc, project_name: project } = act;
  if (id !== null && hpc !== null && project !== null) {
    return (
      <a href={adminAddress.job({ project_hpc: hpc, project_name: project, job_id: id })}>
        <code>{writeShortId(id)}</code>
      </a>
    );
  }
  return <>{describeChange(act.details, chargingOf(catalog, hpc ?? ''))}</>;
}
