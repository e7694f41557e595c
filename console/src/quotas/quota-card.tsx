import { writeDay } from '#client/src/format/write-day.ts';
import { writeNodeTime } from '#client/src/format/write-node-time.ts';
import { writeSizeLeft } from '#client/src/format/write-size.ts';
import type { Quota } from '#client/src/index.ts';
import { addressOf, withQuery } from '../address/address-of.ts';
import { systemOf } from '../address/system-of.ts';
import { type Catalog, chargingOf } from '../connection/use-catalog.ts';
import { clock } from '../live/clock.ts';
import { ShareBar } from '../parts/share-bar.tsx';
import { describeTime, warnOf } from './describe-quota.ts';
import { forecastEnd } from './forecast.ts';

interface QuotaCardProps {
  readonly quota: Quota;
  readonly catalog: Catalog | undefined;
  /** Seconds that ended jobs used here in the last thirty days. */
  readonly usedLately: number;
}

export function QuotaCard({ quota, catalog, usedLately }: QuotaCardProps) {
  const { project_hpc: hpc, project_name: project, usage } = quota;
  const charging = chargingOf(catalog, hpc);
  const said = describeTime(quota, charging);
  const end = forecastEnd(quota.time_left, { used: usedLately, days: 30 }, clock.value);
  return (
    <article class="card">
      <header>
        <h3>
          <a href={addressOf.ledger(quota)}>{project}</a>
        </h3>
        <span class="quiet">{systemOf(quota)}</span>
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
      {end && <p class="quiet">At this rate it lasts until {writeDay(end.toISOString())}.</p>}
      <p class="quiet" title={`${quota.space_left} kilobytes`}>
        {writeSizeLeft(quota.space_left * 1000)} of space left
      </p>
      {warnOf(quota, clock.value).map((warning) => (
        <p key={warning} class="warning">
          {warning}
        </p>
      ))}
      <p class="line">
        <a href={addressOf.ledger(quota)}>Ledger</a>
        <a href={withQuery(addressOf.requests, { hpc: systemOf(quota), project })}>Ask for more</a>
      </p>
    </article>
  );
}
