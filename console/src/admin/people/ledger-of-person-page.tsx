import {
  accountAt,
  adminAddress,
  ledAddress,
  type ProjectPlace,
  withQuery,
} from '../../browser/address.ts';
import { pageNames } from '../../browser/page-names.ts';
import { useSession } from '../../connection/session.ts';
import { Empty } from '../../parts/loading.tsx';
import { LedgerTable } from '../../quotas/ledger-table.tsx';
import { ListOf, usePages } from '../parts/list-of.tsx';
import { ProjectTrail } from '../parts/project-trail.tsx';
import { useLinks } from '../parts/use-links.ts';
import { phrase } from './words.ts';

/** Shows a user's ledger, which stays after the quota is removed. */
export function LedgerOfPersonPage({ at }: { readonly at: ProjectPlace & { user: string } }) {
  const { user, hpc, project } = at;
  const pages = usePages(`ledger of ${user} ${hpc} ${project}`, (service, signal) =>
    service.readLedgerOfUser({ user_id: user, hpc, project_name: project }, { signal }),
  );
  const { administrator } = useSession();
  const links = useLinks();
  const account = accountAt(at);
  return (
    <>
      {administrator ? (
        <header>
          <p class="quiet">
            <a href={adminAddress.people}>{pageNames.people()}</a> ·{' '}
            <a href={adminAddress.person(user)}>{user}</a> · {hpc}
          </p>
          <h1>{project}</h1>
        </header>
      ) : (
        <header>
          <ProjectTrail at={at} />
          <h1>{user}</h1>
          <p class="line">
            <a href={withQuery(ledAddress.jobs(account), { user })}>{phrase('jobs')}</a>
            <a href={withQuery(ledAddress.report(account), { by: 'day', user })}>
              {phrase('usage')}
            </a>
          </p>
        </header>
      )}
      <ListOf
        pages={pages}
        empty={<Empty title={phrase('ledgerEmpty')}>{phrase('neverHadQuota', { user })}</Empty>}
      >
        {(lines) => <LedgerTable lines={lines} at={{ hpc, project }} jobAddress={links.job} />}
      </ListOf>
    </>
  );
}
