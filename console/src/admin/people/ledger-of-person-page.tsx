import { adminAddress } from '../../browser/routes.ts';
import type { Session } from '../../connection/session.ts';
import { chargingOf, useCatalog } from '../../connection/use-catalog.ts';
import { Empty } from '../../parts/loading.tsx';
import { LedgerTable } from '../../quotas/ledger-table.tsx';
import { ListOf, usePages } from '../parts/list-of.tsx';

interface LedgerOfPersonPageProps {
  readonly session: Session;
  readonly at: { readonly user: string; readonly hpc: string; readonly project: string };
}

/** Shows a user's ledger, which stays after the quota is removed. */
export function LedgerOfPersonPage({ session, at }: LedgerOfPersonPageProps) {
  const { user, hpc, project } = at;
  const charging = chargingOf(useCatalog(session), hpc.toUpperCase());
  const pages = usePages(`ledger of ${user} ${hpc} ${project}`, (signal) =>
    session.service.readLedgerOfUser({ user_id: user, hpc, project_name: project }, { signal }),
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
          <LedgerTable
            lines={lines}
            charging={charging}
            at={{ hpc, project }}
            jobAddress={adminAddress.job}
          />
        )}
      </ListOf>
    </>
  );
}
