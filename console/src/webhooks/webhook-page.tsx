import { useRef, useState } from 'preact/hooks';
import type { Delivery, Paged } from '#client/src/index.ts';
import { goTo } from '../browser/address.ts';
import { addressOf } from '../browser/routes.ts';
import type { Session } from '../connection/session.ts';
import { announce } from '../live/announce.ts';
import { useLive } from '../live/use-live.ts';
import { Confirm } from '../parts/confirm.tsx';
import { Empty, Waiting } from '../parts/empty.tsx';
import { Moment } from '../parts/moment.tsx';
import { ProblemNote } from '../parts/problem-note.tsx';

interface WebhookPageProps {
  readonly session: Session;
  readonly webhookId: string;
}

export function WebhookPage({ session: { service }, webhookId }: WebhookPageProps) {
  const asked = { webhook_id: webhookId };
  const wanted = useRef(deliveriesAtOnce);
  const { value, error, refresh } = useLive(
    `webhook ${webhookId}`,
    async (signal) => {
      const [webhook, log] = await Promise.all([
        service.getWebhook(asked, { signal }),
        readLog(service.listDeliveries(asked, { signal }), wanted.current),
      ]);
      return { webhook, ...log };
    },
    { living: ({ deliveries }) => deliveries.some(({ state }) => state === 'waiting') },
  );
  const [deleting, setDeleting] = useState(false);
  if (!value) {
    return error === undefined ? <Waiting /> : <ProblemNote error={error} onRetry={refresh} />;
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
        <button type="button" class="danger" onClick={() => setDeleting(true)}>
          Delete
        </button>
      </header>
      <DeliveriesTable deliveries={deliveries} />
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
          title="Delete the webhook?"
          act="Delete it"
          onClose={() => setDeleting(false)}
          onAct={async () => {
            await service.deleteWebhook(asked);
            announce('The webhook is deleted.');
            goTo(addressOf.webhooks);
          }}
        >
          <p>Nothing more is sent to it, also what waits to be sent again. Its secret is gone.</p>
        </Confirm>
      )}
    </>
  );
}

function DeliveriesTable({ deliveries }: { readonly deliveries: readonly Delivery[] }) {
  if (deliveries.length === 0) {
    return (
      <Empty title="Nothing was sent yet.">
        What is sent to it, and what the receiver answers, stands here for thirty days.
      </Empty>
    );
  }
  return (
    <div class="scrolls">
      <table>
        <thead>
          <tr>
            <th>Event</th>
            <th>When</th>
            <th>State</th>
            <th class="number">Tries</th>
            <th>Last answer</th>
            <th>Next try</th>
          </tr>
        </thead>
        <tbody>
          {deliveries.map((delivery) => {
            const last = delivery.tries.at(-1);
            return (
              <tr key={delivery.event_id}>
                <td>{delivery.type}</td>
                <td>
                  <Moment at={delivery.at} />
                </td>
                <td>
                  <span class={`state ${delivery.state}`}>{delivery.state}</span>
                </td>
                <td class="number">{delivery.tries.length}</td>
                <td>{last && `${last.status ?? last.reason ?? ''} in ${last.ms} ms`}</td>
                <td>{delivery.next_try !== null && <Moment at={delivery.next_try} />}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

/** As many as a page of the service holds. */
const deliveriesAtOnce = 100;

interface Log {
  readonly deliveries: readonly Delivery[];
  /** Whether there are older ones. */
  readonly goesOn: boolean;
}

/** Reads as much of the log as is wanted, and looks whether it goes on: some wait to be sent again. */
export async function readLog(log: Paged<Delivery>, wanted: number): Promise<Log> {
  const deliveries: Delivery[] = [];
  for await (const page of log.pages()) {
    if (deliveries.length >= wanted && page.length > 0) return { deliveries, goesOn: true };
    deliveries.push(...page);
  }
  return { deliveries, goesOn: false };
}
