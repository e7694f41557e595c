import { useState } from 'preact/hooks';
import { type Charging, writeNodeTime, writeSize } from '#client/src/format/amounts.ts';
import { joinWords } from '#client/src/format/join-words.ts';
import type { Slipway } from '#client/src/index.ts';
import { term } from '#client/src/words/terms.ts';
import { systemOf } from '../browser/address.ts';
import { pageNames } from '../browser/page-names.ts';
import { useService } from '../connection/session.ts';
import { announce } from '../live/announce.ts';
import { chargingOf } from '../live/catalog.ts';
import { useLive } from '../live/use-live.ts';
import { Confirm } from '../parts/dialog.tsx';
import { PlainButton } from '../parts/form.tsx';
import { Empty, Loading } from '../parts/loading.tsx';
import { Moment } from '../parts/moment.tsx';
import { AskForm } from './ask-form.tsx';
import { phrase } from './words.ts';

export function RequestsPage() {
  const service = useService();
  const { value, error, refresh } = useLive('requests', async (service, signal) => {
    const oldestFirst = await Array.fromAsync(service.listRequests({}, { signal }));
    return oldestFirst.toReversed();
  });
  const [withdrawing, setWithdrawing] = useState<RequestForMore>();
  return (
    <>
      <h1>{pageNames.requests()}</h1>
      <div class="columns">
        <AskForm onAsked={refresh} />
        <section aria-labelledby="asked-title">
          <h2 id="asked-title">{phrase('yourRequests')}</h2>
          <Loading value={value} error={error} refresh={refresh} />
          {value?.length === 0 && (
            <Empty title={phrase('noRequests')}>{phrase('decisionAppears')}</Empty>
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
          title={phrase('withdrawThis')}
          act={phrase('withdraw')}
          onClose={() => setWithdrawing(undefined)}
          onAct={async () => {
            await service.withdrawRequest({ request_id: withdrawing.request_id });
            announce(phrase('withdrawn'));
            refresh();
          }}
        >
          <p>{phrase('canAskAgain')}</p>
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
        <span class={`state ${state}`}>{term(state)}</span>
      </header>
      <p class="quiet">
        {phrase('projectOn', { project, hpc: systemOf(request) })}, <Moment at={opened} />
      </p>
      <p>{reason}</p>
      <DecisionNote request={request} />
      {state === 'open' && <PlainButton onClick={onWithdraw}>{phrase('withdraw')}</PlainButton>}
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
        {state === 'approved' &&
          `${phrase('granted', { amount: describeAmount(decision, chargingOf(project_hpc)) })} `}
        {decision.reason} <span class="quiet">({decision.by})</span>
      </p>
    )
  );
}

export function describeAmount(
  { time, space }: { readonly time: number | null; readonly space: number | null },
  charging: Charging,
): string {
  const amounts = [
    time !== null && time > 0 && writeNodeTime(time, charging),
    space !== null && space > 0 && writeSize(space * 1000),
  ];
  return joinWords(amounts.filter((amount) => amount !== false));
}
