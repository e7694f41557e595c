import { useState } from 'preact/hooks';
import { removeWithJobs } from '#client/src/changes/remove-with-jobs.ts';
import { writeDay } from '#client/src/format/day.ts';
import { writeSizeLeft } from '#client/src/format/size.ts';
import type { Quota } from '#client/src/index.ts';
import { adminAddress, systemOf, withQuery } from '../../browser/routes.ts';
import type { Session } from '../../connection/session.ts';
import { type Catalog, chargingOf, useCatalog } from '../../connection/use-catalog.ts';
import { clock } from '../../live/clock.ts';
import { useLive } from '../../live/use-live.ts';
import { Empty, Waiting } from '../../parts/empty.tsx';
import { TextField } from '../../parts/fields.tsx';
import { ProblemNote } from '../../parts/problem-note.tsx';
import { describeTime } from '../../quotas/describe-quota.ts';
import { QuotaRemarks, QuotaTime } from '../../quotas/quota-card.tsx';
import { ActDialog } from '../parts/act-dialog.tsx';
import { readEnd } from '../parts/read-end.ts';
import { BanDialog } from './bans-of-person.tsx';

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

type QuotaAct = 'prolong' | 'ban' | 'remove';

interface QuotaOfPersonProps {
  readonly quota: Quota;
  readonly catalog: Catalog | undefined;
  readonly onAct: (act: QuotaAct) => void;
}

/** What somebody has in a project, and what can be done about it. */
function QuotaOfPerson({ quota, catalog, onAct }: QuotaOfPersonProps) {
  const { user, project_name: project, usage } = quota;
  const place = `${systemOf(quota)}/${project}`;
  return (
    <article class="card">
      <header>
        <h3>
          <a href={adminAddress.project(quota)}>{project}</a>
        </h3>
        <span class="quiet">{systemOf(quota)}</span>
      </header>
      <QuotaTime quota={quota} catalog={catalog} />
      <p class="quiet">
        {writeSizeLeft(quota.space_left * 1000)} of space left
        {usage && `, ${usage.living_jobs} living ${usage.living_jobs === 1 ? 'job' : 'jobs'}`}
      </p>
      {usage && usage.banned !== null && <p class="warning">Banned: {usage.banned}</p>}
      <QuotaRemarks quota={quota} catalog={catalog} />
      <p class="line">
        <a href={withQuery(adminAddress.grants, { user, place })}>Give</a>
        <a href={withQuery(adminAddress.grants, { user, place, verb: 'take' })}>Take away</a>
        <a href={adminAddress.ledger(user, quota)}>Ledger</a>
        <button type="button" class="plain" onClick={() => onAct('prolong')}>
          Prolong …
        </button>
        {usage?.banned === null && (
          <button type="button" class="plain" onClick={() => onAct('ban')}>
            Ban here …
          </button>
        )}
        <button type="button" class="plain" onClick={() => onAct('remove')}>
          Remove …
        </button>
      </p>
    </article>
  );
}

interface ProlongDialogProps {
  readonly session: Session;
  readonly quota: Quota;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

function ProlongDialog({ session, quota, onDone, onClose }: ProlongDialogProps) {
  const { user, project_name: project, usage } = quota;
  const [until, setUntil] = useState('');
  const { end, problem } = readEnd(until, clock.value);
  const wrong = problem ?? (end === undefined ? 'Say until when, or never for no end.' : undefined);
  return (
    <ActDialog
      title={`Until when may ${user} use ${project}?`}
      act="Set it"
      problems={new Map(wrong === undefined ? [] : [['valid_until', wrong]])}
      onClose={onClose}
      onAct={async (reason) => {
        await session.service.grantQuota({
          user_id: user,
          hpc: systemOf(quota),
          project_name: project,
          body: { reason, ...(end !== undefined && { valid_until: end }) },
        });
        onDone();
        return 'The end is set.';
      }}
    >
      {(problems) => (
        <>
          <p>
            {usage && usage.valid_until !== null
              ? `Now it ends on ${writeDay(usage.valid_until)}.`
              : 'Now it has no end.'}{' '}
            After its last day nothing can be submitted, and what is left is taken back.
          </p>
          <TextField
            label="Last day"
            hint={end ? writeDay(end) : '31 March, 3 months, or never'}
            error={problems.get('valid_until')}
            value={until}
            onValue={setUntil}
          />
        </>
      )}
    </ActDialog>
  );
}

interface RemoveDialogProps {
  readonly session: Session;
  readonly quota: Quota;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

function RemoveDialog({ session, quota, onDone, onClose }: RemoveDialogProps) {
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
