import { useRef, useState } from 'preact/hooks';
import type { Delivery, Paged } from '#client/src/index.ts';
import { addressOf, goTo } from '../browser/address.ts';
import { useService } from '../connection/session.ts';
import { announce } from '../live/announce.ts';
import { useLive } from '../live/use-live.ts';
import { Confirm } from '../parts/dialog.tsx';
import { useAttempt } from '../parts/form.tsx';
import { Empty, ProblemNote, Skeleton } from '../parts/loading.tsx';
import { Moment } from '../parts/moment.tsx';
import { Table } from '../parts/table.tsx';

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
      announce('The test is sent within a minute.');
      refresh();
    });
  const sendAgain = ({ delivery_id }: Delivery) =>
    attempt(async () => {
      await service.sendAgain({ ...asked, delivery_id });
      announce('The delivery is sent again within a minute.');
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
            <a href={addressOf.webhooks}>Webhooks</a>
          </p>
          <h1 class="breaks">{webhook.description === '' ? webhook.url : webhook.description}</h1>
          <p class="quiet breaks">
            {webhook.url} · {webhook.events.join(', ')}
          </p>
        </div>
        <div class="line">
          <button type="button" disabled={busy} onClick={sendTest}>
            Send a test
          </button>
          <button type="button" class="danger" onClick={() => setDeleting(true)}>
            Delete webhook
          </button>
        </div>
      </header>
      {failure !== undefined && <ProblemNote error={failure} />}
      <DeliveriesTable deliveries={deliveries} busy={busy} onAgain={sendAgain} />
      {goesOn && (
        <p>
          <button
            type="button"
            onClick={() => {
              wanted.current += deliveriesAtOnce;
              refresh();
            }}
          >
            Show more
          </button>
        </p>
      )}
      {deleting && (
        <Confirm
          title="Delete this webhook?"
          act="Delete webhook"
          onClose={() => setDeleting(false)}
          onAct={async () => {
            await service.deleteWebhook(asked);
            announce('Webhook deleted.');
            goTo(addressOf.webhooks);
          }}
        >
          <p>Deliveries stop, including retries. The secret is deleted.</p>
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
    return (
      <Empty title="No deliveries yet.">
        Deliveries and the receiver's answers appear here for 30 days.
      </Empty>
    );
  }
  return (
    <Table
      rows={deliveries}
      keyOf={(delivery) => delivery.delivery_id}
      columns={[
        { head: 'Event', cell: ({ type }) => type },
        { head: 'When', cell: ({ at }) => <Moment at={at} /> },
        { head: 'State', cell: ({ state }) => <span class={`state ${state}`}>{state}</span> },
        { head: 'Tries', cell: ({ tries }) => tries.length, class: 'number' },
        { head: 'Last answer', cell: ({ tries }) => describeTry(tries.at(-1)) },
        { head: 'Next try', cell: ({ next_try: at }) => at !== null && <Moment at={at} /> },
        {
          head: '',
          cell: (delivery) =>
            delivery.state !== 'waiting' && (
              <button type="button" disabled={busy} onClick={() => onAgain(delivery)}>
                Send again
              </button>
            ),
        },
      ]}
    />
  );
}

function describeTry(last: Delivery['tries'][number] | undefined): string {
  return last ? `${last.status ?? last.reason ?? ''} in ${last.ms} ms` : '';
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
