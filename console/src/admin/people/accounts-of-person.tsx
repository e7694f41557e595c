import { useState } from 'preact/hooks';
import type { Account } from '#client/src/index.ts';
import { systemNames } from '../../live/catalog.ts';
import { useLive } from '../../live/use-live.ts';
import { Button, PlainButton, SystemField, TextField } from '../../parts/form.tsx';
import { Loading } from '../../parts/loading.tsx';
import { ActDialog, type Behind } from '../parts/act-dialog.tsx';
import { useDraft } from '../parts/quota-fields.tsx';
import { phrase } from './words.ts';

interface AccountsOfPersonProps {
  readonly user: string;
  readonly onChanged: () => void;
}

/** Shows the user's own accounts on systems where each job runs as its owner. */
export function AccountsOfPerson({ user, onChanged }: AccountsOfPersonProps) {
  const { value, error, refresh } = useLive(`accounts of ${user}`, (service, signal) =>
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
      <h2 id="accounts-title">{phrase('accounts')}</h2>
      <Loading value={value} error={error} refresh={refresh} rows={1} />
      {value?.length === 0 && <p class="quiet">{phrase('noAccounts', { user })}</p>}
      {value?.map((account) => (
        <p key={account.hpc} class="line">
          <span>
            {account.hpc}: <code>{account.account}</code>
          </span>
          <PlainButton onClick={() => setRemoving(account)}>
            {phrase('removeAccountAsk')}
          </PlainButton>
        </p>
      ))}
      <p>
        <Button onClick={() => setEntering(true)}>{phrase('addAccountAsk')}</Button>
      </p>
      {entering && (
        <AccountDialog user={user} onDone={changed} onClose={() => setEntering(false)} />
      )}
      {removing && (
        <ActDialog
          title={phrase('removeAccountOn', removing)}
          act={phrase('removeAccount')}
          danger
          onAct={(service, reason) =>
            service.unmapAccount({ user_id: user, hpc: removing.hpc, body: { reason } })
          }
          done={phrase('accountRemoved')}
          onDone={changed}
          onClose={() => setRemoving(undefined)}
        >
          <p>{phrase('removeAccountMeans', { user, hpc: removing.hpc })}</p>
        </ActDialog>
      )}
    </section>
  );
}

function AccountDialog({ user, ...behind }: Behind & { readonly user: string }) {
  const systems = systemNames();
  const [chosen, setChosen] = useState('');
  const { draft, field } = useDraft({ account: '' });
  const account = draft.account.trim();
  const hpc = chosen === '' ? (systems[0] ?? '') : chosen;
  return (
    <ActDialog
      title={phrase('addAccountFor', { user })}
      act={phrase('saveAccount')}
      problems={new Map(account === '' ? [['account', phrase('enterAccount')]] : [])}
      onAct={(service, reason) =>
        service.mapAccount({ user_id: user, hpc, body: { account, reason } })
      }
      done={phrase('accountSaved')}
      {...behind}
    >
      {(wrong) => (
        <>
          <p>{phrase('addAccountMeans')}</p>
          <div class="fields two">
            <SystemField systems={systems} value={hpc} onValue={setChosen} />
            <TextField
              label={phrase('account')}
              hint={phrase('accountHint')}
              {...field('account', wrong)}
            />
          </div>
        </>
      )}
    </ActDialog>
  );
}
