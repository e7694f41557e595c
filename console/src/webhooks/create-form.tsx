import { useState } from 'preact/hooks';
import type { NewWebhook, Webhook } from '#client/src/index.ts';
import { useSession } from '../connection/session.ts';
import { Form, TextField, useAttempt } from '../parts/form.tsx';
import { ProblemNote, problemsByField } from '../parts/loading.tsx';

interface CreateFormProps {
  readonly onCreated: (webhook: NewWebhook) => void;
}

export function CreateForm({ onCreated }: CreateFormProps) {
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
      <h2>Add a webhook</h2>
      <TextField
        label="Address"
        hint="an https address that can be reached from the internet"
        error={problems.get('url')}
        type="url"
        autocomplete="on"
        required
        placeholder="https://example.org/slipway"
        value={url}
        onValue={setUrl}
      />
      <TextField
        label="Description"
        hint="optional"
        error={problems.get('description')}
        maxLength={200}
        value={description}
        onValue={setDescription}
      />
      <fieldset>
        <legend>Notify when</legend>
        {[...eventNames, ...(administrator ? administratorsEvents : [])].map(({ event, means }) => (
          <label key={event} class="inline" title={event}>
            <input
              type="checkbox"
              checked={chosen.includes(event)}
              onChange={({ currentTarget: { checked } }) =>
                setChosen(checked ? [...chosen, event] : chosen.filter((each) => each !== event))
              }
            />
            {means}
          </label>
        ))}
      </fieldset>
      {error !== undefined && <ProblemNote error={error} />}
      <button type="submit" class="main" disabled={chosen.length === 0}>
        Create webhook
      </button>
    </Form>
  );
}

type EventName = Webhook['events'][number];

interface Offered {
  readonly event: EventName;
  readonly means: string;
}

const eventNames: readonly Offered[] = [
  { event: 'job.submitted', means: 'a job was submitted' },
  { event: 'job.stage-changed', means: 'a job changed its stage' },
  { event: 'job.ended', means: 'a job has ended' },
  { event: 'batch.progress', means: 'a batch has progressed (at most once a minute)' },
  { event: 'batch.ended', means: 'all jobs of a batch have ended' },
  { event: 'quota.low', means: 'a quota is running low' },
  { event: 'quota.expiring', means: 'a quota is about to end' },
  { event: 'quota.renewing', means: 'a quota will renew in a week' },
  { event: 'quota.renewed', means: 'a quota was renewed' },
  { event: 'request.approved', means: 'a request was approved' },
  { event: 'request.declined', means: 'a request was declined' },
];

/** The service refuses these events of anybody else. */
const administratorsEvents: readonly Offered[] = [
  { event: 'request.opened', means: 'somebody asks for quota' },
];
