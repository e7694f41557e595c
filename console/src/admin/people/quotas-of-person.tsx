import { useState } from 'preact/hooks';
import { given } from '#client/src/calls/given.ts';
import { removeWithJobs } from '#client/src/changes/remove-with-jobs.ts';
import { writeCount } from '#client/src/format/numbers/write-number.ts';
import { endsEarlier } from '#client/src/format/quotas/read-grant.ts';
import { writeDay } from '#client/src/format/times/day.ts';
import type { Quota } from '#client/src/index.ts';
import { adminAddress, systemOf, withQuery } from '../../browser/address.ts';
import { pageNames } from '../../browser/page-names.ts';
import { useSession } from '../../connection/session.ts';
import { chargingOf } from '../../live/catalog.ts';
import { clock } from '../../live/clock.ts';
import { useLive } from '../../live/use-live.ts';
import { echoDay } from '../../parts/echo.ts';
import { Button, PlainButton, Switch, TextField } from '../../parts/form.tsx';
import { Empty, Loading } from '../../parts/loading.tsx';
import { describeTime } from '../../quotas/describe-quota.ts';
import { describeSpace, QuotaTime } from '../../quotas/quota-card.tsx';
import { QuotaRemarks } from '../../quotas/quota-remarks.tsx';
import { ActDialog, type Behind } from '../parts/act-dialog.tsx';
import { placeOf } from '../parts/place-of.ts';
import { useDraft } from '../parts/quota-fields.tsx';
import { readUntil } from '../parts/read-fields.ts';
import { BanDialog } from './bans-of-person.tsx';
import { RenewDialog } from './renew-dialog.tsx';
import { phrase, rich } from './words.ts';

interface QuotasOfPersonProps {
  readonly user: string;
  readonly onChanged: () => void;
}

export function QuotasOfPerson({ user, onChanged }: QuotasOfPersonProps) {
  const { value, error, refresh } = useLive(`quotas of ${user}`, (service, signal) =>
    service.listQuotasOfUser({ user_id: user, expand: 'usage' }, { signal }),
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
      <h2 id="quotas-title">{pageNames.quotas()}</h2>
      <Loading value={value} error={error} refresh={refresh} rows={2} />
      {value?.length === 0 && (
        <Empty title={phrase('noQuotas')}>
          {rich('giveSoThat', {
            give: <a href={withQuery(adminAddress.grants, { user })}>{phrase('giveQuota')}</a>,
            user,
          })}
        </Empty>
      )}
      <div class="cards">
        {value?.map((quota) => (
          <QuotaOfPerson key={quota.id} quota={quota} onAct={(act) => setActing({ act, quota })} />
        ))}
      </div>
      {acting?.act === 'extend' && <ExtendDialog quota={acting.quota} {...dialog} />}
      {acting?.act === 'renew' && <RenewDialog quota={acting.quota} {...dialog} />}
      {acting?.act === 'remove' && <RemoveDialog quota={acting.quota} {...dialog} />}
      {acting?.act === 'ban' && <BanDialog user={user} place={placeOf(acting.quota)} {...dialog} />}
    </section>
  );
}

type QuotaAct = 'extend' | 'renew' | 'ban' | 'remove';

interface QuotaOfPersonProps {
  readonly quota: Quota;
  readonly onAct: (act: QuotaAct) => void;
}

