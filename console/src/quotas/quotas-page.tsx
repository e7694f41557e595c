import { addressOf } from '../browser/routes.ts';
import type { Session } from '../connection/session.ts';
import { useCatalog } from '../connection/use-catalog.ts';
import { useLive } from '../live/use-live.ts';
import { Empty, Loading } from '../parts/loading.tsx';
import { QuotaCards } from './quota-card.tsx';
import { useUsage } from './use-usage.ts';

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
      <Loading value={quotas} error={error} refresh={refresh} rows={4} />
      {quotas?.length === 0 && (
        <Empty title="You have no quota yet.">
          <a href={addressOf.requests}>Ask for one</a> and say what you need it for.
        </Empty>
      )}
      <QuotaCards quotas={quotas ?? []} catalog={catalog} usage={usage} />
    </>
  );
}
