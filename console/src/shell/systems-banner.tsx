import type { Job, Status } from '#client/src/index.ts';
import { systemOf } from '../browser/routes.ts';
import type { Session } from '../connection/session.ts';
import { useLive } from '../live/use-live.ts';

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

type System = Status['systems'][number];

function systemsDown({ systems }: Status): readonly System[] {
  return systems.filter(({ status }) => status === 'down');
}

/** What it means for one's jobs that systems are down: those that wait, and those that run there. */
function describeOutage(down: readonly System[], living: readonly Job[]): readonly string[] {
  const names = down.map(systemOf);
  const there = living.filter((job) => names.includes(systemOf(job))).length;
  const it = names.length === 1 ? 'it is' : 'they are';
  return [
    there === 0
      ? 'None of your jobs is there.'
      : `${there === 1 ? '1 of your jobs is' : `${there} of your jobs are`} there: what waits is handed over when ${it} back, and what runs goes on running, but its stage is not seen until then.`,
    'You can go on submitting: jobs wait here meanwhile, and nothing is lost.',
  ];
}
