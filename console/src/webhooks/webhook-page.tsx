import { useRef, useState } from 'preact/hooks';
import { tell } from '#client/src/format/sentences/tell.ts';
import type { Delivery, Paged } from '#client/src/index.ts';
import { term } from '#client/src/words/terms.ts';
import { addressOf, goTo } from '../browser/address.ts';
import { pageNames } from '../browser/page-names.ts';
import { useService } from '../connection/session.ts';
import { announce } from '../live/announce.ts';
import { useLive } from '../live/use-live.ts';
import { Confirm } from '../parts/dialog.tsx';
import { Button, useAttempt } from '../parts/form.tsx';
import { Empty, ProblemNote, Skeleton } from '../parts/loading.tsx';
import { Moment } from '../parts/moment.tsx';
import { Table } from '../parts/table.tsx';
import { phrase } from './words.ts';

export function WebhookPage({ webhookId }: { readonly webhookId: string }) {
  const service = useService();
  const asked = { webhook_id: webhookId };
  const wanted = useRef(deliveriesAtOnce);
  const { value, error, refresh } = useLive(
    `webhook ${webhookId}`,
    async (service, signal) => {
      const [webhook, log] = await Promise.all([
        service.getWebhook(asked, { signal }),
        readLog(service.listDeliveries(asked, { signal }), wanted.current),
      ]);
      return { webhook, ...log };
    },
    { active: ({ deliveries }) => deliveries.some(({ state }) => state === 'waiting') },
  );
  const [deleting, setDeleting] = useState(false);
  const { busy, error: failure, attempt } = useAttempt();
  const sendTest = () =>
    attempt(async () => {
      await service.testWebhook(asked);
      announce(phrase('testIsSent'));
      refresh();
    });
  const sendAgain = ({ delivery_id }: Delivery) =>
    attempt(async () => {
      await service.sendAgain({ ...asked, delivery_id });
      announce(phrase('isSentAgain'));
      refresh();
    });
  if (!value) {
    return error === undefined ? (
      <Skeleton rows={3} />
    ) : (
      <ProblemNote error={error} onRetry={refresh} />
    );
  }
  const { webhook, deliveries, goesOn } = value;
  return (
    <>
      <header class="page-head">
        <div>
          <p class="quiet">
            <a href={addressOf.webhooks}>{pageNames.webhooks()}</a>
          </p>
          <h1 class="breaks">{webhook.description === '' ? webhook.url : webhook.description}</h1>
          <p class="quiet breaks">
            {webhook.url} · {webhook.events.join(', ')}
          </p>
        </div>
        <div class="line">
          <Button disabled={busy} onClick={sendTest}>
            {phrase('sendTest')}
          </Button>
          <Button class="danger" onClick={() => setDeleting(true)}>
            {phrase('deleteWebhook')}
          </Button>
        </div>
      </header>
      {failure !== undefined && <ProblemNote error={failure} />}
      <DeliveriesTable deliveries={deliveries} busy={busy} onAgain={sendAgain} />
      {goesOn && (
        <p>
          <Button
            onClick={() => {
              wanted.current += deliveriesAtOnce;
              refresh();
            }}
          >
            {phrase('showMore')}
          </Button>
        </p>
      )}
      {deleting && (
        <Confirm
          title={phrase('deleteThis')}
          act={phrase('deleteWebhook')}
          onClose={() => setDeleting(false)}
          onAct={async () => {
            await service.deleteWebhook(asked);
            announce(phrase('deleted'));
            goTo(addressOf.webhooks);
          }}
        >
          <p>{phrase('deliveriesStop')}</p>
        </Confirm>
      )}
    </>
  );
}

interface DeliveriesProps {
  readonly deliveries: readonly Delivery[];
  readonly busy: boolean;
  readonly onAgain: (delivery: Delivery) => void;
}

function DeliveriesTable({ deliveries, busy, onAgain }: DeliveriesProps) {
  if (deliveries.length === 0) {
    return <Empty title={phrase('noDeliveries')}>{phrase('keptFor30Days')}</Empty>;
  }
  return (
    <Table
      rows={deliveries}
      keyOf={(delivery) => delivery.delivery_id}
      columns={[
        { head: phrase('event'), cell: ({ type }) => type },
        { head: phrase('when'), cell: ({ at }) => <Moment at={at} /> },
        {
          head: phrase('state'),
          cell: ({ state }) => <span class={`state ${state}`}>{term(state)}</span>,
        },
        { head: phrase('tries'), cell: ({ tries }) => tries.length, class: 'number' },
        { head: phrase('lastAnswer'), cell: ({ tries }) => describeTry(tries.at(-1)) },
        { head: phrase('nextTry'), cell: ({ next_try: at }) => at !== null && <Moment at={at} /> },
        {
          head: '',
          cell: (delivery) =>
            delivery.state !== 'waiting' && (
              <Button disabled={busy} onClick={() => onAgain(delivery)}>
                {phrase('sendAgain')}
              </Button>
            ),
        },
      ]}
    />
  );
}

function describeTry(last: Delivery['tries'][number] | undefined): string {
  return last
    ? phrase('answeredIn', { answer: last.status ?? tell(last.reason ?? ''), ms: last.ms })
    : '';
}

/** The size of one page of the service. */
const deliveriesAtOnce = 100;

interface Log {
  readonly deliveries: readonly Delivery[];
  /** Whether there are older deliveries. */
  readonly goesOn: boolean;
}

/** Reads as many deliveries as wanted, and checks whether there are more. */
export async function readLog(log: Paged<Delivery>, wanted: number): Promise<Log> {
  const deliveries: Delivery[] = [];
  for await (const page of log.pages()) {
    if (deliveries.length >= wanted && page.length > 0) return { deliveries, goesOn: true };
    deliveries.push(...page);
  }
  return { deliveries, goesOn: false };
}
