import { writeDay } from '#client/src/format/write-day.ts';
import { writeNodeTime } from '#client/src/format/write-node-time.ts';
import { writeSize } from '#client/src/format/write-size.ts';
import type { Quota } from '#client/src/index.ts';
import { withQuery } from '../../../address/address-of.ts';
import { adminAddress } from '../../../address/admin-address.ts';
import { type Catalog, chargingOf } from '../../../connection/use-catalog.ts';
import { ShareBar } from '../../../parts/share-bar.tsx';
import { describeTime } from '../../../quotas/describe-quota.ts';

export type QuotaAct = 'prolong' | 'ban' | 'remove';

interface QuotaOfPersonProps {
  readonly quota: Quota;
  readonly catalog: Catalog | undefined;
  readonly onAct: (act: QuotaAct) => void;
}

/** What somebody has in a project, and what can be done about it. */
export function QuotaOfPerson({ quota, catalog, onAct }: QuotaOfPersonProps) {
  const { user, project_hpc: hpc, project_name: project, usage } = quota;
  const charging = chargingOf(catalog, hpc);
  const said = describeTime(quota, charging);
  const place = `${hpc.toLowerCase()}/${project}`;
  return (
    <article class="card">
      <header>
        <h3>
          <a href={adminAddress.project(quota)}>{project}</a>
        </h3>
        <span class="quiet">{hpc}</span>
      </header>
      <p class="large" title={`${quota.time_left} seconds`}>
        {said}
      </p>
      {usage && (
        <>
          <ShareBar
            label={`${said}, ${writeNodeTime(usage.time.used, charging)} used, ${writeNodeTime(usage.time.held, charging)} reserved`}
            shares={[
              { kind: 'used', amount: usage.time.used },
              { kind: 'held', amount: usage.time.held },
              { kind: 'left', amount: usage.time.left },
            ]}
          />
          <p class="legend quiet">
            <span class="used">{writeNodeTime(usage.time.used, charging)} used</span>
            <span class="held">{writeNodeTime(usage.time.held, charging)} reserved</span>
          </p>
        </>
      )}
      <p class="quiet">
        {writeSize(quota.space_left * 1000)} of space left
        {usage && `, ${usage.living_jobs} living ${usage.living_jobs === 1 ? 'job' : 'jobs'}`}
      </p>
      {usage && usage.valid_until !== null && (
        <p class="warning">Until {writeDay(usage.valid_until)}</p>
      )}
      {usage?.renews?.next && (
        <p class="quiet">
          Renews {usage.renews.every} to {writeNodeTime(usage.renews.to.time, charging)}, next on{' '}
          {writeDay(usage.renews.next)}
        </p>
      )}
      {usage && usage.banned !== null && <p class="warning">Banned: {usage.banned}</p>}
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
