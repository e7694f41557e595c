import { writeNodeTime } from '#client/src/format/write-node-time.ts';
import type { Quota } from '#client/src/index.ts';
import { type Catalog, chargingOf } from '../connection/use-catalog.ts';
import { ShareBar } from '../parts/share-bar.tsx';
import { describeTime } from './describe-quota.ts';

interface QuotaTimeProps {
  readonly quota: Quota;
  readonly catalog: Catalog | undefined;
}

/** What is left of the time, in words and as a bar. */
export function QuotaTime({ quota, catalog }: QuotaTimeProps) {
  const { usage } = quota;
  const charging = chargingOf(catalog, quota.project_hpc);
  const said = describeTime(quota, charging);
  return (
    <>
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
    </>
  );
}
