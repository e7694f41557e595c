import { useState } from 'preact/hooks';
import type { NewWebhook } from '#client/src/index.ts';
import { addressOf } from '../browser/address.ts';
import { pageNames } from '../browser/page-names.ts';
import { useLive } from '../live/use-live.ts';
import { CopyButton } from '../parts/copy-button.tsx';
import { Empty, Loading } from '../parts/loading.tsx';
import { Moment } from '../parts/moment.tsx';
import { CreateForm } from './create-form.tsx';
import { phrase } from './words.ts';

export function WebhooksPage() {
  const { value, error, refresh } = useLive('webhooks', (service, signal) =>
    service.listWebhooks({}, { signal }),
  );
  const [created, setCreated] = useState<NewWebhook>();
  return (
    <>
      <h1>{pageNames.webhooks()}</h1>
      <div class="columns">
        <CreateForm
          onCreated={(webhook) => {
            setCreated(webhook);
            refresh();
          }}
        />
        <section aria-labelledby="yours-title">
          <h2 id="yours-title">{phrase('yourWebhooks')}</h2>
          {created && (
            <div class="note" role="status">
              <strong>{phrase('copySecret')}</strong>
              <p>{phrase('secretVerifies')}</p>
              <CopyButton text={created.secret} label={created.secret} />
            </div>
          )}
          <Loading value={value} error={error} refresh={refresh} />
          {value?.length === 0 && (
            <Empty title={phrase('noneYet')}>{phrase('webhookNotifies')}</Empty>
          )}
          {value?.map((webhook) => (
            <article key={webhook.webhook_id} class="card">
              <header>
                <h3>
                  <a href={addressOf.webhook(webhook.webhook_id)}>
                    {webhook.description === '' ? webhook.url : webhook.description}
                  </a>
                </h3>
                <Moment at={webhook.created} />
              </header>
              <p class="quiet breaks">{webhook.url}</p>
            </article>
          ))}
        </section>
      </div>
    </>
  );
}
