import { useRef, useState } from 'preact/hooks';
import { goTo } from '../address/address.ts';
import { addressOf } from '../address/address-of.ts';
import type { Session } from '../connection/session.ts';
import { announce } from '../live/announce.ts';
import { useLive } from '../live/use-live.ts';
import { Confirm } from '../parts/confirm.tsx';
import { ProblemNote } from '../parts/problem-note.tsx';
import { Waiting } from '../parts/waiting.tsx';
import { DeliveriesTable } from './deliveries-table.tsx';
import { deliveriesAtOnce, readLog } from './read-log.ts';

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
