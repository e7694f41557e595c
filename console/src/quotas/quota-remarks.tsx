import type { Quota } from '#client/src/index.ts';
import { chargingOf } from '../live/catalog.ts';
import { clock } from '../live/clock.ts';
import { remarkOn } from './describe-quota.ts';

export function QuotaRemarks({ quota }: { readonly quota: Quota }) {
  const remarks = remarkOn(quota, chargingOf(quota.project_hpc), clock.value);
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
