import { addressOf } from '../browser/address.ts';
import { pageNames } from '../browser/page-names.ts';
import { chargingOf, isCatalogPending } from '../live/catalog.ts';
import { isPending, useLive } from '../live/use-live.ts';
import { Empty, Loading } from '../parts/loading.tsx';
import { QuotaCards } from './quota-card.tsx';
import { UsageChart } from './usage-chart.tsx';
import { useUsage } from './use-usage.ts';
import { phrase, rich } from './words.ts';

export function QuotasPage() {
  const used = useUsage();
  const quotas = useLive('quotas', (service, signal) =>
    service.listQuotas({ expand: 'usage' }, { signal }),
  );
  // What arrives later would push down what is shown already.
  const isLoading = isCatalogPending.value || isPending(used) || isPending(quotas);
  const { error, refresh } = quotas;
  const [value, usage] = isLoading ? [] : [quotas.value, used.value];
  return (
    <>
      <header class="page-head">
        <h1>{pageNames.quotas()}</h1>
        <a class="button" href={addressOf.requests}>
          {phrase('askForMore')}
        </a>
      </header>
      <Loading value={value} error={error} refresh={refresh} rows={4} />
      {value?.length === 0 && (
        <Empty title={phrase('noQuota')}>
          {rich('askAndSay', { ask: <a href={addressOf.requests}>{phrase('askForOne')}</a> })}
        </Empty>
      )}
      {value && value.length > 0 && <h2 class="said">{phrase('yourQuotas')}</h2>}
      <QuotaCards quotas={value ?? []} usage={usage} />
      {usage && usage.length > 0 && (
        <section aria-labelledby="use-title">
          <h2 id="use-title">{phrase('useOfMonth')}</h2>
          <UsageChart rows={usage} charging={chargingOf()} />
        </section>
      )}
    </>
  );
}
