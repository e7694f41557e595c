import type { Quota } from '#client/src/index.ts';
import { type Catalog, chargingOf } from '../connection/use-catalog.ts';
import { clock } from '../live/clock.ts';
import { remarkOn } from './describe-quota.ts';

interface QuotaRemarksProps {
  readonly quota: Quota;
  readonly catalog: Catalog | undefined;
}

export function QuotaRemarks({ quota, catalog }: QuotaRemarksProps) {
  const remarks = remarkOn(quota, chargingOf(catalog, quota.project_hpc), clock.value);
  return (
    <>
      {remarks.map(({ words, pressing }) => (
        <p key={words} class={pressing ? 'warning' : 'quiet'}>
          {words}
        </p>
      ))}
    </>
  );
}
