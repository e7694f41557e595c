import { useRef, useState } from 'preact/hooks';
import type { Delivery, Paged } from '#client/src/index.ts';
import { goTo } from '../browser/address.ts';
import { addressOf } from '../browser/routes.ts';
import type { Session } from '../connection/session.ts';
import { announce } from '../live/announce.ts';
import { useLive } from '../live/use-live.ts';
import { Confirm } from '../parts/dialog.tsx';
import { Empty, Skeleton } from '../parts/loading.tsx';
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
    { active: ({ deliveries }) => deliveries.some(({ state }) => state === 'waiting') },
  );
  const [deleting, setDeleting] = useState(false);
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
        <button type="button" class="danger" onClick={() => setDeleting(true)}>
          Delete webhook
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

function DeliveriesTable({ deliveries }: { readonly deliveries: readonly Delivery[] }) {
  if (deliveries.length === 0) {
    return (
      <Empty title="No deliveries yet.">
        Deliveries and the receiver's answers appear here for 30 days.
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
