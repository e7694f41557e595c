import { useState } from 'preact/hooks';
import type { Account } from '#client/src/index.ts';
import type { Session } from '../../../connection/session.ts';
import type { Catalog } from '../../../connection/use-catalog.ts';
import { useLive } from '../../../live/use-live.ts';
import { ProblemNote } from '../../../parts/problem-note.tsx';
import { Waiting } from '../../../parts/waiting.tsx';
import { ActDialog } from '../../act/act-dialog.tsx';
import { AccountDialog } from './account-dialog.tsx';

interface AccountsOfPersonProps {
  readonly session: Session;
  readonly user: string;
  readonly catalog: Catalog | undefined;
  readonly onChanged: () => void;
}

/** As whom their jobs run, on systems where each job runs as its owner. */
export function AccountsOfPerson({ session, user, catalog, onChanged }: AccountsOfPersonProps) {
  const { service } = session;
  const { value, error, refresh } = useLive(`accounts of ${user}`, (signal) =>
    service.listAccounts({ user_id: user }, { signal }),
  );
  const [entering, setEntering] = useState(false);
  const [removing, setRemoving] = useState<Account>();
  const changed = () => {
    refresh();
    onChanged();
  };
  return (
    <section aria-labelledby="accounts-title">
      <h2 id="accounts-title">Accounts on systems</h2>
      {error !== undefined && <ProblemNote error={error} onRetry={refresh} />}
      {!value && error === undefined && <Waiting rows={1} />}
      {value?.length === 0 && (
        <p class="quiet">
          None. Systems where all jobs run as the service need none; on others {user} cannot submit
          without one.
        </p>
      )}
      {value?.map((account) => (
        <p key={account.hpc} class="line">
          <span>
            {account.hpc}: <code>{account.account}</code>
          </span>
          <button type="button" class="plain" onClick={() => setRemoving(account)}>
            Take back …
          </button>
        </p>
      ))}
      <p>
        <button type="button" onClick={() => setEntering(true)}>
          Enter an account …
        </button>
      </p>
      {entering && (
        <AccountDialog
          session={session}
          user={user}
          systems={catalog?.systems.map(({ name }) => name) ?? []}
          onDone={changed}
          onClose={() => setEntering(false)}
        />
      )}
      {removing && (
        <ActDialog
          title={`Take back ${removing.account} on ${removing.hpc}?`}
          act="Take it back"
          danger
          onClose={() => setRemoving(undefined)}
          onAct={async (reason) => {
            await service.unmapAccount({ user_id: user, hpc: removing.hpc, body: { reason } });
            changed();
            return 'The account is taken back.';
          }}
        >
          {() => (
            <p>
              {user} cannot submit to {removing.hpc} until another one is entered. Jobs that were
              submitted before keep it.
            </p>
          )}
        </ActDialog>
      )}
    </section>
  );
}
