import { type AdminPage, adminAddress } from '../../browser/address.ts';
import { Empty } from '../../parts/loading.tsx';
import { LedgerTable } from '../../quotas/ledger-table.tsx';
import { ListOf, usePages } from '../parts/list-of.tsx';

/** Shows a user's ledger, which stays after the quota is removed. */
export function LedgerOfPersonPage({ at }: { readonly at: AdminPage & { name: 'ledger' } }) {
  const { user, hpc, project } = at;
  const pages = usePages(`ledger of ${user} ${hpc} ${project}`, (service, signal) =>
    service.readLedgerOfUser({ user_id: user, hpc, project_name: project }, { signal }),
  );
  return (
    <>
      <header>
        <p class="quiet">
          <a href={adminAddress.people}>People</a> · <a href={adminAddress.person(user)}>{user}</a>{' '}
          · {hpc}
        </p>
        <h1>{project}</h1>
      </header>
      <ListOf
        pages={pages}
        empty={<Empty title="The ledger is empty.">{user} never had a quota here.</Empty>}
      >
        {(lines) => (
          <LedgerTable lines={lines} at={{ hpc, project }} jobAddress={adminAddress.job} />
        )}
      </ListOf>
    </>
  );
}
