import { useState } from 'preact/hooks';
import type { Webhook, WebhookWithSecret } from '#client/src/index.ts';
import { addressOf } from '../browser/address.ts';
import { pageNames } from '../browser/page-names.ts';
import { useSession } from '../connection/session.ts';
import { useLive } from '../live/use-live.ts';
import { CopyButton } from '../parts/copy-button.tsx';
import { Form, TextField, useAttempt } from '../parts/form.tsx';
import { Empty, Loading, ProblemNote, problemsByField } from '../parts/loading.tsx';
import { Moment } from '../parts/moment.tsx';
import { phrase } from './words.ts';

export function WebhooksPage() {
  const { value, error, refresh } = useLive('webhooks', (service, signal) =>
    service.listWebhooks({}, { signal }),
  );
  const [created, setCreated] = useState<WebhookWithSecret>();
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

interface CreateFormProps {
  readonly onCreated: (webhook: WebhookWithSecret) => void;
}

function CreateForm({ onCreated }: CreateFormProps) {
  const { service, administrator } = useSession();
  const [url, setUrl] = useState('');
  const [description, setDescription] = useState('');
  const [chosen, setChosen] = useState<Webhook['events']>(['job.ended']);
  const { error, attempt } = useAttempt();
  const problems = problemsByField(error);
  const create = async () => {
    onCreated(await service.createWebhook({ body: { url, description, events: chosen } }));
    setUrl('');
    setDescription('');
  };
  return (
    <Form class="panel" onSubmit={() => attempt(create)}>
      <h2>{phrase('addWebhook')}</h2>
      <TextField
        label={phrase('address')}
        hint={phrase('httpsAddress')}
        error={problems.get('url')}
        type="url"
        autocomplete="on"
        required
        placeholder="https://example.org/slipway"
        value={url}
        onValue={setUrl}
      />
      <TextField
        label={phrase('description')}
        hint={phrase('optional')}
        error={problems.get('description')}
        maxLength={200}
        value={description}
        onValue={setDescription}
      />
      <fieldset>
        <legend>{phrase('notifyWhen')}</legend>
        {[...eventNames, ...(administrator ? administratorsEvents : [])].map(({ event, means }) => (
          <label key={event} class="inline" title={event}>
            <input
              type="checkbox"
              checked={chosen.includes(event)}
              onChange={({ currentTarget: { checked } }) =>
                setChosen(checked ? [...chosen, event] : chosen.filter((each) => each !== event))
              }
            />
            {means()}
          </label>
        ))}
      </fieldset>
      {error !== undefined && <ProblemNote error={error} />}
      <button type="submit" class="main" disabled={chosen.length === 0}>
        {phrase('createWebhook')}
      </button>
    </Form>
  );
}

type EventName = Webhook['events'][number];

interface Offered {
  readonly event: EventName;
  readonly means: () => string;
}

const eventNames: readonly Offered[] = [
  { event: 'job.submitted', means: () => phrase('jobSubmitted') },
  { event: 'job.stage-changed', means: () => phrase('stageChanged') },
  { event: 'job.ended', means: () => phrase('jobEnded') },
  { event: 'batch.progress', means: () => phrase('batchProgress') },
  { event: 'batch.ended', means: () => phrase('batchEnded') },
  { event: 'quota.low', means: () => phrase('quotaLow') },
  { event: 'quota.expiring', means: () => phrase('quotaExpiring') },
  { event: 'quota.renewing', means: () => phrase('quotaRenewing') },
  { event: 'quota.renewed', means: () => phrase('quotaRenewed') },
  { event: 'request.approved', means: () => phrase('requestApproved') },
  { event: 'request.declined', means: () => phrase('requestDeclined') },
  { event: 'system.maintenance-announced', means: () => phrase('maintenanceAnnounced') },
  { event: 'system.maintenance-changed', means: () => phrase('maintenanceChanged') },
  { event: 'system.maintenance-ended', means: () => phrase('maintenanceEnded') },
];

/** The service refuses these events of anybody else. */
const administratorsEvents: readonly Offered[] = [
  { event: 'request.opened', means: () => phrase('requestOpened') },
  { event: 'project.opened', means: () => phrase('projectOpened') },
  { event: 'project.closed', means: () => phrase('projectClosed') },
  { event: 'member.joined', means: () => phrase('memberJoined') },
  { event: 'member.left', means: () => phrase('memberLeft') },
  { event: 'budget.changed', means: () => phrase('budgetChanged') },
  { event: 'account.mapped', means: () => phrase('accountMapped') },
];
