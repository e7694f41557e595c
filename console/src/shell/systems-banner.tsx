import type { Session } from '../connection/session.ts';
import { useLive } from '../live/use-live.ts';

/** When a system is down: what that means for one's jobs. */
export function SystemsBanner({ session: { service } }: { readonly session: Session }) {
  const { value } = useLive('status', (signal) => service.readStatus({}, { signal }));
  const down = value?.systems.filter(({ status }) => status === 'down') ?? [];
  if (down.length === 0) return null;
  const names = down.map(({ project_hpc: name }) => name).join(' and ');
  return (
    <div class="note warn" role="status">
      <strong>{names} cannot be reached.</strong>
      <p>
        You can go on submitting: jobs wait here and are handed over when it is back. What runs
        there may go on running, but its stage is not seen until then.
      </p>
    </div>
  );
}
