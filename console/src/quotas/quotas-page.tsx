import { addressOf } from '../browser/routes.ts';
import type { Session } from '../connection/session.ts';
import { useCatalog } from '../connection/use-catalog.ts';
import { useLive } from '../live/use-live.ts';
import { Empty, Waiting } from '../parts/empty.tsx';
import { ProblemNote } from '../parts/problem-note.tsx';
import { QuotaCard } from './quota-card.tsx';
import { sumUsed, useUsage } from './use-usage.ts';

export function QuotasPage({ session }: { readonly session: Session }) {
  const catalog = useCatalog(session);
  const usage = useUsage(session);
  const {
    value: quotas,
    error,
    refresh,
  } = useLive('quotas', (signal) => session.service.listQuotas({ expand: 'usage' }, { signal }));
  return (
    <>
      <header class="page-head">
        <h1>Quotas</h1>
        <a class="button" href={addressOf.requests}>
          Ask for more
        </a>
      </header>
      {error !== undefined && <ProblemNote error={error} onRetry={refresh} />}
      {quotas === undefined && error === undefined && <Waiting rows={4} />}
      {quotas?.length === 0 && (
        <Empty title="You have no quota.">
          <a href={addressOf.requests}>Ask the administrators for one</a>, with a reason.
        </Empty>
      )}
      <div class="cards">
        {quotas?.map((quota) => (
          <QuotaCard
            key={quota.id}
            quota={quota}
            catalog={catalog}
            usedLately={sumUsed(usage, quota)}
          />
        ))}
      </div>
    </>
  );
}
