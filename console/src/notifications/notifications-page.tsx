import { useState } from 'preact/hooks';
import type { Notifications } from '#client/src/index.ts';
import { addressOf } from '../browser/address.ts';
import { useService } from '../connection/session.ts';
import { announce } from '../live/announce.ts';
import { useLive } from '../live/use-live.ts';
import { Button, Form, SelectField, Switch, TextField, useAttempt } from '../parts/form.tsx';
import { Loading, ProblemNote, problemsByField } from '../parts/loading.tsx';
import { canNotify, notifies, startNotifying, stopNotifying } from './browser-notifications.ts';

export function NotificationsPage() {
  const { value, error, refresh } = useLive(
    'notifications',
    (service, signal) => service.getNotifications({}, { signal }),
    // Somebody who has asked for a link opens it in another tab, and comes back.
    { active: ({ unconfirmed_email: waiting }) => waiting !== null },
  );
  return (
    <>
      <h1>Notifications</h1>
      <div class="columns">
        <section aria-labelledby="by-mail">
          <Loading value={value} error={error} refresh={refresh} />
          {value && (
            <MailForm key={`${value.email} ${value.unconfirmed_email}`} {...{ value, refresh }} />
          )}
        </section>
        <section>
          <BrowserPanel />
          <div class="panel">
            <h2>For programs</h2>
            <p>
              A <a href={addressOf.webhooks}>webhook</a> sends these events, and others, to an
              address of your own.
            </p>
          </div>
        </section>
      </div>
    </>
  );
}

interface MailFormProps {
  readonly value: Notifications;
  readonly refresh: () => void;
}

function MailForm({ value, refresh }: MailFormProps) {
  const service = useService();
  const { email: now, unconfirmed_email: waiting, token_email: own } = value;
  const [email, setEmail] = useState(waiting ?? now ?? own ?? '');
  const [events, setEvents] = useState(value.events);
  const [digest, setDigest] = useState(value.digest);
  const { busy, error, attempt } = useAttempt();
  const problems = problemsByField(error);
  const change = (body: Parameters<typeof service.changeNotifications>[0]['body'], said: string) =>
    attempt(async () => {
      const { unconfirmed_email: asked } = await service.changeNotifications({ body });
      announce(asked === null ? said : `A mail with a link is on its way to ${asked}.`);
      refresh();
    });
  if (!value.available) {
    return (
      <div class="panel">
        <h2 id="by-mail">By mail</h2>
        <p>This service sends no mail. Its operator can set it up.</p>
      </div>
    );
  }
  const isKnown = email === now && waiting === null;
  return (
    <Form
      class="panel"
      onSubmit={() => change({ ...(!isKnown && { email }), events, digest }, 'Preferences saved.')}
    >
      <h2 id="by-mail">By mail</h2>
      {waiting !== null && (
        <div class="note warn" role="status">
          <strong>Confirm {waiting}.</strong>
          <p>
            Open the link in the mail that was sent there. It may take a minute.{' '}
            {now !== null && `Until then, mails go to ${now}.`}
          </p>
        </div>
      )}
      <TextField
        label="Your address"
        hint={hintAt({ email, now, own })}
        error={problems.get('email')}
        type="email"
        autocomplete="on"
        required
        value={email}
        onValue={setEmail}
      />
      <fieldset>
        <legend>Tell me when</legend>
        {topics.map(({ topic, means }) => (
          <Switch
            key={topic}
            on={events.includes(topic)}
            onSwitch={(on) =>
              setEvents(on ? [...events, topic] : events.filter((each) => each !== topic))
            }
          >
            {means}
          </Switch>
        ))}
      </fieldset>
      <SelectField
        label="How often"
        value={digest}
        onValue={(chosen) => setDigest(chosen === 'daily' ? 'daily' : 'when-many')}
      >
        <option value="when-many">At once, and many together in one mail</option>
        <option value="daily">Once a day, at 6:00 UTC</option>
      </SelectField>
      {error !== undefined && <ProblemNote error={error} />}
      <div class="line">
        <button type="submit" class="main" disabled={busy}>
          {waiting !== null && email === waiting ? 'Save and send the link again' : 'Save'}
        </button>
        {(now !== null || waiting !== null) && (
          <Button onClick={() => void change({ email: null }, 'You get no more mails.')}>
            Stop all mails
          </Button>
        )}
      </div>
    </Form>
  );
}

/** Says what will happen to the address in the field. */
function hintAt({
  email,
  now,
  own,
}: {
  readonly email: string;
  readonly now: string | null;
  readonly own: string | null;
}): string {
  if (email === now) return 'Mails go here.';
  if (email === own) return 'The address that you sign in with. It needs no confirmation.';
  return 'You get a mail there with a link that confirms it.';
}

const topics: readonly {
  readonly topic: Notifications['events'][number];
  readonly means: string;
}[] = [
  { topic: 'job.ended', means: 'a job has ended' },
  { topic: 'batch.ended', means: 'all jobs of a batch have ended' },
  { topic: 'quota.low', means: 'a quota is running low' },
  { topic: 'request.decided', means: 'my request was decided' },
];

function BrowserPanel() {
  // Shown again after the browser was asked, also if it refused.
  const [, setAsked] = useState(0);
  const can = canNotify();
  const start = async () => {
    await startNotifying();
    setAsked((count) => count + 1);
  };
  return (
    <div class="panel">
      <h2>In this browser</h2>
      {can === 'unknown' && <p>This browser cannot show notifications.</p>}
      {can === 'forbidden' && (
        <p>
          Notifications of this page are blocked. Allow them in the settings of your browser, next
          to the address, and load the page again.
        </p>
      )}
      {can === 'yes' && !notifies.value && (
        <>
          <p>See a notification when a job ends, as long as the console is open in a tab.</p>
          <Button onClick={() => void start()}>Turn on notifications</Button>
        </>
      )}
      {can === 'yes' && notifies.value && (
        <>
          <p role="status">On. You see a notification when a job ends, as long as a tab is open.</p>
          <Button onClick={stopNotifying}>Turn off notifications</Button>
        </>
      )}
    </div>
  );
}
