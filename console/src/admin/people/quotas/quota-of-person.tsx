import { writeSizeLeft } from '#client/src/format/write-size.ts';
import type { Quota } from '#client/src/index.ts';
import { withQuery } from '../../../address/address-of.ts';
import { adminAddress } from '../../../address/admin-address.ts';
import { systemOf } from '../../../address/system-of.ts';
import type { Catalog } from '../../../connection/use-catalog.ts';
import { QuotaRemarks } from '../../../quotas/quota-remarks.tsx';
import { QuotaTime } from '../../../quotas/quota-time.tsx';

export type QuotaAct = 'prolong' | 'ban' | 'remove';

interface QuotaOfPersonProps {
  readonly quota: Quota;
  readonly catalog: Catalog | undefined;
  readonly onAct: (act: QuotaAct) => void;
}

/** What somebody has in a project, and what can be done about it. */
export function QuotaOfPerson({ quota, catalog, onAct }: QuotaOfPersonProps) {
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
