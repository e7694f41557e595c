import { useState } from 'preact/hooks';
import { mailLanguages } from '#client/src/generated/choices.ts';
import type { Notifications } from '#client/src/index.ts';
import { currentLanguage } from '#client/src/words/language.ts';
import { addressOf } from '../browser/address.ts';
import { pageNames } from '../browser/page-names.ts';
import { useService } from '../connection/session.ts';
import { languageNames } from '../language/language-links.tsx';
import { announce } from '../live/announce.ts';
import { useLive } from '../live/use-live.ts';
import { Button, Form, SelectField, Switch, TextField, useAttempt } from '../parts/form.tsx';
import { Loading, ProblemNote, problemsByField } from '../parts/loading.tsx';
import { canNotify, notifies, startNotifying, stopNotifying } from './browser-notifications.ts';
import { phrase, rich } from './words.ts';

export function NotificationsPage() {
  const { value, error, refresh } = useLive(
    'notifications',
    (service, signal) => service.getNotifications({}, { signal }),
    // Somebody who has asked for a link opens it in another tab, and comes back.
    { active: ({ unconfirmed_email: waiting }) => waiting !== null },
  );
  return (
    <>
      <h1>{pageNames.notifications()}</h1>
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
            <h2>{phrase('forPrograms')}</h2>
            <p>
              {rich('webhookSends', {
                webhook: <a href={addressOf.webhooks}>{phrase('webhook')}</a>,
              })}
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
  const [language, setLanguage] = useState(() => chooseLanguageOfMails(value));
  const { busy, error, attempt } = useAttempt();
  const problems = problemsByField(error);
  const change = (body: Parameters<typeof service.changeNotifications>[0]['body'], said: string) =>
    attempt(async () => {
      const { unconfirmed_email: asked } = await service.changeNotifications({ body });
      announce(asked === null ? said : phrase('linkIsSent', { address: asked }));
      refresh();
    });
  if (!value.available) {
    return (
      <div class="panel">
        <h2 id="by-mail">{phrase('byMail')}</h2>
        <p>{phrase('sendsNoMail')}</p>
      </div>
    );
  }
  const isKnown = email === now && waiting === null;
  return (
    <Form
      class="panel"
      onSubmit={() =>
        change({ ...(!isKnown && { email }), events, digest, language }, phrase('saved'))
      }
    >
      <h2 id="by-mail">{phrase('byMail')}</h2>
      {waiting !== null && (
        <div class="note warn" role="status">
          <strong>{phrase('confirm', { address: waiting })}</strong>
          <p>
            {phrase('openLink')} {now !== null && phrase('untilThen', { address: now })}
          </p>
        </div>
      )}
      <TextField
        label={phrase('yourAddress')}
        hint={hintAt({ email, now, own })}
        error={problems.get('email')}
        type="email"
        autocomplete="on"
        required
        value={email}
        onValue={setEmail}
      />
      <fieldset>
        <legend>{phrase('tellMeWhen')}</legend>
        {topics.map(({ topic, means }) => (
          <Switch
            key={topic}
            on={events.includes(topic)}
            onSwitch={(on) =>
              setEvents(on ? [...events, topic] : events.filter((each) => each !== topic))
            }
          >
            {means()}
          </Switch>
        ))}
      </fieldset>
      <SelectField
        label={phrase('howOften')}
        value={digest}
        onValue={(chosen) => setDigest(chosen === 'daily' ? 'daily' : 'when-many')}
      >
        <option value="when-many">{phrase('whenMany')}</option>
        <option value="daily">{phrase('daily')}</option>
      </SelectField>
      <SelectField
        label={phrase('languageOfMails')}
        value={language}
        onValue={(chosen) => setLanguage(mailLanguages.find((each) => each === chosen) ?? language)}
      >
        {mailLanguages.map((code) => (
          <option key={code} value={code} lang={code}>
            {languageNames[code]}
          </option>
        ))}
      </SelectField>
      {error !== undefined && <ProblemNote error={error} />}
      <div class="line">
        <button type="submit" class="main" disabled={busy}>
          {waiting !== null && email === waiting ? phrase('saveAndSendAgain') : phrase('save')}
        </button>
        {(now !== null || waiting !== null) && (
          <Button onClick={() => void change({ email: null }, phrase('noMoreMails'))}>
            {phrase('stopAll')}
          </Button>
        )}
      </div>
    </Form>
  );
}

/** Mails that are switched on begin in the language of the console. */
export function chooseLanguageOfMails({
  email,
  unconfirmed_email: waiting,
  language,
}: Notifications): Notifications['language'] {
  if (email !== null || waiting !== null) return language;
  return mailLanguages.find((code) => code === currentLanguage().code) ?? language;
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
  if (email === now) return phrase('mailsGoHere');
  if (email === own) return phrase('addressOfSignIn');
  return phrase('confirmedByLink');
}

const topics: readonly {
  readonly topic: Notifications['events'][number];
  readonly means: () => string;
}[] = [
  { topic: 'job.ended', means: () => phrase('jobEnded') },
  { topic: 'batch.ended', means: () => phrase('batchEnded') },
  { topic: 'quota.low', means: () => phrase('quotaLow') },
  { topic: 'request.decided', means: () => phrase('requestDecided') },
  { topic: 'system.maintenance', means: () => phrase('maintenance') },
  { topic: 'project.statement', means: () => phrase('statement') },
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
      <h2>{phrase('inThisBrowser')}</h2>
      {can === 'unknown' && <p>{phrase('cannotShow')}</p>}
      {can === 'forbidden' && <p>{phrase('areBlocked')}</p>}
      {can === 'yes' && !notifies.value && (
        <>
          <p>{phrase('canShow')}</p>
          <Button onClick={() => void start()}>{phrase('turnOn')}</Button>
        </>
      )}
      {can === 'yes' && notifies.value && (
        <>
          <p role="status">{phrase('isOn')}</p>
          <Button onClick={stopNotifying}>{phrase('turnOff')}</Button>
        </>
      )}
    </div>
  );
}
