import { useState } from 'preact/hooks';
import type { Account } from '#client/src/index.ts';
import type { Session } from '../../connection/session.ts';
import type { Catalog } from '../../connection/use-catalog.ts';
import { useLive } from '../../live/use-live.ts';
import { Waiting } from '../../parts/empty.tsx';
import { SystemField, TextField } from '../../parts/fields.tsx';
import { ProblemNote } from '../../parts/problem-note.tsx';
import { ActDialog } from '../parts/act-dialog.tsx';

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

interface AccountDialogProps {
  readonly session: Session;
  readonly user: string;
  readonly systems: readonly string[];
  readonly onDone: () => void;
  readonly onClose: () => void;
}

function AccountDialog({ session, user, systems, onDone, onClose }: AccountDialogProps) {
  const [chosen, setChosen] = useState('');
  const [account, setAccount] = useState('');
  const hpc = chosen === '' ? (systems[0] ?? '') : chosen;
  const problems = new Map<string, string>();
  if (account.trim() === '') problems.set('account', 'Write the user name on the system.');
  return (
    <ActDialog
      title={`As whom do jobs of ${user} run?`}
      act="Enter it"
      problems={problems}
      onClose={onClose}
      onAct={async (reason) => {
        const body = { account: account.trim(), reason };
        await session.service.mapAccount({ user_id: user, hpc, body });
        onDone();
        return 'The account is entered.';
      }}
    >
      {(wrong) => (
        <>
          <p>It holds for what is submitted from now on; an account that was there is replaced.</p>
          <div class="fields two">
            <SystemField systems={systems} value={hpc} onValue={setChosen} />
            <TextField
              label="Account"
              hint="a user name there, such as ada"
              error={wrong.get('account')}
              value={account}
              onValue={setAccount}
            />
          </div>
        </>
      )}
    </ActDialog>
  );
}
