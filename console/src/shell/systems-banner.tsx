import { systemOf } from '../address/system-of.ts';
import type { Session } from '../connection/session.ts';
import { useLive } from '../live/use-live.ts';
import { describeOutage, type System, systemsDown } from './describe-outage.ts';

/** When a system is down: what that means for one's jobs. */
export function SystemsBanner({ session }: { readonly session: Session }) {
  const { value } = useLive('status', (signal) => session.service.readStatus({}, { signal }));
  const down = value ? systemsDown(value) : [];
  return down.length === 0 ? null : <Outage session={session} down={down} />;
}

interface OutageProps {
  readonly session: Session;
  readonly down: readonly System[];
}

function Outage({ session: { service }, down }: OutageProps) {
  const { value: living } = useLive('living', (signal) =>
    service.listJobs({ terminal: false, limit: 1000 }, { signal }),
  );
  return (
    <div class="note warn" role="status">
      <strong>{down.map(systemOf).join(' and ')} cannot be reached.</strong>
      {living && describeOutage(down, living).map((sentence) => <p key={sentence}>{sentence}</p>)}
    </div>
  );
}