function QuotaOfPerson({ quota, onAct }: QuotaOfPersonProps) {
  const { user, project_name: project, usage } = quota;
  const place = `${systemOf(quota)}/${project}`;
  const size = describeSpace(quota);
  return (
    <article class="card">
      <header>
        <h3>
          <a href={adminAddress.project(quota)}>{project}</a>
        </h3>
        <span class="quiet">{systemOf(quota)}</span>
      </header>
      <QuotaTime quota={quota} />
      <p class="quiet">
        {usage
          ? phrase('spaceLeftAndJobs', { size, jobs: writeCount(usage.living_jobs, 'active job') })
          : phrase('spaceLeft', { size })}
      </p>
      {usage && usage.banned !== null && (
        <p class="warning">{phrase('banned', { reason: usage.banned })}</p>
      )}
      <QuotaRemarks quota={quota} />
      <p class="line">
        <a href={withQuery(adminAddress.grants, { user, place })}>{phrase('giveMore')}</a>
        <a href={withQuery(adminAddress.grants, { user, place, verb: 'take' })}>
          {phrase('takeAway')}
        </a>
        <a href={adminAddress.ledger(user, quota)}>{phrase('ledger')}</a>
        <PlainButton onClick={() => onAct('extend')}>{phrase('extendAsk')}</PlainButton>
        <PlainButton onClick={() => onAct('renew')}>{phrase('renewalAsk')}</PlainButton>
      </p>
      <details class="dangers">
        <summary>{phrase('banOrRemove')}</summary>
        <p class="line">
          {usage?.banned === null && (
            <Button class="danger" onClick={() => onAct('ban')}>
              {phrase('banHereAsk')}
            </Button>
          )}
          <Button class="danger" onClick={() => onAct('remove')}>
            {phrase('removeQuotaAsk')}
          </Button>
        </p>
      </details>
    </article>
  );
}

interface QuotaDialogProps extends Behind {
  readonly quota: Quota;
}

export function ExtendDialog({ quota, ...behind }: QuotaDialogProps) {
  const { user, project_name: project, usage } = quota;
  const { draft, field } = useDraft({ until: '' });
  const { end, problem } = readUntil(draft.until, clock.value);
  const missing = end === undefined ? (problem ?? phrase('enterEnd')) : undefined;
  return (
    <ActDialog
      title={phrase('extendQuota', { user, project })}
      act={phrase('setEnd')}
      problems={new Map(missing === undefined ? [] : [['valid_until', missing]])}
      onAct={(service, reason) => {
        const body = { reason, ...given({ valid_until: end }) };
        return service.grantQuota({ user_id: user, ...placeOf(quota), body });
      }}
      done={phrase('endSet')}
      {...behind}
    >
      {(wrong) => (
        <>
          <p>
            {usage && usage.valid_until !== null
              ? phrase('endsOn', { day: writeDay(usage.valid_until) })
              : phrase('noEnd')}{' '}
            {phrase('afterLastDay')}
          </p>
          <TextField
            label={phrase('lastDay')}
            hint={
              echoDay(draft.until, clock.value) ?? (end ? writeDay(end) : phrase('lastDayHint'))
            }
            {...field('until', wrong, 'valid_until')}
          />
          {end !== undefined && usage && endsEarlier(end, usage) && (
            <p class="warning" role="status">
              {phrase('endsEarlier')}
            </p>
          )}
        </>
      )}
    </ActDialog>
  );
}

export function RemoveDialog({ quota, ...behind }: QuotaDialogProps) {
  const { user, project_name: project, usage } = quota;
  const [withJobs, setWithJobs] = useState(false);
  const { administrator } = useSession();
  const active = usage?.living_jobs ?? 0;
  const time = describeTime(quota, chargingOf(quota.project_hpc));
  return (
    <ActDialog
      title={phrase('removeThisQuota', { user, project })}
      act={withJobs ? phrase('removeQuotaAndJobs') : phrase('removeQuota')}
      danger
      onAct={(service, reason) => {
        const removal = { user_id: user, ...placeOf(quota), body: { reason } };
        return withJobs ? removeWithJobs(service, removal) : service.removeQuota(removal);
      }}
      done={phrase('quotaRemoved')}
      {...behind}
    >
      <p>
        {administrator
          ? phrase('removeQuotaMeans', { user, time })
          : phrase('removeShareMeans', { user, time })}
      </p>
      <Switch on={withJobs} onSwitch={setWithJobs}>
        {active > 0
          ? phrase('alsoRemoveJobs', { jobs: writeCount(active, 'active job') })
          : phrase('alsoRemoveEnded')}
      </Switch>
    </ActDialog>
  );
}
