import { useState } from 'preact/hooks';
import type { Session } from '../../../connection/session.ts';
import { ActDialog } from '../../act/act-dialog.tsx';
import { SystemField } from '../../act/system-field.tsx';
import { TextField } from '../../act/text-field.tsx';

interface AccountDialogProps {
  readonly session: Session;
  readonly user: string;
  readonly systems: readonly string[];
  readonly onDone: () => void;
  readonly onClose: () => void;
}

export function AccountDialog({ session, user, systems, onDone, onClose }: AccountDialogProps) {
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
