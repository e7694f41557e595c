import { writeDay } from '#client/src/format/write-day.ts';
import { writeSizeLeft } from '#client/src/format/write-size.ts';
import type { Quota } from '#client/src/index.ts';
import { addressOf, withQuery } from '../address/address-of.ts';
import { systemOf } from '../address/system-of.ts';
import type { Catalog } from '../connection/use-catalog.ts';
import { clock } from '../live/clock.ts';
import { forecastEnd } from './forecast.ts';
import { QuotaRemarks } from './quota-remarks.tsx';
import { QuotaTime } from './quota-time.tsx';

interface QuotaCardProps {
  readonly quota: Quota;
  readonly catalog: Catalog | undefined;
  /** Seconds that ended jobs used here in the last thirty days. */
  readonly usedLately: number;
}

export function QuotaCard({ quota, catalog, usedLately }: QuotaCardProps) {
  const banned = quota.usage?.banned ?? null;
  const end = forecastEnd(quota.time_left, { used: usedLately, days: 30 }, clock.value);
  return (
    <article class="card">
      <header>
        <h3>
          <a href={addressOf.ledger(quota)}>{quota.project_name}</a>
        </h3>
        <span class="quiet">{systemOf(quota)}</span>
      </header>
      <QuotaTime quota={quota} catalog={catalog} />
      {end && <p class="quiet">At this rate it lasts until {writeDay(end.toISOString())}.</p>}
      <p class="quiet" title={`${quota.space_left} kilobytes`}>
        {writeSizeLeft(quota.space_left * 1000)} of space left
      </p>
      {banned !== null && <p class="warning">You may not submit here: {banned}</p>}
      <QuotaRemarks quota={quota} catalog={catalog} />
      <p class="line">
        <a href={addressOf.ledger(quota)}>Ledger</a>
        <a
          href={withQuery(addressOf.requests, {
            hpc: systemOf(quota),
            project: quota.project_name,
          })}
        >
          Ask for more
        </a>
      </p>
    </article>
  );
}
