import { writeSize, writeSpaceLeft } from '#client/src/format/amounts/amounts.ts';
import type { Quota } from '#client/src/index.ts';
import { addressOf, systemOf, withQuery } from '../browser/address.ts';
import { chargingOf, isShared, keepsFolder } from '../live/catalog.ts';
import { clock } from '../live/clock.ts';
import { useLive } from '../live/use-live.ts';
import { Loading } from '../parts/loading.tsx';
import { TimeBar } from '../parts/share-bar.tsx';
import { Budget } from './budget.tsx';
import { describeForecast, describeTime, shareTime } from './describe-quota.ts';
import { QuotaRemarks } from './quota-remarks.tsx';
import { type UsageRow, usedByDay } from './use-usage.ts';
import { phrase } from './words.ts';

interface QuotaCardsProps {
  readonly quotas: readonly Quota[];
  readonly usage: readonly UsageRow[] | undefined;
}

export function QuotaCards({ quotas, usage }: QuotaCardsProps) {
  return (
    <div class="cards">
      {quotas.map((quota) => (
        <QuotaCard key={quota.id} quota={quota} usage={usage} />
      ))}
    </div>
  );
}

interface QuotaCardProps {
  readonly quota: Quota;
  readonly usage: readonly UsageRow[] | undefined;
}

function QuotaCard({ quota, usage }: QuotaCardProps) {
  const banned = quota.usage?.banned ?? null;
  const now = clock.value;
  const forecast = describeForecast(quota.time_left, usedByDay(usage, quota, now), now);
  return (
    <article class="card">
      <header>
        <h3>
          <a href={addressOf.ledger(quota)}>{quota.project_name}</a>
        </h3>
        <span class="quiet">{systemOf(quota)}</span>
      </header>
      {isShared(quota) ? (
        <SharedBudget quota={quota} />
      ) : (
        <>
          <QuotaTime quota={quota} />
          {forecast !== undefined && <p class="quiet">{forecast}</p>}
          <p class="quiet" title={phrase('kilobytes', { count: quota.space_left })}>
            {phrase('spaceLeft', { size: describeSpace(quota) })}
          </p>
        </>
      )}
      {banned !== null && <p class="warning">{phrase('banned', { reason: banned })}</p>}
      <QuotaRemarks quota={quota} />
      <p class="line">
        <a href={addressOf.ledger(quota)}>{phrase('ledger')}</a>
        {keepsFolder(quota) && <a href={addressOf.folder(quota)}>{phrase('folder')}</a>}
        <a
          href={withQuery(addressOf.requests, {
            hpc: systemOf(quota),
            project: quota.project_name,
          })}
        >
          {phrase('askForMore')}
        </a>
      </p>
    </article>
  );
}

/** Shows what is left for all members of a project that draw from its budget. */
function SharedBudget({ quota }: { readonly quota: Quota }) {
  const where = { hpc: systemOf(quota), project_name: quota.project_name };
  const { value, error, refresh } = useLive(
    `budget of ${where.hpc} ${where.project_name}`,
    (service, signal) => service.getBudget(where, { signal }),
  );
  return (
    <>
      <Loading value={value} error={error} refresh={refresh} rows={1} />
      {value && <Budget led={value} />}
      <p class="quiet">{phrase('shared')}</p>
    </>
  );
}

export function describeSpace({ usage, space_left: left }: Quota): string {
  return usage ? writeSpaceLeft(usage.space).left : writeSize(left * 1000);
}

/** Shows the remaining time in words and as a bar. */
export function QuotaTime({ quota }: { readonly quota: Quota }) {
  const { usage } = quota;
  const charging = chargingOf(quota.project_hpc);
  const { said, used, held } = usage
    ? shareTime(usage.time, charging)
    : { said: describeTime(quota, charging) };
  return (
    <>
      <p class="large" title={phrase('seconds', { count: quota.time_left })}>
        {said}
      </p>
      {usage && (
        <>
          <TimeBar label={[said, used, held].join(', ')} time={usage.time} />
          <p class="legend quiet">
            <span class="used">{used}</span>
            <span class="held">{held}</span>
          </p>
        </>
      )}
    </>
  );
}
