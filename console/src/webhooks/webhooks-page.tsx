import { useState } from 'preact/hooks';
import type { NewWebhook } from '#client/src/index.ts';
import { addressOf } from '../browser/routes.ts';
import type { Session } from '../connection/session.ts';
import { useLive } from '../live/use-live.ts';
import { CopyButton } from '../parts/copy-button.tsx';
import { Empty, Waiting } from '../parts/empty.tsx';
import { Moment } from '../parts/moment.tsx';
import { ProblemNote } from '../parts/problem-note.tsx';
import { CreateForm } from './create-form.tsx';

export function WebhooksPage({ session }: { readonly session: Session }) {
  const { value, error, refresh } = useLive('webhooks', (signal) =>
    session.service.listWebhooks({}, { signal }),
  );
  const [created, setCreated] = useState<NewWebhook>();
  return (
    <>
      <h1>Webhooks</h1>
      <div class="columns">
        <CreateForm
          session={session}
          onCreated={(webhook) => {
            setCreated(webhook);
            refresh();
          }}
        />
        <section aria-labelledby="yours-title">
          <h2 id="yours-title">Your webhooks</h2>
          {created && (
            <div class="note" role="status">
              <strong>Its secret is shown this once.</strong>
              <p>With it the receiver verifies that a request comes from here.</p>
              <CopyButton text={created.secret} label={created.secret} />
            </div>
          )}
          {error !== undefined && <ProblemNote error={error} onRetry={refresh} />}
          {value === undefined && error === undefined && <Waiting />}
          {value?.length === 0 && (
            <Empty title="None yet.">
              A webhook is an address of yours that is told when a job ends or a quota runs low, so
              that nobody has to ask.
            </Empty>
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
