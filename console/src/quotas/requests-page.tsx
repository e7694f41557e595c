import { useState } from 'preact/hooks';
import { type Charging, writeNodeTime, writeSize } from '#client/src/format/amounts.ts';
import type { Slipway } from '#client/src/index.ts';
import { systemOf } from '../browser/address.ts';
import { useService } from '../connection/session.ts';
import { announce } from '../live/announce.ts';
import { chargingOf } from '../live/catalog.ts';
import { useLive } from '../live/use-live.ts';
import { Confirm } from '../parts/dialog.tsx';
import { PlainButton } from '../parts/form.tsx';
import { Empty, Loading } from '../parts/loading.tsx';
import { Moment } from '../parts/moment.tsx';
import { AskForm } from './ask-form.tsx';

export function RequestsPage() {
  const service = useService();
  const { value, error, refresh } = useLive('requests', async (service, signal) => {
    const oldestFirst = await Array.fromAsync(service.listRequests({}, { signal }));
    return oldestFirst.toReversed();
  });
  const [withdrawing, setWithdrawing] = useState<RequestForMore>();
  return (
    <>
      <h1>Requests</h1>
      <div class="columns">
        <AskForm onAsked={refresh} />
        <section aria-labelledby="asked-title">
          <h2 id="asked-title">Your requests</h2>
          <Loading value={value} error={error} refresh={refresh} />
          {value?.length === 0 && (
            <Empty title="No requests yet.">
              Enter how much you need and why. The decision appears here.
            </Empty>
          )}
          {value?.map((request) => (
            <RequestCard
              key={request.request_id}
              request={request}
              onWithdraw={() => setWithdrawing(request)}
            />
          ))}
        </section>
      </div>
      {withdrawing && (
        <Confirm
          title="Withdraw this request?"
          act="Withdraw request"
          onClose={() => setWithdrawing(undefined)}
          onAct={async () => {
            await service.withdrawRequest({ request_id: withdrawing.request_id });
            announce('Request withdrawn.');
            refresh();
          }}
        >
          <p>The administrators no longer see it. You can ask again.</p>
        </Confirm>
      )}
    </>
  );
}

type RequestForMore = Awaited<ReturnType<Slipway['getRequest']>>;

interface RequestCardProps {
  readonly request: RequestForMore;
  readonly onWithdraw: () => void;
}

function RequestCard({ request, onWithdraw }: RequestCardProps) {
  const { project_name: project, reason, state, opened } = request;
  return (
    <article class="card">
      <header>
        <h3>{describeAmount(request, chargingOf(request.project_hpc))}</h3>
        <span class={`state ${state}`}>{state}</span>
      </header>
      <p class="quiet">
        {project} on {systemOf(request)}, <Moment at={opened} />
      </p>
      <p>{reason}</p>
      <DecisionNote request={request} />
      {state === 'open' && <PlainButton onClick={onWithdraw}>Withdraw request</PlainButton>}
    </article>
  );
}

interface DecisionNoteProps {
  readonly request: Pick<RequestForMore, 'state' | 'decision' | 'project_hpc'>;
}

/** Shows what the administrators decided, if they did. */
export function DecisionNote({ request: { state, decision, project_hpc } }: DecisionNoteProps) {
  return (
    decision && (
      <p class="note">
        {state === 'approved' && `${describeAmount(decision, chargingOf(project_hpc))} granted. `}
        {decision.reason} <span class="quiet">({decision.by})</span>
      </p>
    )
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
