import { type Charging, writeNodeTime } from '#client/src/format/write-node-time.ts';
import { writeSize } from '#client/src/format/write-size.ts';
import { systemOf } from '../address/system-of.ts';
import type { Session } from '../connection/session.ts';
import { Moment } from '../parts/moment.tsx';

export type RequestForMore = Awaited<ReturnType<Session['service']['getRequest']>>;

export function RequestCard({
  request,
  charging,
  onWithdraw,
}: {
  readonly request: RequestForMore;
  readonly charging: Charging;
  readonly onWithdraw: () => void;
}) {
  const { project_name: project, reason, state, opened, decision } = request;
  return (
    <article class="card">
      <header>
        <h3>{describeAmount(request, charging)}</h3>
        <span class={`state ${state}`}>{state}</span>
      </header>
      <p class="quiet">
        {project} on {systemOf(request)}, <Moment at={opened} />
      </p>
      <p>{reason}</p>
      {decision && (
        <p class="note">
          {state === 'approved' && `${describeAmount(decision, charging)} granted. `}
          {decision.reason} <span class="quiet">({decision.by})</span>
        </p>
      )}
      {state === 'open' && (
        <button type="button" class="plain" onClick={onWithdraw}>
          Withdraw
        </button>
      )}
    </article>
  );
}

export function describeAmount(
  { time, space }: { readonly time: number | null; readonly space: number | null },
  charging: Charging,
): string {
  return [
    time !== null && time > 0 && writeNodeTime(time, charging),
    space !== null && space > 0 && writeSize(space * 1000),
  ]
    .filter((part) => part !== false)
    .join(' and ');
}
