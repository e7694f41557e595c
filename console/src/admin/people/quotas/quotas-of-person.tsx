import { useState } from 'preact/hooks';
import type { Quota } from '#client/src/index.ts';
import { withQuery } from '../../../address/address-of.ts';
import { adminAddress } from '../../../address/admin-address.ts';
import { systemOf } from '../../../address/system-of.ts';
import type { Session } from '../../../connection/session.ts';
import type { Catalog } from '../../../connection/use-catalog.ts';
import { useLive } from '../../../live/use-live.ts';
import { Empty } from '../../../parts/empty.tsx';
import { ProblemNote } from '../../../parts/problem-note.tsx';
import { Waiting } from '../../../parts/waiting.tsx';
import { BanDialog } from '../bans/ban-dialog.tsx';
import { ProlongDialog } from './prolong-dialog.tsx';
import { type QuotaAct, QuotaOfPerson } from './quota-of-person.tsx';
import { RemoveDialog } from './remove-dialog.tsx';

interface QuotasOfPersonProps {
  readonly session: Session;
  readonly user: string;
  readonly catalog: Catalog | undefined;
  readonly onChanged: () => void;
}

export function QuotasOfPerson({ session, user, catalog, onChanged }: QuotasOfPersonProps) {
  const { value, error, refresh } = useLive(`quotas of ${user}`, (signal) =>
    session.service.listQuotasOfUser({ user_id: user, expand: 'usage' }, { signal }),
  );
  const [acting, setActing] = useState<{ readonly act: QuotaAct; readonly quota: Quota }>();
  const dialog = {
    onDone: () => {
      refresh();
      onChanged();
    },
    onClose: () => setActing(undefined),
  };
  return (
    <section aria-labelledby="quotas-title">
      <h2 id="quotas-title">Quotas</h2>
      {error !== undefined && <ProblemNote error={error} onRetry={refresh} />}
      {!value && error === undefined && <Waiting rows={2} />}
      {value?.length === 0 && (
        <Empty title="No quota.">
          <a href={withQuery(adminAddress.grants, { user })}>Give one</a>, and {user} can submit.
        </Empty>
      )}
      <div class="cards">
        {value?.map((quota) => (
          <QuotaOfPerson
            key={quota.id}
            quota={quota}
            catalog={catalog}
            onAct={(act) => setActing({ act, quota })}
          />
        ))}
      </div>
      {acting?.act === 'prolong' && (
        <ProlongDialog session={session} quota={acting.quota} {...dialog} />
      )}
      {acting?.act === 'remove' && (
        <RemoveDialog session={session} quota={acting.quota} {...dialog} />
      )}
      {acting?.act === 'ban' && (
        <BanDialog
          user={user}
          where={`to ${acting.quota.project_name}`}
          onClose={dialog.onClose}
          onBan={async (reason) => {
            const { quota } = acting;
            const place = { hpc: systemOf(quota), project_name: quota.project_name };
            await session.service.banUser({ user_id: user, ...place, body: { reason } });
            dialog.onDone();
          }}
        />
      )}
    </section>
  );
}
