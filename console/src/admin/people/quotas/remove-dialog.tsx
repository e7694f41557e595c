import { useState } from 'preact/hooks';
import { removeWithJobs } from '#client/src/changes/remove-with-jobs.ts';
import type { Quota } from '#client/src/index.ts';
import { systemOf } from '../../../address/system-of.ts';
import type { Session } from '../../../connection/session.ts';
import { chargingOf, useCatalog } from '../../../connection/use-catalog.ts';
import { describeTime } from '../../../quotas/describe-quota.ts';
import { ActDialog } from '../../act/act-dialog.tsx';

interface RemoveDialogProps {
  readonly session: Session;
  readonly quota: Quota;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

export function RemoveDialog({ session, quota, onDone, onClose }: RemoveDialogProps) {
  const { user, project_hpc: hpc, project_name: project, usage } = quota;
  const charging = chargingOf(useCatalog(session), hpc);
  const [withJobs, setWithJobs] = useState(false);
  const living = usage?.living_jobs ?? 0;
  return (
    <ActDialog
      title={`Remove the quota of ${user} in ${project}?`}
      act={withJobs ? 'Remove it with its jobs' : 'Remove it'}
      danger
      onClose={onClose}
      onAct={async (reason) => {
        const place = { user_id: user, hpc: systemOf(quota), project_name: project };
        const removal = { ...place, body: { reason } };
        if (withJobs) await removeWithJobs(session.service, removal);
        else await session.service.removeQuota(removal);
        onDone();
        return 'The quota is removed.';
      }}
    >
      {() => (
        <>
          <p>
            {user} cannot submit there any more, and what is left is gone. Now:{' '}
            {describeTime(quota, charging)}. The ledger stays. While jobs need the quota it is not
            removed, unless they go with it.
          </p>
          <label class="inline">
            <input
              type="checkbox"
              checked={withJobs}
              onChange={({ currentTarget }) => setWithJobs(currentTarget.checked)}
            />
            With its jobs: {living} living {living === 1 ? 'is' : 'are'} cancelled, and all ended
            ones deleted with their files
          </label>
        </>
      )}
    </ActDialog>
  );
}
